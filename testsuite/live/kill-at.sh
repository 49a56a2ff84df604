# SIGKILL of the loader, of its guardian, or of both, at system calls all along from load to unload: nothing stays,
# and what both of them could not remove the next start does. kill-everywhere.sh is the same at each of them.
. "$TOP/testsuite/expect.sh"
. ./kill-sweep
sweep 13
