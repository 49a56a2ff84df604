# SPDX-License-Identifier: GPL-2.0
#@ needs: perl
# Stacks with the frames of Perl, beside those that the program itself writes, at 1,000 points: of
# recursion, methods, evals, functions that C calls, tied variables, threads. The kernel may move a
# page just then; one stack of a hundred may lack the frames for that, and is reported.
# script-points.sh has other POINTS.
. "$TOP/testsuite/expect.sh"
program=$TOP/testsuite/programs/script.pl
points=${POINTS:-1000} both=--native-frames
[ -z "${POINTS-}" ] || both=
absent="lacks\\? frames of scripts: the interpreter's data was not in memory \\[E_SKIPPED\\]$"
for flags in '' $both; do
	# shellcheck disable=SC2086 # flags are words
	"$PROBERUN" $flags -o out "$MODULE" \
		-c "bash -c 'exec perl $program $((points * 11 / 10)) 99>theirs'" 2>err ||
		fail "status with $flags" err out
	grep -v -e '^Subroutine ' -e '^x$' -e "$absent" err >messages && fail 'messages' messages
	reported=$(sed -n 's/^probec: warning: \([0-9]*\) stacks\? lacks\? .*/\1/p' err)
	# A thread has no main program.
	awk 'BEGIN { OFS = "\t" }
		function end_stack() { if (n && !named) print "absent" }
		/^stack$/ { end_stack(); if (n++) print ""; named = 0; next }
		/^ \[perl\] +: / {
			sub(/^ \[perl\] +: /, "")
			at = match($0, / at [\/(]/)
			file = substr($0, at + 4)
			line = file
			sub(/:[0-9]+$/, "", file)
			sub(/.*:/, "", line)
			name = substr($0, 1, at - 1)
			if (name == "do \"file\"") name = "require"
			print name, file, line
			named = 1
		}
		END { end_stack() }' out >ours
	awk 'NR > 1 && /^main::point\t/ { print "" } { print }' theirs >points
	awk -v reported="${reported:-0}" -v points="$points" 'BEGIN { RS = ""; FS = "\n" }
		NR == FNR { their[FNR] = $0; n = FNR; next }
		$0 == "absent" { absent++; next }
		{
			bare = their[FNR]
			sub(/\nmain\t[^\n]*$/, "", bare)
			if ($0 != their[FNR] && ($0 != bare || ++without > n / 20)) {
				print $0 "\n--\n" their[FNR]
				exit failed = 1
			}
		}
		END {
			print FNR, n
			exit failed || n < points || FNR != n || absent != reported ||
				absent > n / 100
		}' points ours >compared || fail "other stacks with $flags" compared
done
[ -n "$both" ] || return 0
# With --native-frames, each frame of the loop follows those of scripts.
grep -A 1 '^ \[perl\] .*: main at' out | grep -q ': Perl_runops_standard+' ||
	fail 'no native frames' out
