# SPDX-License-Identifier: GPL-2.0
#@ needs: target g++ nm
# Variables of C++ by their scopes: the address is that of the symbol, by each compiler that is
# installed; a name that several scopes have is refused without one.
unset PROBEC_DEBUGINFO
cat >scopes.cc <<'END'
namespace a { int both = 1, one = 2; namespace inner { int both = 3; } }
namespace b { int both = 4; struct s { static int member; }; int s::member = 5; }
int member = 6;
inline int shared = 7;
template <class T> struct box { static T held; };
template <class T> T box<T>::held;
__attribute__((noinline)) int work(int n)
{
	return n + a::both + a::one + a::inner::both + b::both + b::s::member + member + shared +
	       box<int>::held;
}
int main(int argc, char **) { return work(argc); }
END
emitted() { # NAME: C that reads it
	"$PROBEC" -p3 -r "$TARGET" -e \
		"probe process(\"$PWD/scopes\").function(\"work\") { println(@var(\"$1\")) }" 2>said
}
same() { # NAME [NAME]: that of @var, and the symbol's
	local distance work wanted
	distance=$(emitted "$1" | sed -n 's/.*PRT_REG(c, IP) + \(0x[0-9a-f]*\).*/\1/p' | head -n 1)
	work=0x$(nm -C scopes | awk '$3 == "work(int)" { print $1 }')
	wanted=0x$(nm -C scopes | awk -v name="${2:-$1}" '$3 == name { print $1 }')
	[ -n "$distance" ] && [ $((distance + work)) = $((wanted)) ] ||
		fail "$compiler: $1 is at $distance from $work, not at $wanted" said
}
for compiler in g++ clang++; do
	command -v $compiler >none || continue
	$compiler -std=c++17 -g -O1 -o scopes scopes.cc 2>log || fail "$compiler" log
	for name in a::both a::inner::both b::both b::s::member member ::member a::one shared; do
		same $name ${name#::}
	done
	same one a::one
	same 'box<int>::held'
	! emitted both >none || fail "$compiler: 'both' means one"
	grep -q "'both' is ambiguous: .*E_AMBIGUOUS" said || fail 'the message' said
	! emitted c::both >none || fail "$compiler: there is a c::both"
done
