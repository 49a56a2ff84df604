# SPDX-License-Identifier: GPL-2.0
# How functions of C and C++ pass their arguments and results: what probes of them see, compared
# with what the program itself says. The probes run in user space. host/conventions-all has other
# compilers and languages, and vm/conventions the kernel.
# shellcheck shell=bash disable=SC2154
#@ needs: target g++
. "$TOP/testsuite/traced.sh"
. "$TOP/testsuite/conventions.sh"
unset PROBEC_DEBUGINFO
traced_build
wrong=0
for level in -O0 -O2 "-O2 -fno-var-tracking"; do
	for one in c.gcc cc.g++; do
		# shellcheck disable=SC2086
		conventions_build ${one%.*} ${one#*.} $level || fail "${one#*.} is not installed"
		conventions_script "$built"
		traced "${built##*/}.kp" told seen "$built"
		conventions_judge "$built" told seen || wrong=1
	done
done
exit $wrong
