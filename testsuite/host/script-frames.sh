# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Frames of programs in Python, as the tables for the kernel half find them in the program's memory,
# beside the stack that the program itself writes, with each version that is installed. PYTHONS
# names further ones.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/scripted >made 2>&1 || fail 'not built' made
n=0
for python in python3 python3.9 python3.1{0,1,2,3,4} ${PYTHONS-}; do
	"$python" -c '' 2>/dev/null || continue
	n=$((n + 1))
	for how in '' spin; do
		timeout 100 "$TOP/build/testsuite/beside/scripted" 600 "$python" \
			"$TOP/testsuite/programs/frames.py" 100000 $how >one 2>&1 ||
			fail "$python $how" one
		grep -q '^600 points 600 same ' one || fail "$python $how" one
	done
	"$python" -c 'import _interpreters' 2>/dev/null ||
		"$python" -c 'import _xxsubinterpreters' 2>/dev/null || continue
	timeout 100 "$TOP/build/testsuite/beside/scripted" 200 "$python" \
		"$TOP/testsuite/programs/subinterpreter.py" >one 2>&1 ||
		fail "$python in another interpreter" one
done
[ "$n" -gt 0 ] || fail 'no Python'
