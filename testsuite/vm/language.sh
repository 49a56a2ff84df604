# The examples of doc/language.md that name their output print it.
release=$("$TOP/lab/run" --release "$KERNEL")
"$TOP/testsuite/examples" "$TOP/doc/language.md"
for out in *.out; do
	module=$("$PROBEC" -p4 -r "$release" "${out%out}kp" 2>said) ||
		fail "doc/language.md:${out%.out}" said
	echo "$module $out"
done >list
[ "$(wc -l <list)" -ge 13 ] || fail 'the examples were not found' list
cat >all <<'SH'
. "$TOP/testsuite/expect.sh"
remember
while read -r module out; do
	timeout 60 "$PROBERUN" "$module" >/run/printed 2>/run/said ||
		fail "doc/language.md:${out%.out}: status $?" /run/said
	diff "$out" /run/printed >/run/difference ||
		fail "doc/language.md:${out%.out}" /run/difference
done <list
ended_clean 'the examples'
SH
timeout 300 "$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./all >said 2>&1 ||
	fail "status $?" said
