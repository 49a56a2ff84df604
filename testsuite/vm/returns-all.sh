# SPDX-License-Identifier: GPL-2.0
# The rest of vm/returns.sh: growth under traffic, two sessions on one function, killed tasks,
# stacks, and bpftrace on the same functions.
#@ slow
parts='grows killed two stack beside_bpftrace direct'
# Where a function has a kretprobe, the unwinder of 5.10 does not find its caller.
case $("$TOP/lab/run" --release "$KERNEL") in 5.10.*) parts=${parts/ stack/} ;; esac
. "$TOP/testsuite/vm/returns.sh"
