#@ slow
# kill-at.sh at each system call.
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
sweep 1
