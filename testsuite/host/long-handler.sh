# SPDX-License-Identifier: GPL-2.0
# A handler of many statements is built even if the user's stack is small: objtool follows branches
# by recursion, and so does gcc 14. Where the hard limit is small as well, the message says what
# ended it.
#@ needs: target
statements() { echo 'probe oneshot {'; seq -f 'println(%.0f)' 1500; echo '}'; }
statements >script.kp
built() { # LIMIT
	(ulimit "$1" 512 && "$PROBEC" --disable-cache -p4 -r "$TARGET" script.kp) >said 2>&1
}
built -Ss || fail 'a small stack' said
! built -s || fail 'a stack that is too small: objtool had room enough' said
grep -q 'error: \(objtool\|[a-z0-9_-]*gcc[-0-9]*\) was killed by signal 11 .*\[E_BUILD\]' said &&
	grep -q 'a handler may be too long' said || fail 'a stack that is too small' said
