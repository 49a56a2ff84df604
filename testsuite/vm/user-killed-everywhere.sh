# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 3000
# user-killed.sh at each system call and at more moments.
SWEEP='2 all' SWEEP_SECONDS=2900 ARMING='0 1 3 5 7 9' REMOVAL='0 2 4 8'
. "$TOP/testsuite/vm/user-killed.sh"
