# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 3000
# user-killed.sh at each system call.
SWEEP='2 all' SWEEP_SECONDS=2900
. "$TOP/testsuite/vm/user-killed.sh"
