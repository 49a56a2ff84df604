# SPDX-License-Identifier: GPL-2.0
# Printers: which of them is chosen for a type, those of a user's directory and of the script, and
# what is said about one that does not fit. What messages propose is accepted.
#@ needs: target g++
# shellcheck shell=bash disable=SC2154,SC2016
unset PROBEC_DEBUGINFO
cat >shown.cc <<'E2'
#include <string>
#include <string_view>
#include <vector>
namespace net {
struct packet { const char *bytes; unsigned length; };
struct queue { packet *first; int used, size; };
struct other { long a, b; };
}
extern "C" __attribute__((noinline)) long
shown(std::string &s, std::string_view view, std::vector<int> *v, net::queue *q, net::other o)
{
	__asm__ volatile("" ::: "memory");
	return s.size() + view.size() + v->size() + q->used + o.a + o.b;
}
int main()
{
	std::string s;
	std::vector<int> v;
	net::queue q{};
	return shown(s, s, &v, &q, {1, 2});
}
E2
mkdir own
cat >own/net.kp <<'E2'
# A queue of packets.
printer cxx("net::packet") = text($this->bytes, $this->length)
printer cxx("net::queue") = elements($this->first, $this->used)
E2
# items EXPRESSION [OPTION...]: the kinds of the items that show it.
items() {
	"$PROBEC" -w "${@:2}" -p3 -r "$TARGET" -e \
		"probe process(\"$PWD/shown\").function(\"shown\") { println($1) exit() }" \
		>emitted 2>said || fail "$1" said
	awk '/prt_show items/ { on = 1; next } /prt_show\(c/ { exit } on && !/words/' emitted |
		sed -E 's/.*PRT_SHOW_([A-Z_]+), [0-9]+, [0-9]+, [0-9]+ \}.*/\1/' |
		xargs
}
# shows GOT WANTED
shows() { [ "$1" = "$2" ] || fail "'$1', not '$2'" emitted; }
for options in '-O0 -D_GLIBCXX_USE_CXX11_ABI=1' '-O2 -D_GLIBCXX_USE_CXX11_ABI=1'; do
	# shellcheck disable=SC2086
	g++ -std=c++17 -g $options -o shown shown.cc 2>log || fail "$options" log
	shows "$(items '$s$')" 'OBJECT READ OBJECT READ COUNTED TEXT'
	shows "$(items 'str($s)')" 'OBJECT READ OBJECT READ COUNTED_PLAIN'
	shows "$(items '$view$')" 'OBJECT READ OBJECT READ COUNTED TEXT'
	grep -q 'PRT_SHOW_IN_HAND' emitted || fail "$options: a value in registers" emitted
	shows "$(items '$v$')" \
		'OBJECT READ OBJECT READ OBJECT READ OPERATOR NUMBER OPERATOR ELEMENTS SIGNED TEXT'
	shows "$(items '$q$$' -I own)" \
		'OBJECT READ OBJECT READ_SIGNED ELEMENTS OBJECT READ OBJECT READ COUNTED TEXT'
	shows "$(items '$q$')" 'POINTER SIGNED SIGNED TEXT'
	shows "$(items '$o$')" 'SIGNED SIGNED TEXT'
done

# said_of TEXT EXPRESSION [SCRIPT]: the message, with what it proposes.
said_of() {
	"$PROBEC" -p2 --check -r "$TARGET" -e "${3:-}
probe process(\"$PWD/shown\").function(\"shown\") { println($2) }" >out 2>said
	grep -qF "$1" said || fail "$2: not '$1'" said
}
said_of 'println($q$) shows all members' '$q->nothing'
said_of 'println($o$) shows all members' '$o->nothing'
said_of 'its members are _M_len, _M_str' '$view->nothing'
said_of 'println($view$) shows it' '$view'
said_of "which is not text" 'str($q)'
said_of 'this printer does not fit' '$o$' 'printer cxx("net::other") = text($this->none, $this->a)'
said_of "a printer can't compute this" '1' 'printer c("x") = text(pid(), 1)'
said_of "a printer has no 'list'" '1' 'printer c("x") = list($this->a, 1)'
said_of 'the languages are c, cxx' '1' 'printer java("x") = value($this->a)'
# A printer is printed as it was written, and "printer" is a name elsewhere.
printf '%s\n' 'printer rust("&str"), go("string") = text($this->a, $this->b + 1)' \
	'probe begin { printer = 5; println(printer) }' >both.kp
"$PROBEC" -p1 both.kp >once 2>said || fail 'both' said
"$PROBEC" -p1 once >twice 2>said || fail 'again' said
cmp once twice
grep -qF 'printer rust("&str"), go("string") = text($this->a, $this->b + 1)' once || fail 'p1' once
