# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# Programs that look like interpreters and write garbage into their frames while four of their
# threads take stacks: every hit ends, nothing of the kernel is read, and the session says how many
# stacks have no frames of scripts.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
looks_like() { # LANGUAGE LOOP SOURCE [FLAG]...
	local language=$1 loop=$2 source=$3 flags
	shift 3
	gcc -O2 -rdynamic -pthread "$@" -o "$folder/hostile" \
		"$TOP/testsuite/programs/$source" 2>log || fail gcc log
	for flags in '' --native-frames; do
		"$PROBERUN" $flags -o out "$MODULE" -c "$folder/hostile 1000" >told 2>err ||
			fail "$language: status with $flags" err
		grep -qx '4000 calls' told || fail "$language: the program" told err
		grep -qx 'hits 4000' out || fail "$language: hits with $flags" out err
		grep -v -e 'E_SKIPPED\]$' -e '^ *= ' err &&
			fail "$language: messages with $flags" err
		grep -q 'stacks\? lacks\? frames of scripts: ' err ||
			fail "$language: no word of the damage" err
		grep -q ": $loop+" out || fail "$language: no native frames" out
		grep -q "^ \[$language\] " out || fail "$language: no frames of scripts" out
	done
}
looks_like python _PyEval_EvalFrameDefault hostile_python.c
looks_like perl Perl_runops_standard hostile_frames.c
looks_like php execute_ex hostile_frames.c -DPHP
