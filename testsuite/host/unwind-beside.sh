# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1800
# The unwind tables of fifty libraries and some programs, row by row, compared with what readelf
# makes of the same sections.
# shellcheck shell=bash disable=SC2154
for tool in readelf perl; do
	command -v $tool >/dev/null || { echo "$tool is not installed (binutils, perl)"; exit 77; }
done
export LC_ALL=C
beside=$TOP/testsuite/beside
make -s -C "$TOP" build/testsuite/beside/unwound >made 2>&1 || fail 'not built' made
# A compiler's libraries have every form; libcrypto has functions written by hand.
for path in /usr/lib/x86_64-linux-gnu/*.so.* /bin/bash /usr/bin/perl /usr/bin/gdb; do
	path=$(readlink -f "$path")
	[ ! -f "$path" ] || echo "$path"
done | sort -u | xargs ls -S | head -n 60 >files
tried=0 rows=0 unknown=0
while read -r path; do
	"$TOP/build/testsuite/beside/unwound" "$path" >ours 2>why || continue
	readelf --debug-dump=frames-interp "$path" 2>/dev/null | perl "$beside/unwound.pl" >theirs
	# An expression that no rule has: readelf says "exp", the table says so, too.
	awk 'NR == FNR { ours[$1] = $0; next }
		$2 == "exp" && ours[$1] ~ / unknown$/ { print $1 " unknown"; next } { print }' \
		ours theirs | awk \
			'{ rule = $0; sub(/^[^ ]+ /, "", rule) } rule != last { print } { last = rule }' >want
	cmp -s want ours || { diff want ours | head -n 20 >some; fail "other rows of $path" some; }
	tried=$((tried + 1))
	rows=$((rows + $(wc -l <ours)))
	unknown=$((unknown + $(comm -23 <(sort theirs) <(sort ours) | wc -l)))
done <files
echo "$tried files, $rows rows, $unknown of them in forms that tables lack" >summary
[ "${COUNTS:-}" = "" ] || cat summary >>"$COUNTS"
[ $tried -ge 50 ] && [ $rows -gt 200000 ] || fail 'too little was compared' summary
[ $((unknown * 1000)) -lt $rows ] || fail 'too many rows have no rule' summary
