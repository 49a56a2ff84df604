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

func main() {
	n, _ := two(len(os.Args), "go")
	os.Exit(n)
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
grep -qF "'\$err' is not available: the compiler removed it" out ||
	fail 'the reason for a result' out
