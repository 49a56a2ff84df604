# SPDX-License-Identifier: GPL-2.0
# A program whose text, stack and data are on huge pages (testsuite/programs/huge.c), on a tmpfs
# that has them: hits, values, texts and stacks are right, of a process that was there before and of
# one that begins during the session, and what it computes is what it computes without probes.
mkdir on
cd on || exit 1
build_program huge -fno-optimize-sibling-calls -pthread -Wl,-z,max-page-size=0x200000 \
	-Wl,-z,common-page-size=0x200000 -Wl,-z,separate-code
cd .. || exit 1
build counts "
global calls, returns, sum, texts, stacks
probe process(\"$PWD/on/huge\").function(\"descend\").call {
	calls++
	texts[user_string(pointer_arg(2)), int_arg(1) == 20]++
	if (int_arg(1) == 0) stacks[sprint_ustack(ubacktrace())]++
}
probe process(\"$PWD/on/huge\").function(\"descend\").return { returns++; sum += returnval() }
probe end {
	println(\"calls \", calls, \" returns \", returns, \" all \", sum)
	foreach ([text, first] in texts) println(text, \" \", first, \" \", texts[text, first])
	foreach (s in stacks) printf(\"%d times\\n%s\", stacks[s], s)
}"
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/expect.sh"
cp -a on/huge huge
mount -t tmpfs -o huge=always none on && cp -a huge on/huge || exit 1
mkfifo work
on/huge <work >told &
program=$!
exec 5>work
round() { echo 100 >&5; wait_for "$1" has_lines "$1"; }
has_lines() { [ "$(wc -l <told)" = "$1" ]; }
: >told
round 1
"$PROBERUN" -v -x $program -o there counts.ko 2>there.said &
session=$!
wait_armed there
round 2
kill -INT $session
wait $session || { cat there.said; exit 1; }
round 3
exec 5>&-
wait $program || echo "the program: $?"
"$PROBERUN" -o begun -c 'echo 100 | on/huge >>told' counts.ko 2>said || cat said
sed -n 's/.* \(sum .*\)/\1/p' told | sort -u
# Before and after the session. During it, the kernel splits the page that has breakpoints.
awk 'NR == 1 || NR == 3 { print ($2 > 0), ($4 > 0) }' told
for name in there begun; do
	sed -n 's/^calls/hits/p' $name
	grep '^straddles' $name | sort
	grep '^[0-9]* times' $name
	# The stack, from the innermost frame to the thread's function.
	sed -n 's/^ 0x[0-9a-f]* : \([a-z_0-9]*\)+.*/\1/p' $name | uniq -c |
		awk '{ print $1, $2 } $2 == "run" { exit }'
done
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./guest "$PWD" \
	>said 2>&1 || fail "status $?" said
diff - said <<'X' || fail 'it says' said
sum 245400 all 2636900
1 1
1 1
hits 2100 returns 2100 all 2636900
straddles 0 2000
straddles 1 100
100 times
21 descend
1 run
hits 2100 returns 2100 all 2636900
straddles 0 2000
straddles 1 100
100 times
21 descend
1 run
X
