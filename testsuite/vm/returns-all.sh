# SPDX-License-Identifier: GPL-2.0
# The rest of vm/returns.sh: growth under traffic, two sessions on one function, killed tasks,
# stacks, and bpftrace on the same functions.
#@ slow
parts='grows killed two stack beside_bpftrace direct'
. "$TOP/testsuite/vm/returns.sh"
