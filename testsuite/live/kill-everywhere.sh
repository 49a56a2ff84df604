#@ slow
#@ seconds: 2000
# kill-at.sh at each system call.
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
sweep 2 all
