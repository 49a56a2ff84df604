# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# A program that looks like an interpreter and writes garbage into its frames while four of its
# threads take stacks: every hit ends, nothing of the kernel is read, and the session says how many
# stacks have no frames of scripts.
. "$TOP/testsuite/expect.sh"
gcc -O2 -rdynamic -pthread -o /tmp/hostile "$TOP/testsuite/programs/hostile_python.c" 2>log ||
	fail gcc log
trap 'rm -f /tmp/hostile' EXIT
for flags in '' --native-frames; do
	"$PROBERUN" $flags -o out "$MODULE" -c '/tmp/hostile 2000' >told 2>err ||
		fail "status with $flags" err
	grep -qx '8000 calls' told || fail 'the program' told err
	grep -qx 'hits 8000' out || fail "hits with $flags" out err
	grep -v -e 'E_SKIPPED\]$' -e '^ *= ' err && fail "messages with $flags" err
	grep -q 'stacks\? lacks\? frames of scripts: ' err || fail "no word of the damage" err
	grep -q ': _PyEval_EvalFrameDefault+' out || fail "no native frames" out
	grep -q '^ \[python\] ' out || fail 'no frames of scripts' out
done
