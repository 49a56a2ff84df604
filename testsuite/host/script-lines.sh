# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# The line of each instruction of Python's own library, as the loader reads it from the tables of
# lines and as the interpreter does, with each version that is installed; of every 40th module, or
# of all with LINES_EVERY=1. PYTHONS names further versions.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/linetables >made 2>&1 || fail 'not built' made
n=0
for python in python3 python3.9 python3.1{0,1,2,3,4} ${PYTHONS-}; do
	"$python" -c 'import ctypes' 2>/dev/null || continue
	n=$((n + 1))
	"$python" -W ignore "$TOP/testsuite/programs/linetables.py" "${LINES_EVERY:-40}" >tables ||
		fail "$python"
	"$TOP/build/testsuite/beside/linetables" <tables >one || fail "$python" one
done
[ "$n" -gt 0 ] || fail 'no Python with ctypes'
