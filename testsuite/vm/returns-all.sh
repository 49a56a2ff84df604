# SPDX-License-Identifier: GPL-2.0
# The rest of what vm/returns.sh looks at: growth under traffic, two sessions on one function, killed tasks, stacks, bpftrace beside us.
#@ slow
parts='grows killed two stack beside_bpftrace direct'
. "$TOP/testsuite/vm/returns.sh"
