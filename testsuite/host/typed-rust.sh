# SPDX-License-Identifier: GPL-2.0
# Names of Rust that -l lists, typed back, list the same functions, with the file and line and
# without, by each compiler that is here: braces, generic arguments, traits, raw pointers. Some of
# the program's functions and of the library's. Several functions may have one name, as closures and
# instances of generic functions do, and a file may be named without its directories. Instances of
# drop_in_place that are equal become one function with all of their names.
#@ slow
#@ seconds: 1500
#@ needs: target
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
names() { # NAME
	"$PROBEC" -r "$TARGET" -l "process(\"$PWD/typed\").function(\"$1\").call" 2>said |
		sed 's/^[^)]*)\.function("\(.*\)")\.call$/\1/'
}
only() { # NAME: whether functions are found, and all of them have that name
	local one found=0
	while IFS= read -r one; do
		found=1
		[ "${one%@*}" = "${1%@*}" ] || return 1
		[ "$1" = "${1%@*}" ] || [ -z "${one##*"${1##*@}"}" ] || return 1
	done < <(names "$1")
	[ $found = 1 ]
}
built=0
for compiler in rustc /usr/bin/rustc; do
	command -v $compiler >/dev/null || continue
	for form in -O '-O -Csymbol-mangling-version=v0' '-Copt-level=0'; do
		# shellcheck disable=SC2086
		$compiler -g --edition 2021 $form -o typed "$TOP/testsuite/programs/typed.rs" \
			2>log || fail "$compiler $form" log
		built=$((built + 1))
		names main >some
		grep -q '^typed::main@' some && [ "$(wc -l <some)" = 1 ] ||
			fail "$compiler $form: not one main" some
		names '*' >all
		{ grep '@.*typed\.rs' all; grep -v '@.*typed\.rs\|^main$\|drop_in_place' all |
			awk 'NR % 40 == 1'; } | awk 'NR % 2' >some
		[ "$(wc -l <some)" -gt 8 ] || fail 'too few functions' some
		while IFS= read -r name; do
			only "$name" && only "${name%@*}" || {
				names "${name%@*}" >got
				fail "$compiler $form: $name:" got said
			}
		done <some
		# Without debug information, symbols tell the program's own main from that for the C
		# library.
		strip -g typed
		names main >some
		[ "$(cat some)" = typed::main ] || fail "$compiler $form: not one main" some
	done
done
[ $built -gt 0 ] || { echo 'rustc is not installed'; exit 77; }
