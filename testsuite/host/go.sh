# SPDX-License-Identifier: GPL-2.0
# Values of functions in Go: parameters at the entry, and what is said of results and of what is not
# known at the return.
#@ needs: target go
#@ slow
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
cat >values.go <<'GO'
package main

import "os"

//go:noinline
func two(count int, name string) (n int, err error) {
	n = count + len(name)
	return n, nil
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j, k int, s string) int {
	return a + b + c + d + e + f + g + h + i + j + k + len(s)
}

//go:noinline
func later(count int) (n int) {
	defer func() { n += count }()
	return count
}

type pair struct{ a, b int }

// It is inlined, and called through an interface as well.
func (p *pair) sum(n int) int { return p.a*n + p.b }

type adder interface{ sum(n int) int }

func main() {
	p := &pair{len(os.Args), 7}
	var through adder = p
	if len(os.Args) > 9 {
		through = nil
	}
	os.Args[0] = string(rune(p.sum(3) + through.sum(4)))
	n, _ := two(len(os.Args), "go")
	os.Exit(later(n) + many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, "last"))
}
GO
GOCACHE="$PWD/cache" go build -o values values.go 2>log || fail 'the program' log
at="process(\"$PWD/values\").function(\"main.two\")"
compile() { "$PROBEC" -p2 -r "$TARGET" -e "$1" >out 2>&1; }

compile "probe $at.call { println(\$count, user_string_n(\$name->str, \$name->len)) }" ||
	fail 'parameters at the entry' out
refused() { # EXPRESSION REASON NEXT-STEP
	compile "probe $at.return { println($1) }" && fail "$1 is accepted" out
	grep -qF "'$1' is not available: $2" out || fail "the reason for $1" out
	grep -qF "= $3" out || fail "the next step for $1" out
}
refused "\$return" "debug information of Go does not say where the results of 'main.two' are" \
	'returnval()'
refused "\$count" \
	'at the return, entry values are kept only of arguments that C passes in registers' \
	'@entry(register("rax"))'
compile "probe $at.return { println(returnval(), register(\"rbx\"), @entry(register(\"rax\"))) }" ||
	fail 'the next steps' out
compile "probe $at.return { println(\$err) }" && fail 'a result that is nowhere is accepted' out
grep -qF "'\$err' is not available: it is a result, which the function sets later" out ||
	fail 'the reason for a result' out
compile "probe $at.call { println(\$n) }" && fail 'a result is accepted at the entry' out
grep -qF "'\$n' is not available: it is a result, which the function sets later" out ||
	fail 'the reason for a result at the entry' out

# The tenth and later integers are on the stack. Of the string there, only the length is used, and
# debug information gives its place as that of the string.
many="process(\"$PWD/values\").function(\"main.many\")"
compile "probe $many { println(\$a, \$i, \$j, \$k) }" || fail 'arguments on the stack' out
if compile "probe $many { println(\$s->len) }"; then
	fail 'a part of a string is taken for the string' out
fi
grep -qF 'does not say whether it describes the whole value' out || fail 'the reason for a part' out

# Functions are listed with the line of "func", which is that of the first instruction.
line=$(grep -n '^func two' values.go | cut -d : -f 1)
"$PROBEC" -r "$TARGET" -l "$at" >out 2>&1
grep -q "main.two@.*/values.go:$line\")" out || fail 'the line of a function' out
"$PROBEC" -r "$TARGET" -l "process(\"$PWD/values\").function(\"*\")" >out 2>&1
! grep ':0")' out || fail 'functions with the line 0' out
sum=$(grep -n '^func (p \*pair) sum' values.go | cut -d : -f 1)
grep -q "main.(\*pair).sum@.*/values.go:$sum\")\$" out ||
	fail 'the line of a function that is inlined elsewhere' out

# Without optimisation, results and variables are in the frame, where Go describes them by blocks.
GOCACHE="$PWD/cache" go build -gcflags='-N -l' -o values values.go 2>log || fail 'the program' log
compile "probe $at.call { println(\$n) }" && fail 'a result is accepted at the entry' out
grep -qF "'\$n' is not available: it is a result, which the function sets later" out ||
	fail 'the reason for a result at the entry, without optimisation' out
"$PROBEC" -r "$TARGET" -l "process(\"$PWD/values\").statement(\"main.two@values.go+1\")" >out 2>&1
grep -q "main.two@.*/values.go:$((line + 1))\")" out || fail 'a line of a function' out
compile "probe process(\"$PWD/values\").statement(\"main.two@*:$((line + 2))\") { println(\$n) }" ||
	fail 'a result within the function' out
compile "probe $many { println(\$k, \$s->len) }" || fail 'a string on the stack' out
compile "probe $at.call { println(\$count, @var(\"runtime.ncpu\")) }" || fail 'a variable' out

# A function within another one is none of its clones, and has its own name.
for name in main.later main.later.func1; do
	"$PROBEC" -r "$TARGET" -l "process(\"$PWD/values\").function(\"$name\")" >out 2>said ||
		fail "$name" said
	[ "$(wc -l <out)" = 1 ] || fail "$name is one function" out
	grep -qF "function(\"$name@" out || fail "$name" out
done
