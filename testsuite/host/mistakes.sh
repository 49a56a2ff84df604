# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# One mistake, one error: typical mistakes in otherwise correct scripts, each with its id.
# shellcheck shell=bash disable=SC2154,SC2016

# one ID WORDS TEXT: there is exactly one error, with that id, at a line that contains WORDS.
one() {
	local said status
	printf '%b' "$3" >slip.kp
	said=$("$PROBEC" -p2 -g -r "$TARGET" --color=never slip.kp 2>&1 >/dev/null)
	status=$?
	[ $status = 1 ] || fail "status $status: $3" <(echo "$said")
	[ "$(grep -c ' error: ' <<<"$said")" = 1 ] || fail "not one error: $3" <(echo "$said")
	grep -q " error: .*\[$1\]$" <<<"$said" || fail "not $1: $3" <(echo "$said")
	grep -qF -- "$2" <<<"$said" || fail "does not say '$2': $3" <(echo "$said")
}
rest='probe end { println(2) }\n'

# Brackets.
one E_SYNTAX "this '{' is not closed" "probe begin {\n println(1)\n$rest"
one E_SYNTAX "this '{' is not closed" "probe begin {\n if (1) { println(1)\n}\n$rest"
one E_SYNTAX "this '{' is not closed" 'probe begin {\n println(1)\n'
one E_SYNTAX "before '}'" "probe begin { println(1) } }\n$rest"
one E_SYNTAX "before 'println'" "probe begin\n println(1)\n}\n$rest"
one E_SYNTAX "before 'x'" "probe begin {\n println(1\n x = 2\n println(x)\n}\n$rest"
one E_SYNTAX "before ')'" "probe begin {\n println(1))\n println(2)\n}\n$rest"
one E_SYNTAX "before 'x'" "probe begin { x = 1 if x > 1 { println(1) } println(x) }\n$rest"
one E_SYNTAX "before '{'" "probe begin { while (1 { println(1) } println(2) }\n$rest"
one E_SYNTAX "before ']'" "probe begin { println(1) ] println(2) }\n$rest"
one E_SYNTAX "before ')'" "global a probe begin { a[1) = 1 println(a[1]) }\n$rest"
one E_SYNTAX "expected '.', ',', '=' or '{'" "probe begin\n$rest"

# Names of modules.
one E_NO_MATCH 'a pattern matches only loaded modules, ' \
	"probe module(\"*\").function(\"no_such_*\") { println(1) }\n$rest"

# Misspelt names.
one E_SYNTAX "did you mean 'probe'?" "probee begin { println(1) }\n$rest"
one E_SYNTAX "did you mean 'probe'?" "prob begin { x = 3; if (x) { println(x) } }\n$rest"
one E_SYNTAX "did you mean 'function'?" "fuction f(x) {\n return x\n}\n$rest"
one E_SYNTAX "did you mean 'global'?" "gloabl a\n$rest"
one E_UNKNOWN_FUNCTION "did you mean 'foreach'?" \
	"global a probe begin { a[1] = 1 forech (k in a) println(k) println(2) }\n"
! "$PROBEC" -p2 -e 'probe begin { foo(1); iff(1) }' 2>&1 | grep "mean '\(for\|if\)'" ||
	fail 'a keyword is offered for a call'
one E_UNKNOWN_FUNCTION "did you mean 'while'?" \
	'probe begin { x = 1 wihle (x < 3) { x++ } println(x) }\n'
one E_UNKNOWN_FUNCTION "did you mean 'printf'?" 'probe begin { prinft("%d", 1) }\n'
one E_UNKNOWN_VARIABLE "did you mean 'return'?" \
	"function f() { retrun 3 }\nprobe begin { println(f()) }\n"
one E_UNKNOWN_VARIABLE "did you mean 'break'?" "probe begin { while (1) brak\n println(2) }\n"
one E_UNKNOWN_VARIABLE "did you mean 'next'?" "probe begin { if (1) nxet; println(2) }\n"
one E_SYNTAX "expected 'limit'" \
	"global a probe begin { a[1] = 1 foreach (k in a- limt 5) println(k) }\n$rest"
one E_SYNTAX "before 'of'" "global a probe begin { a[1] = 1 foreach (k of a) println(k) }\n$rest"
one E_SYNTAX "before 'a'" "global a probe begin { a[1] = 1 foreach (k a) println(k) }\n$rest"
one E_SYNTAX "before ','" \
	"global a probe begin { a[1,2] = 1 foreach (k, l in a) println(k) }\n$rest"
one E_UNKNOWN_FUNCTION "did you mean 'strlen'?" \
	'probe begin { n = strlenn("x") println(n) m = n + 1 println(m) }\n'
one E_UNKNOWN_FUNCTION "there is no function 'nothing'" \
	'probe begin { n = nothing("x") println(n) s = "x" . n println(s) }\n'
one E_PREPROC "did you mean '@count'?" 'global s probe begin { s <<< 1 println(@cuont(s)) }\n'
one E_PROBE_POINT "did you mean 'function'?" \
	'probe kernel.functoin("vfs_read") { println($file) }\n'
one E_NO_MATCH "did you mean 'vfs_read'?" \
	'probe kernel.function("vfs_raed") { println($file->f_flags) }\n'
one E_UNKNOWN_CONTEXT_VARIABLE "did you mean '\$file'?" \
	'probe kernel.function("vfs_read") { println($fiel->f_flags) }\n'
one E_NO_MEMBER "did you mean 'f_flags'?" \
	'probe kernel.function("vfs_read") { println($file->f_flag) }\n'
one E_UNKNOWN_VARIABLE "did you mean '\$file'?" \
	'probe kernel.function("vfs_read") { println(file->f_flags) }\n'

# Syntax of other languages.
one E_NOT_LVALUE "'==' compares" 'probe begin { if (pid() = 2) println(3) }\n'
one E_UNKNOWN_VARIABLE 'need no declaration' 'probe begin { int x = 3; println(x) }\n'
one E_SYNTAX "before 'long'" "probe begin { long x; x = 3; println(x) }\n$rest"
one E_SYNTAX 'it is outside of probes' "probe begin { global x = 3; println(x) }\n$rest"
one E_SYNTAX 'it is outside of probes' \
	"probe begin { function f() { return 1 } println(f()) }\n$rest"
one E_SYNTAX "write 'else if'" \
	"probe begin { x = 3 if (x) println(x) elif (x > 2) println(2) else println(3) }\n$rest"
one E_UNKNOWN_FUNCTION "write 'else if'" \
	'probe begin { x = 3 if (x) println(x) elsif (x > 2) println(2) }\n'
one E_SYNTAX 'there is no switch' \
	"probe begin { x = 3 switch (x) { case 3: println(1); break; default: println(2) } println(x) }\n$rest"
one E_UNKNOWN_VARIABLE "there is no 'do'" 'probe begin { x = 3 do { x-- } while (x) println(x) }\n'
one E_SYNTAX "expected '('" "probe begin { x = 3 println x\n}\n$rest"
one E_LEX 'double quotes' "probe begin { println('abc') }\n$rest"
one E_TYPE_MISMATCH "a member is reached by '->'" \
	'probe kernel.function("vfs_read") { println($file.f_flags) }\n'
one E_SYNTAX 'names are written in quotes' "probe kernel.function(vfs_read) { println(1) }\n$rest"
one E_TYPE_MISMATCH "'.' concatenates strings" 'probe begin { println("a" + "b") }\n'

# Missing and superfluous parts.
one E_SYNTAX "before '1'" "probe begin { printf(\"%d\" 1) println(3) }\n$rest"
one E_SYNTAX "before '2'" "probe begin { printf(\"%d %d\", 1 2) println(3) }\n$rest"
one E_SYNTAX "before 'end'" "probe begin end { println(3) }\n$rest"
one E_SYNTAX "an expression before ';'" "probe begin { x = 3 + ; println(x) }\n$rest"
one E_SYNTAX "an expression before '*'" "probe begin { x = * 3; println(x) }\n$rest"
one E_SYNTAX "before 'else'" "probe begin { println(3) else println(2) }\n$rest"
one E_SYNTAX "before 'catch'" "probe begin { println(3) catch { println(2) } }\n$rest"
one E_SYNTAX "expected 'catch'" "probe begin { try { println(2) } println(3) }\n$rest"
one E_SYNTAX "expected a number or a string" "global a = b\nprobe begin { a = 1 println(a) }\n"
one E_LEX 'the string is not closed' "probe begin { println(\"abc)\n println(2)\n}\n$rest"
one E_LEX 'the string is not closed' "probe kernel.function(\"vfs_read) { println(1) }\n$rest"
one E_LEX 'the comment is never closed' "probe begin { println(3) /* println(2) }\n$rest"
one E_LEX 'embedded C' "function f() %{ STAP_RETURN(1);\n$rest"
one E_LEX 'no meaning' "probe begin { println(3) \` println(2) }\n$rest"
one E_FORMAT '%d' 'probe begin { printf("%d %d\\n", 1) }\n'
one E_UNKNOWN_FUNCTION "'f' with 1 parameter" \
	'function f(a) { return a } probe begin { println(f(1, 2)) }\n'
one E_NOT_ARRAY "needs an index" 'global x probe begin { x[1] = 3; x = 4; println(x) x++ }\n'
one E_ARITY "with 1 here" 'global x probe begin { x[1] = 3; x[1,2] = 4; println(x[1,2]) }\n'
one E_LIMIT 'at most 9 are allowed' \
	'global a probe begin { a[1,2,3,4,5,6,7,8,9,10] = 1; println(a[1,2,3,4,5,6,7,8,9,10]) }\n'
