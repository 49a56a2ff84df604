#@ needs: sparse
#@ slow
# sparse and the kernel's own warnings (W=1) find nothing in the runtime.
# shellcheck shell=bash disable=SC2154
(cd "$TOP" && testsuite/lint/run) >said 2>&1 ||
	fail 'the tree breaks a rule of testsuite/lint/run' said
grep '^skipped' said && exit 77
exit 0
