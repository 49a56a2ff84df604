# SPDX-License-Identifier: GPL-2.0
#@ needs: sparse
#@ slow
# sparse and the kernel's own warnings (W=1) find nothing in the runtime, and they find a fault that
# is planted in a copy of it.
# shellcheck shell=bash disable=SC2154
(cd "$TOP" && testsuite/lint/run) >said 2>&1 ||
	fail 'the tree breaks a rule of testsuite/lint/run' said
grep '^skipped' said && exit 77

mkdir -p copy/testsuite copy/doc
cp -r "$TOP"/{compiler,grammar,loader,shared,runtime,bench,lab,tapsets,tools} copy
cp "$TOP"/{check,configure,quickstart,setup.sh,Makefile.in} copy
cp "$TOP"/doc/*.md copy/doc
cp -r "$TOP"/testsuite/{lint,analyse,parse,host,live,vm,*.sh} copy/testsuite
cat >>copy/runtime/clock.c <<'C'

int prt_clock_planted(const int __user *p);
int prt_clock_planted(const int __user *p)
{
	int unused;

	return *p;
}
C
(cd copy && testsuite/lint/run) >said 2>&1 && fail 'faults in the runtime, and status 0' said
grep -q 'runtime/clock.c:.*unused variable' said || fail 'an unused variable is not found' said
grep -q 'runtime/clock.c:.*noderef' said || fail 'a pointer of a user is not found' said
