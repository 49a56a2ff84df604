# SPDX-License-Identifier: GPL-2.0
# The size of the emitted C is proportional to the script, however its parts are nested, and gcc's
# time stays bounded.
#@ needs: target
# shellcheck shell=bash disable=SC2016,SC2154

# times N TEXT: prints N lines with TEXT, in which @ is replaced by the number of the line.
times() { seq "$1" | awk -v text="$2" '{ line = text; gsub(/@/, $1, line); print line }'; }

# script KIND N: prints a script with N parts of a kind.
script() {
	echo 'global a, s'
	echo 'function plain(x) { return x + 1 }'
	[ "$1" != functions ] || times "$2" 'function f@(x) { return x + @ }'
	[ "$1" != probes ] || { times "$2" 'probe timer.ms(@) { a[@]++ }' && return; }
	echo 'probe kernel.function("vfs_read") {'
	echo 'x = $count; a[x] = x; s[x] = execname()'
	case $1 in
	foreach) times "$2" 'foreach (k@ in a) {'; echo 'x += k1'; times "$2" '}' ;;
	leaving) times "$2" \
		'foreach (k@ in a) { if (k@ == 5) next; if (k@ == 6) break; if (k@ == 7) continue; x = 1 / k@'; times "$2" '}' ;;
	for) times "$2" 'for (i@ = 0; i@ < 2; i@++) {'; echo 'x++'; times "$2" '}' ;;
	while) times "$2" 'while (i@++ < 2) {'; echo 'x++'; times "$2" '}' ;;
	if) times "$2" 'if (x > @) {'; echo 'x++'; times "$2" '} else x--' ;;
	try) times "$2" 'try {'; echo 'x = 1 / x'; times "$2" '} catch (e) { println(e) }' ;;
	line) { times "$2" 'try {'; echo 'x = 1 / x'; times "$2" '} catch (e) { println(e) }'; } |
		tr '\n' ' ' ;;
	choice) echo 'y = '; times "$2" '(x > @ ? "a" . execname() .'; echo '"b"'; times "$2" \
		': "c")'; echo 'println(y)' ;;
	parentheses) echo 'x = '; times "$2" '('; echo 'x'; times "$2" '+ @)' ;;
	calls) echo 'x = '; times "$2" 'plain('; echo 'x'; times "$2" ')' ;;
	elements) echo 'x = '; times "$2" 'a['; echo 'x'; times "$2" ']' ;;
	concatenation) echo 'y = execname()'; times "$2" '. "@" . execname()'; echo 'println(y)' ;;
	statements) times "$2" 'a[@] = x + @' ;;
	prints) times "$2" 'printf("@ %d %s\\n", x, execname())' ;;
	functions) times "$2" 'x = f@(x)' ;;
	esac
	echo 'println(x) }'
}
emitted() { script "$1" "$2" | "$PROBEC" -w -p3 -r "$TARGET" - 2>said | wc -c; }

for kind in foreach leaving for while if try line choice parentheses calls elements concatenation \
	statements prints functions \
	    probes; do
	base=$(emitted $kind 2) once=$(emitted $kind 60) twice=$(emitted $kind 118)
	[ "$base" -gt 0 ] && [ "$once" -gt "$base" ] || fail "$kind: no C: $base, $once" said
	# From 2 to 60 is as far as from 60 to 118.
	[ $((100 * (twice - once))) -lt $((120 * (once - base))) ] ||
		fail "$kind: $base bytes of C for 2, $once for 60, $twice for 118"
done

# Before their code was bounded, gcc took half a minute or more for each of these.
for kind in foreach while; do
	script $kind 200 >deep.kp
	(ulimit -t 12; "$PROBEC" -w -p4 --disable-cache -r "$TARGET" deep.kp >/dev/null 2>said) ||
		fail "200 nested $kind" said
done
