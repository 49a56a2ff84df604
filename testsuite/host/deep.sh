# SPDX-License-Identifier: GPL-2.0
# Scripts that are deep or long, or are no text: each ends soon, with success or with an error that
# has an id, within 1 GiB of memory.
# shellcheck shell=bash disable=SC2154
ulimit -v 1048576

# many N TEXT: prints TEXT N times in one line.
many() { head -c "$1" /dev/zero | sed "s/\x00/${2//\//\\/}/g"; }

# bounded WHAT EXPECTED < SCRIPT: the script is rejected with that id, or EXPECTED is "fine".
bounded() {
	local status
	timeout 60 "$PROBEC" -p3 --color=never - one two >/dev/null 2>said
	status=$?
	[ "$(wc -c <said)" -lt 1000000 ] || fail "$1: too much is said"
	if [ "$2" = fine ]; then
		[ "$status" = 0 ] || fail "$1: status $status" said
	else
		[ "$status" = 1 ] || fail "$1: status $status" said
		grep -q "error: .*\[$2\]" said || fail "$1: no [$2]" said
	fi
}
in_probe() { printf 'probe begin { '; "$@"; printf '\n}\n'; }
value() { printf 'x = '; "$@"; printf ' println(x)'; }

deep=100000
parentheses() { many $deep '('; printf 1; many $deep ')'; }
in_probe value parentheses | bounded parentheses E_LIMIT
sum() { many $deep '1+'; printf 1; }
in_probe value sum | bounded 'a sum' E_LIMIT
nots() { many $deep '!'; printf 1; }
in_probe value nots | bounded 'unary operators' E_LIMIT
choices() { many $deep '1 ? 2 : '; printf 3; }
in_probe value choices | bounded '?:' E_LIMIT
assignments() { many $deep 'x = '; printf 1; }
in_probe assignments | bounded assignments E_LIMIT
calls() { many $deep 'strlen('; printf '"a"'; many $deep ')'; }
in_probe value calls | bounded calls E_LIMIT
ifs() { many $deep 'if (1) '; printf 'next'; }
in_probe ifs | bounded if E_LIMIT
elses() { many $deep 'if (1) next; else '; printf 'next'; }
in_probe elses | bounded 'else if' E_LIMIT
blocks() { many $deep '{'; many $deep '}'; }
in_probe blocks | bounded blocks E_LIMIT
loops() { many $deep 'while (1) '; printf 'next'; }
in_probe loops | bounded loops E_LIMIT
braces() { printf 'probe '; many $deep '{'; printf begin; many $deep '}'; printf ' { next }'; }
braces | bounded 'braces of probe points' E_LIMIT
conditionals() { many $deep '%( 1 == 1 %? '; printf 1; many $deep ' %)'; }
in_probe value conditionals | bounded conditionals fine

# Scripts of the greatest permitted depth pass all passes.
nots_allowed() { many 900 '!'; printf 1; }
in_probe value nots_allowed | bounded '900 operators' fine
sum_allowed() { printf 1; many 900 ' + strlen("a")'; }
in_probe value sum_allowed | bounded '900 terms' fine
ifs_allowed() { many 900 'if (pid() != 2) '; printf 'next'; }
in_probe ifs_allowed | sed 's/begin/timer.profile/' | bounded '900 if' fine
elses_allowed() { many 900 'if (pid() == 1) next; else '; printf 'next'; }
in_probe elses_allowed | sed 's/begin/timer.profile/' | bounded '900 else if' fine
# Each level is looked at once, not twice as often as the level above it.
formats() { many 60 'sprintf("%%s", '; printf '"a"'; many 60 ')'; }
in_probe value formats | bounded 'formats in formats' fine
keys_changed() { many 60 'a['; printf 1; many 60 '] += 1'; printf ' println(a[2])'; }
in_probe keys_changed | bounded 'keys that are assigned' fine
both() { many 900 '{'; nots_allowed; many 900 '}'; }
in_probe both | bounded 'blocks and operators' fine

# Long scripts.
long_string() { printf '"'; many 5000000 a; printf '"'; }
in_probe value long_string | bounded 'a long string' fine
stars() { printf '/'; many 5000000 '*'; }
in_probe stars | bounded 'a comment of stars' E_LEX
long_number() { many 5000000 9; }
in_probe value long_number | bounded 'a long number' E_LEX
glued() { many 200000 '"a" '; }
in_probe value glued | bounded 'strings side by side' fine
prints() { many 100000 'println(1) '; }
in_probe prints | bounded 'many prints' E_LIMIT
globals() { printf 'global g'; seq -f ', g%.0f' 100000 |
	tr -d '\n'; printf '\nprobe begin { println(g) }'; }
globals | bounded 'many globals' E_LIMIT
functions() { seq -f 'function f%.0f() { return 1 }' 20000; printf \
	'probe begin { println(f1()) }'; }
functions | bounded 'many functions' E_LIMIT
parameters() { printf 'function f(p'; seq -f ', p%.0f' 20000 |
	tr -d '\n'; printf ') { } probe begin { f() }'; }
parameters | bounded 'many parameters' E_LIMIT
arguments() { printf 'f(1'; many 100000 ',1'; printf ')'; }
in_probe arguments | bounded 'many arguments' E_UNKNOWN_FUNCTION
keys() { printf 'x[1'; many 100000 ',1'; printf '] = 1'; }
in_probe keys | bounded 'many keys' E_LIMIT
points() { printf 'probe begin'; many 100000 ',begin'; printf ' { println(1) }'; }
points | bounded 'many probe points' E_LIMIT
wrong() { many 100000 'probe begin { x = } '; }
wrong | bounded 'many errors' E_SYNTAX
unknown() { seq -f 'y%.0f = x%.0f' 30000; }
in_probe unknown | bounded 'many unknown names' E_UNKNOWN_VARIABLE

# Macros that multiply, and definitions that form a circle.
doubling() { seq -f '@define m%.0f %%( @m%.0f @m%.0f %%)' 1 40 |
	awk '{ sub(/m[0-9]+ %\(/, "m" NR + 1 " %("); print }'; echo \
	'@define m1 %( 1 %) probe begin { println(@m40) }'; }
doubling | bounded 'macros that double' E_LIMIT
nested() \
	{ printf '@define a(x) %%( @x %%) probe begin { println('; many $deep '@a('; printf 1; many $deep ')'; printf ') }'; }
nested | bounded 'nested macros' E_LIMIT
echo '@define a %( @b %) @define b %( @a %) probe begin { println(@a) }' |
	bounded 'macros in a circle' E_PREPROC
echo 'probe a = b {} probe b = a {} probe a { next }' | bounded 'aliases in a circle' E_PROBE_POINT
aliases() { for i in $(seq 25); do echo "probe a$i = a$((i - 1)), a$((i - 1)) { x$i = 1 }"; done; \
	echo 'probe a0 = begin {} probe a25 { println(1) }'; }
aliases | bounded 'aliases that double' E_LIMIT
chain() { echo 'probe a0 = begin { }'; for i in $(seq "$1"); do echo \
	"probe a$i = a$((i - 1)) { }"; done; echo "probe a$1 { println(1) }"; }
chain 1000 | bounded 'aliases of aliases' E_LIMIT
mkdir set
echo 'function one() { return two() } probe ring = ring2 {}' >set/one.kp
echo 'function two() { return one() } probe ring2 = ring {}' >set/two.kp
circle() { "$PROBEC" -p3 -I set -e "probe $1 { println(one()) }" >/dev/null 2>said; }
circle begin || fail 'tapsets in a circle' said
! circle ring || fail 'aliases of tapsets in a circle: accepted'
grep -q 'E_PROBE_POINT' said || fail 'aliases of tapsets in a circle' said

# Files that are not text.
head -c 3000000 /dev/zero | bounded zeros E_LEX
seq 300000 | gzip | bounded 'packed text' E_SYNTAX
printf 'probe begin { println("\x00\xff\xfe") }' | bounded 'bytes in a string' fine
printf '' | bounded 'no text' E_NO_MATCH
