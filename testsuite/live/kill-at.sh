# SPDX-License-Identifier: GPL-2.0
#@ slow
# SIGKILL of the loader, of its guardian process, or of both, at system calls from load to unload:
# nothing is left, and the next start removes what neither of them could. kill-everywhere.sh does
# the same at every system call.
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
sweep 13
