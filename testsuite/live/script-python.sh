# SPDX-License-Identifier: GPL-2.0
#@ needs: python3
# Stacks with the frames of Python, beside those that the program itself writes: at 1,000 points,
# of recursion, generators, methods, functions that C calls, threads, code that is made and freed.
# script-points.sh has other POINTS.
. "$TOP/testsuite/expect.sh"
points=${POINTS:-1000} both=--native-frames
[ -z "${POINTS-}" ] || both=
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
for flags in '' $both; do
	"$PROBERUN" $flags -o out "$MODULE" \
		-c "$python $TOP/testsuite/programs/frames.py $points" </dev/zero >theirs 2>err ||
		fail "status with $flags" err out
	[ -s err ] && fail 'messages' err
	# Lines as the program writes them; a stack ends with its thread. Those of other calls of
	# write() begin in out().
	awk 'BEGIN { OFS = "\t" }
		function put() { if (n && first != "out") printf "%s%s\n", text, thread }
		/^stack / { put(); n = 0; text = ""; thread = $2; next }
		/^ \[python\] +: / {
			sub(/^ \[python\] +: /, "")
			at = match($0, / at [^\/<]*[\/<]/)
			file = substr($0, at + 4)
			line = file
			sub(/:[0-9]+$/, "", file)
			sub(/.*:/, "", line)
			if (!n++) first = substr($0, 1, at - 1)
			text = text substr($0, 1, at - 1) OFS file OFS line "\n"
		}
		END { put() }' out >ours
	[ "$(grep -c '^[0-9]*$' theirs)" = "$points" ] || fail 'points' theirs
	cmp theirs ours >differ || fail "other stacks with $flags" differ ours theirs
done
[ -n "$both" ] || return 0
# With --native-frames, each frame of the loop follows those of scripts.
grep -A 1 '^ \[python\] .*: <module> at' out | grep -q ': _PyEval_EvalFrameDefault+' ||
	fail 'no native frames' out

# The other formats.
"$PROBERUN" --format=json -o out "$MODULE" -c "$python $TOP/testsuite/programs/frames.py 3" \
	</dev/zero >theirs 2>err || fail 'status of json' err out
frame='"symbol":"recurse","file":"/[^"]*/frames.py","line":[0-9]+,'
frame=$frame'"language":"python","kind":"script"'
grep -qE "$frame" out || fail 'json' out
"$PROBERUN" --format=folded -o out "$MODULE" -c "$python $TOP/testsuite/programs/frames.py 3" \
	</dev/zero >theirs 2>err || fail 'status of folded' err out
grep -q ';<module> (frames.py);all_points (frames.py);recurse (frames.py);' out || fail 'folded' out
