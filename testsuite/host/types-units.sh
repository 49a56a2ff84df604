# SPDX-License-Identifier: GPL-2.0
# Types that have units of their own (-fdebug-types-section), and 64-bit DWARF (-gdwarf64): all that
# is known of a program is the same as without these options, and so is how its parameters are
# passed, and what @cast finds; by each compiler that is installed.
#@ needs: target g++
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
cat >types.cc <<'END'
#include <cstdio>
#include <utility>
#define KEEP __attribute__((noinline))
namespace ns {
enum class small : signed char { low = -3 };
enum wide : unsigned long { high = 1ul << 63 };
struct alignas(16) aligned { long x; };
struct owner { int n; owner(int n) : n(n) { } owner(const owner &o) : n(o.n) { } ~owner() { } };
struct bits { unsigned a : 3; int b : 13; };
struct base { int x; };
struct derived : base {
	struct part { char first; int second; } parts[2];
	int y;
	KEEP int sum(int more) { return x + y + half(more); }
	int half(int of) { return of / 2; }
};
}
KEEP int enums(ns::small a, ns::wide b, int q) { return printf("%d %lu %d\n", (int)a, b, q); }
KEEP int on_stack(int p, int, int, int, int, ns::aligned e, int q)
{
	return printf("%d %ld %d\n", p, e.x, q);
}
KEEP int by_address(int p, ns::owner o, int q) { return printf("%d %d %d\n", p, o.n, q); }
KEEP int by_value(int p, std::pair<int, int> o, int q)
{
	return printf("%d %d %d\n", p, o.second, q);
}
KEEP int fields(int p, const ns::bits &o, int q) { return printf("%d %d %d\n", p, o.b, q); }
int main(int argc, char **)
{
	ns::derived d;
	ns::bits b = { 5, -77 };

	d.x = argc;
	d.y = d.parts[1].second = 2;
	enums(ns::small::low, ns::high, 1);
	on_stack(2, 0, 0, 0, 0, { 3 }, 4);
	by_address(5, 6, 7);
	by_value(8, { 9, 10 }, 11);
	fields(12, b, 13);
	return printf("%d\n", d.sum(argc));
}
END

said_of() { # PROGRAM: all that is known of it
	local at="process(\"$1\")" point
	for point in 'function("*")' 'function("*").inline' 'statement("*@types.cc:*")'; do
		"$PROBEC" -r "$TARGET" -L "$at.$point"
	done
	# Before version 5, units of types do not say whether gcc describes "= default".
	[ "$version" = 4 ] || "$PROBEC" -w -r "$TARGET" --explain -e "
probe $at.function(\"by_address\") { println(\$p, \$o->n, \$q) }
probe $at.function(\"by_value\") { println(\$p, \$o->second, \$q) }"
	"$PROBEC" -w -r "$TARGET" --explain -e "
probe $at.function(\"enums\") { println(\$a, \$b, \$q) }
probe $at.function(\"on_stack\") { println(\$p, \$q) }
probe $at.function(\"fields\") { println(\$p, \$o->a, \$o->b, \$q) }
probe $at.function(\"sum\") { println(\$this\$\$, \$this->y, \$more) }"
	"$PROBEC" -w -r "$TARGET" -p3 -e "probe begin {
	println(@cast(0, \"ns::derived\", \"$1\")->y, @cast(0, \"ns::bits\", \"$1\")->b)
	println(@cast(0, \"ns::derived::part\", \"$1\")->second) }" |
		grep -v '/\* <input>'
	# A type of a namespace is not one outside of it.
	"$PROBEC" -w -r "$TARGET" -p2 -e "probe begin { println(@cast(0, \"bits\", \"$1\")->b) }"
}
compile() { # FOLDER COMMAND...
	mkdir -p "$1" && "${@:2}" -std=c++17 -w -g -o "$1/program" types.cc 2>log ||
		fail "${*:2}" log
}
tried=0
for compiler in g++ clang++ clang++-16; do
	command -v $compiler >/dev/null || continue
	for version in 4 5; do
		level=-O$((10 - 2 * version))
		compile plain $compiler $level -gdwarf-$version
		said_of "$PWD/plain/program" >wanted 2>&1
		grep -q 'by_value.*pair' wanted && grep -q "no type 'bits'" wanted &&
			! grep -q "no type 'ns::" wanted || fail "$compiler $level" wanted
		for option in -fdebug-types-section -gdwarf64 \
			'-gdwarf64 -fdebug-types-section'; do
			# shellcheck disable=SC2086
			compile other $compiler $level -gdwarf-$version $option
			said_of "$PWD/other/program" 2>&1 | sed 's|/other/|/plain/|g' >found
			[ $version = 5 ] ||
				sed -i '/by_address\|by_value/d; s/@types.cc:[0-9]*"/"/' \
					wanted found
			cmp -s wanted found || { diff wanted found >log
				fail "$compiler $level -gdwarf-$version $option" log; }
			tried=$((tried + 1))
		done
	done
done
echo "$tried programs"
