# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 2000
# kill-at.sh at each system call. On the checked kernel, where that would take two hours, it kills
# at each third or fourth, and the loader, its guardian process and both take turns.
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
case $(uname -r) in
*-dbg) sweep 7 ;;
*) sweep 2 all ;;
esac
