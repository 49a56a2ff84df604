# SPDX-License-Identifier: GPL-2.0
# Each name that -l lists, typed back, lists the same function and no other, with the file and line
# and without: tags, operators, templates, parameters that are pointers. Other spellings of names.
#@ needs: target g++
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO
cat >typed.cc <<'E2'
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
#define KEEP __attribute__((noinline))
KEEP std::string text(int a) { return std::to_string(a); }
KEEP int take(std::string const &s) { return s.size(); }
KEEP int take(const char *s) { return *s; }
KEEP int take(char s) { return s; }
KEEP int take(char, int n) { return n; }
KEEP int texts(const std::vector<std::string> &v) { return v.size(); }
KEEP int words(std::vector<const char *> v, std::vector<std::vector<int>> *w)
{
	return v.size() + w->size();
}
KEEP int words(int n) { return n; }
KEEP int maps(std::map<std::string, std::vector<long>> const &m, std::unordered_map<int, bool> &u)
{
	return m.size() + u.size();
}
KEEP int owner(std::unique_ptr<std::wstring> p, std::string_view v) { return p->size() + v.size(); }
KEEP int lists(std::pair<std::string, int> p, std::vector<std::string *> &&v)
{
	return p.second + v.size();
}
KEEP int pointers(const char *const *p, unsigned long u, int (*f)(int)) { return p && u && f; }
KEEP int array(int (&a)[3]) { return a[0]; }
namespace ns {
template <class T> KEEP T twice(T a) { return a + a; }
struct Class {
	KEEP std::string name() const { return "x"; }
	KEEP int same() const { return 1; }
	KEEP int same() { return 2; }
	KEEP operator bool() const { return true; }
	KEEP int operator()(int a) { return a; }
	KEEP Class &operator<<(int) { return *this; }
	KEEP int operator[](int i) { return i; }
	KEEP int operator*(int a) { return a; }
	KEEP int operator->*(int a) { return a; }
	KEEP static void *operator new(size_t n) { return malloc(n); }
};
}
struct [[gnu::abi_tag("tag")]] Tagged {
	int x;
	KEEP Tagged(int a) : x(a) { }
};
namespace { KEEP int hidden(int a) { return a; } }
int main()
{
	ns::Class *c = new ns::Class;
	auto l = [](int a) KEEP { return a * 2; };
	int a[3] = {};
	Tagged t(3);
	std::vector<std::vector<int>> w(2);
	std::map<std::string, std::vector<long>> m;
	std::unordered_map<int, bool> u;
	int sum = texts({ "a", text(4) }) + words({ "a" }, &w) + words(3) + maps(m, u) +
		  lists({ "a", 1 }, {}) +
		  owner(std::make_unique<std::wstring>(L"a"), "b");
	sum += c->same() + const_cast<ns::Class const *>(c)->same();
	return sum + ns::twice(std::string("a")).size() + take(text(3)) + take("x") +
	       take('c') + take('c', 1) + pointers(0, 1, abs) +
	       array(a) + ns::twice(3) + (int)ns::twice(2.5) + c->name().size() + (bool)*c +
	       (*c)(3) + (*c << 3)[1] + *c * 3 + (*c->*3) + hidden(4) + l(4) + t.x;
}
E2
g++ -O1 -g -o typed typed.cc 2>log || fail 'the program' log
strip --strip-debug -o symbols typed
names() { # FILE NAME: without the process
	"$PROBEC" -r "$TARGET" -l "process(\"$PWD/$1\").function(\"$2\").call" 2>said |
		sed 's/^[^)]*)\.function("\(.*\)")\.call$/\1/'
}
for file in typed symbols; do
	names $file '*' >all
	[ "$(wc -l <all)" -ge 25 ] || fail "too few functions of $file" all
	while IFS= read -r name; do
		for typed in "$name" "${name%@*}"; do
			[ "$(names $file "$typed")" = "$name" ] || {
				names $file "$typed" >got
				fail "$typed of $file:" got said
			}
		done
	done <all
done
# Some of the library of C++, whose functions differ by qualifiers and by the class of strings.
library=$(ldconfig -p | sed -n 's|.*[[:space:]]libstdc++\.so\.6 (libc6,x86-64.*=> ||p')
library=$(readlink -f "${library%%$'\n'*}")
ln -s "$library" library
names library '*' | grep -v ' thunk to ' | awk 'NR % 150 == 1' >some
[ "$(wc -l <some)" -gt 10 ] || fail 'too few functions of the library' some
while IFS= read -r name; do
	[ "$(names library "$name")" = "$name" ] || {
		names library "$name" >got
		fail "$name of $library:" got said
	}
done <some
string='std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
while IFS='#' read -r typed wanted; do
	wanted=${wanted//STRING/$string}
	[[ $wanted != =* ]] || wanted=$(names typed "${wanted#=}" | sed 's/@.*//')
	[ "$(names typed "$typed" | sed 's/@.*//')" = "$wanted" ] || {
		names typed "$typed" >got
		fail "$typed:" got said
	}
done <<'END'
text#text[abi:cxx11](int)
text(int)#text[abi:cxx11](int)
Class::name#ns::Class::name[abi:cxx11]() const
Tagged::Tagged#Tagged[abi:tag]::Tagged(int)
take(std::string const&)#take(STRING const&)
take(const std::string &)#take(STRING const&)
take(const char*)#take(char const*)
take(char)#take(char)
take(char, int)#take(char, int)
twice<int>#ns::twice<int>(int)
twice<std::string>#ns::twice<STRING >(STRING)
texts(std::vector<std::string> const&)#=texts
texts(const std::vector<std::string>&)#=texts
owner(std::unique_ptr<std::wstring>, std::string_view)#=owner
maps(std::map<std::string,std::vector<long>>const&,std::unordered_map<int,bool>&)#=maps
lists(std::pair<std::string,int>,std::vector<std::string *>&&)#=lists
operator[]#ns::Class::operator[](int)
END
[ "$(names typed 'same' | wc -l)" = 2 ] || fail 'functions that differ by const' said
[ "$(names typed 'take(*)' | wc -l)" = 4 ] || fail 'a pattern of parameters' said
refused E_NO_MATCH 'a name that is almost one' \
	"$PROBEC" -p2 -r "$TARGET" -e "probe process(\"$PWD/typed\").function(\"tewt\") { exit() }"
grep -q "did you mean 'text'?" said || fail 'the nearest name' said
