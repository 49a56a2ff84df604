# SPDX-License-Identifier: GPL-2.0
# Compares two real runs: probec diff understands what proberun writes.

cat >runs.kp <<'END'
global reads, sizes, printed, n = 3, name
probe begin {
	name = "run"
	for (i = 0; i < n; i++) {
		reads["a", i % 2]++
		sizes["x"] <<< i
		printed["y"] <<< i
	}
	foreach (key in printed)
		print(@hist_log(printed[key]))
	exit()
}
END
"$PROBEC" --vm="$KERNEL" --format=json -o a.json runs.kp 2>e || fail 'the first run' e
sed 's/n = 3/n = 5/' runs.kp >more.kp
"$PROBEC" --vm="$KERNEL" --format=json -o b.json more.kp 2>e || fail 'the second run' e
"$PROBEC" diff --sort=name a.json b.json >o 2>e
[ $? = 1 ] || fail 'they do not differ' o e
has() { grep -q "$1" o || fail "no $1" o; }
has "^A: a.json (.*runs.kp, $("$TOP/lab/run" --release "$KERNEL"), [0-9.]* s, [0-9]* hits)\$"
has '^reads\["a", 0\]  *2  *3  *+1  *+50.0%$'
has '^reads\["a", 1\]  *1  *2  *+1  *+100.0%$'
has '^sizes\["x"\]  *count  *3  *5  *+2  *+66.7%$'
has '^sizes\["x"\]  *max  *2  *4  *+2  *+100.0%$'
has '^@hist_log(printed\[key\])\["y"\]$'
! grep -q '^note\|^name ' o || [ "$(grep -c '^name ' o)" = 1 ] ||
	fail 'notes, or a name that does not differ' o
! grep -q '^note: ' o || fail 'notes' o
"$PROBEC" diff a.json a.json >o 2>e || fail 'a run differs from itself' o e
