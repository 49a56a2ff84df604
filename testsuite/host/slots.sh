# SPDX-License-Identifier: GPL-2.0
# Objects whose address the caller leaves on the stack, on each line of the function: optimised code
# of LLVM describes that slot as the object; and a number that is no longer anywhere, which it
# describes like its address before DWARF 4. Every value is right or refused; at the entry of a
# function in C++, where the calling convention is known, all are right. The probes run in user
# space.
# shellcheck shell=bash disable=SC2154
#@ needs: target g++
. "$TOP/testsuite/traced.sh"
unset PROBEC_DEBUGINFO
traced_build

# say LABEL VALUE...: prints the statement that shows each of them, "?" if it is refused.
say() {
	printf 'printf("%s")\n' "$1"
	for value in "${@:2}"; do
		printf 'if (@defined(%s)) printf(" %%d", %s)\nelse printf(" ?")\n' "$value" "$value"
	done
	printf 'println("")\n'
}
# right PROGRAM SOURCE NAME ENTRY VALUE...: the values at the entry match ENTRY, and those there and
# on at least three lines are 77 78 80 81 1 or "?".
right() {
	local program=$PWD/$1 number
	{
		printf 'probe process("%s").function("%s").call {\n%s}\n' "$program" "$3" \
			"$(say entry "${@:5}")"
		grep -n '[sS]ink = \|set(\|called' "$2" | cut -d : -f 1 | while read -r number; do
			printf 'probe process("%s").statement("%s@%s:%s")? {\n%s}\n' "$program" \
				"$3" "${2##*/}" "$number" "$(say line "${@:5}")"
		done
	} >"$1.kp"
	traced "$1.kp" told seen "$program"
	grep -qx "entry $4" seen || fail "$1: at the entry" seen
	[ "$(grep -c '^line' seen)" -ge 3 ] || fail "$1: too few lines" seen
	grep -qvE '^(line|entry)( (77|[?]))( (78|[?]))( (80|[?]))( (81|[?]))( (1|[?]))?$' seen &&
		fail "$1: a wrong value" seen
	return 0
}

for cxx in g++ clang++-14 clang++-16; do
	command -v $cxx >/dev/null || continue
	for options in -O0 -O1 '-O2 -gdwarf-4' '-O2 -gdwarf-3'; do
		name=cc.$cxx$(echo "$options" | tr -d ' ')
		# shellcheck disable=SC2086
		$cxx -w -g $options -o "$name" "$TOP/testsuite/programs/slots.cc" 2>log ||
			fail "$name" log
		right "$name" "$TOP/testsuite/programs/slots.cc" many '77 78 80 81 1' \
			'$s->v' '$s->w' '$t->v' '$t->w' '$a'
	done
done
for rustc in /usr/bin/rustc "$HOME/.cargo/bin/rustc"; do
	command -v "$rustc" >/dev/null || continue
	for level in 0 1 2; do
		name=rs.$level
		"$rustc" --edition 2018 --crate-name slots -g -Copt-level=$level -o "$name" \
			"$TOP/testsuite/programs/slots.rs" >log 2>&1 || fail "$rustc $level" log
		right "$name" "$TOP/testsuite/programs/slots.rs" slots::many '.*' '$s[0]' '$s[1]' \
			'$t->v' '$t->w'
	done
done
