# SPDX-License-Identifier: GPL-2.0
# The examples of the documents that name their output print it.
release=$("$TOP/lab/run" --release "$KERNEL")
for document in language tutorial library; do
	mkdir "$document"
	cd "$document" || exit 1
	"$TOP/testsuite/examples" "$TOP/doc/$document.md"
	# 5.10 has the structure that an example has a file for.
	[ ! -d own/6.1 ] || cp -r own/6.1 own/5.10
	for out in *.out; do
		options=()
		[ ! -f "${out%out}run" ] || eval "options=($(cat "${out%out}run"))"
		module=$("$PROBEC" -p4 -r "$release" "${options[@]}" "${out%out}kp" 2>said) ||
			fail "doc/$document.md:${out%.out}" said >&2
		echo "$module $document/$out"
	done
	cd ..
done >list
[ "$(wc -l <list)" -ge 27 ] || fail 'the examples were not found' list
cat >all <<'SH'
. "$TOP/testsuite/expect.sh"
remember
while read -r module out; do
	options=()
	[ ! -f "${out%out}run" ] || eval "options=($(sed 's/-I own //' "${out%out}run"))"
	timeout 60 "$PROBERUN" "${options[@]}" "$module" >/run/printed 2>/run/said </dev/null ||
		fail "${out%.out}: status $?" /run/said
	diff "$out" /run/printed >/run/difference || fail "${out%.out}" /run/difference
done <list
ended_clean 'the examples'
SH
timeout 300 "$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" bash ./all >said 2>&1 ||
	fail "status $?" said
