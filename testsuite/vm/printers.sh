# SPDX-License-Identifier: GPL-2.0
#@ slow
# Strings, vectors and slices of programs as text, at entries and returns: each program prints the
# same itself. C++ by g++ with both of libstdc++'s strings, and what else is here, in one boot.
# shellcheck shell=bash disable=SC2154,SC2016
#@ needs: g++
. "$TOP/testsuite/told.sh"
unset PROBEC_DEBUGINFO
cat >text.cc <<'E2'
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>
struct person { int age; std::string name; std::vector<int> marks; };
extern "C" __attribute__((noinline)) size_t
texts(const std::string &ref, std::string *p, std::string_view view, std::string copy)
{
	printf("%s|%s|%.*s|%s\n", ref.c_str(), p->c_str(), (int)view.size(), view.data(),
	       copy.c_str());
	return view.size() + copy.size();
}
static void list(const std::vector<int> &v)
{
	printf("[");
	for (size_t i = 0; i < v.size() && i < 5; i++)
		printf("%s%d", i ? ", " : "", v[i]);
	printf("%s]", v.size() > 5 ? ", ..." : "");
}
extern "C" __attribute__((noinline)) size_t
vectors(const std::vector<int> &v, std::vector<std::string> &w, person *who)
{
	list(v);
	printf("|[");
	for (size_t i = 0; i < w.size(); i++)
		printf("%s\"%s\"", i ? ", " : "", w[i].c_str());
	printf("]|{.age=%d, .name=\"%s\", .marks=", who->age, who->name.c_str());
	list(who->marks);
	printf("}\n");
	return v.size() + w.size() + who->marks.size();
}
extern "C" __attribute__((noinline)) std::string made(int n) { return std::string(n, 'm'); }
/* In two registers. */
extern "C" __attribute__((noinline)) std::string_view cut(std::string_view view)
{
	return view.substr(1);
}
int main()
{
	std::string empty, small = "small", large(40, 'L');
	std::vector<int> none, few{1, -2}, many{1, 2, 3, 4, 5, 6};
	std::vector<std::string> both{small, large};
	person who{7, large, many};

	texts(small, &large, "in the view", large);
	texts(empty, &small, std::string_view(large).substr(2, 3), empty);
	vectors(many, both, &who);
	who = {-1, small, none};
	both.clear();
	vectors(few, both, &who);
	for (int i = 3; i < 60; i += 50)
		printf("%s\n", made(i).c_str());
	std::string_view part = cut(large);
	printf("%zu %.*s\n", part.size(), (int)part.size(), part.data());
}
E2
cat >text.rs <<'E2'
use std::ffi::OsString;
use std::path::{Path, PathBuf};
struct Person { age: i32, name: String, marks: Vec<i32> }
#[no_mangle] #[inline(never)]
pub fn texts(owned: &String, slice: &str, other: String) -> usize {
    println!("{}|{}|{}", owned, slice, other);
    slice.len() + other.len()
}
fn list(v: &[i32]) -> String {
    let all: Vec<String> = v.iter().take(5).map(|x| x.to_string()).collect();
    format!("[{}{}]", all.join(", "), if v.len() > 5 { ", ..." } else { "" })
}
#[no_mangle] #[inline(never)]
fn vectors(v: &Vec<i32>, s: &[i32], w: Vec<String>, who: &Person) -> usize {
    println!("{}|{}|{:?}|{{.age={}, .name={:?}, .marks={}}}", list(v), list(s), w, who.age,
             who.name, list(&who.marks));
    v.len() + s.len() + w.len()
}
#[no_mangle] #[inline(never)]
fn boxed(text: &Box<str>, list: &Box<[i32]>, os: &OsString, path: &PathBuf, part: &Path) -> usize {
    println!("{:?}|{:?}|{:?}|{:?}|{:?}", text, list, os, path, part);
    text.len() + list.len() + os.len() + path.as_os_str().len() + part.as_os_str().len()
}
// In two registers.
#[no_mangle] #[inline(never)]
fn cut(s: &str) -> &str { &s[1..] }
#[no_mangle] #[inline(never)]
fn pair(a: u64, b: u64) -> (u64, u64) { (b, a) }
fn main() {
    let large = "L".repeat(40);
    let many = vec![1, 2, 3, 4, 5, 6];
    texts(&large, "slice", String::from("other"));
    texts(&String::new(), &large[3..7], large.clone());
    let mut who = Person { age: 7, name: large.clone(), marks: many.clone() };
    vectors(&many, &many[1..3], vec![large.clone(), String::from("b")], &who);
    who = Person { age: -1, name: String::from("n"), marks: vec![] };
    vectors(&vec![], &many, vec![], &who);
    boxed(&large.clone().into(), &vec![7, -8].into(), &"os".into(), &"/a/b".into(), Path::new("c"));
    boxed(&"".into(), &vec![].into(), &OsString::new(), &PathBuf::new(), Path::new(""));
    let part = cut(&large);
    println!("{} {}", part.len(), part);
    let both = pair(7, 8);
    println!("{{.__0={}, .__1={}}}", both.0, both.1);
}
E2
# Enumerations whose variants have data: with a number that tells which one it is, and without.
cat >enums.rs <<'E2'
#[derive(Clone, Copy, Debug)]
enum Colour { Red = 3, Green = 200 }
enum Shape { Unit, Circle(f64), Rect { w: u32, h: u32 }, Pair(u8, i64) }
enum Only { One(u32) }
struct Holder { id: u32, o: Option<u64>, p: Option<&'static u32>, r: Result<u32, String>, s: Shape }
fn opt<T>(o: &Option<T>, f: impl Fn(&T) -> String) -> String {
    match o { None => "None".to_string(), Some(x) => format!("Some({})", f(x)) }
}
fn res(r: &Result<u32, String>) -> String {
    match r { Ok(n) => format!("Ok({})", n), Err(e) => format!("Err({:?})", e) }
}
fn shape(s: &Shape) -> String {
    match s {
        Shape::Unit => "Unit".to_string(),
        Shape::Circle(r) => format!("Circle({})", r),
        Shape::Rect { w, h } => format!("Rect{{.w={}, .h={}}}", w, h),
        Shape::Pair(a, b) => format!("Pair({}, {})", a, b),
    }
}
#[no_mangle] #[inline(never)]
fn options(o: &Option<u64>, b: &Option<bool>, n: &Option<Option<bool>>, c: &Option<char>,
           s: &Option<String>) -> u32 {
    let bit = |x: &bool| (*x as u8).to_string();
    println!("{}|{}|{}|{}|{}", opt(o, |x| x.to_string()), opt(b, bit), opt(n, |x| opt(x, bit)),
             opt(c, |x| (*x as u32).to_string()), opt(s, |x| format!("{:?}", x)));
    o.is_some() as u32
}
#[no_mangle] #[inline(never)]
fn others(k: &Option<Colour>, w: &Option<Box<u32>>, r: &Result<u32, String>, s: &Shape,
          h: &Holder, y: &Only) -> u32 {
    let Only::One(only) = y;
    println!("{}|{}|{}|{}|{{.id={}, .o={}, .p={}, .r={}, .s={}}}|One({})",
             opt(k, |x| format!("{:?}", x)), opt(w, |x| format!("{:p}", *x)), res(r), shape(s),
             h.id, opt(&h.o, |x| x.to_string()), opt(&h.p, |x| format!("{:p}", *x)), res(&h.r),
             shape(&h.s), only);
    k.is_some() as u32
}
static K: u32 = 77;
fn main() {
    let n = std::env::args().count() as u64;
    options(&Some(n << 40), &Some(n == 1), &Some(None), &Some('x'), &Some("text".to_string()));
    options(&None, &Some(n == 2), &Some(Some(true)), &None, &None);
    options(&Some(u64::MAX), &None, &None, &Some('\u{10ffff}'), &Some(String::new()));
    let mut h = Holder { id: 1, o: Some(n), p: None, r: Err("bad".to_string()),
                         s: Shape::Rect { w: 3, h: 4 } };
    others(&Some(Colour::Green), &Some(Box::new(5)), &Ok(6), &Shape::Circle(1.5), &h,
           &Only::One(9));
    h = Holder { id: 2, o: None, p: Some(&K), r: Ok(0), s: Shape::Unit };
    others(&None, &None, &Err("e".to_string()), &Shape::Pair(7, -8), &h, &Only::One(10));
    others(&Some(Colour::Red), &None, &Ok(u32::MAX), &Shape::Unit, &h, &Only::One(11));
}
E2
mkdir go
cat >go/text.go <<'E2'
package main

import (
	"fmt"
	"strings"
)

type Name string

//go:noinline
func texts(s string, b []byte, n Name) int {
	fmt.Printf("%s|%s|%s\n", s, b, n)
	return len(s) + len(b)
}

//go:noinline
func vectors(v []int, w []string) int {
	few := v
	more := ""
	if len(v) > 5 {
		few = v[:5]
		more = ", ..."
	}
	list := strings.ReplaceAll(fmt.Sprint(few), " ", ", ")
	fmt.Printf("[%s%s]|[", strings.Trim(list, "[]"), more)
	for i, one := range w {
		if i > 0 {
			fmt.Print(", ")
		}
		fmt.Printf("%q", one)
	}
	fmt.Print("]\n")
	return len(v) + len(w)
}

func main() {
	large := strings.Repeat("L", 40)
	texts("small", []byte("bytes"), Name("named"))
	texts(large, []byte{}, Name(""))
	vectors([]int{1, 2, 3, 4, 5, 6}, []string{"a", large})
	vectors([]int{-7}, nil)
}
E2
# go_to OPTION... -o NAME
go_to() {
	go build "$@" go/text.go
}
# prepare LANGUAGE NAME COMMAND...: the program NAME.
prepare() {
	local language=$1 name=$2 at
	shift 2
	[ "$1" = go_to ] || command -v "$1" >/dev/null || return 0
	[ "$1" != go_to ] || command -v go >/dev/null || return 0
	"$@" -o "$name" >log 2>&1 || {
		[ "$language" = more ] && return
		fail "$*" log
	}
	at="process(\"$PWD/$name\").function"
	case $language in
	go)
		echo "probe $at(\"main.texts\") {
	println(str(\$s), \"|\", str(\$b), \"|\", str(\$n)) }
probe $at(\"main.vectors\") { println(\$v\$, \"|\", \$w\$) }" ;;
	rs)
		echo "probe $at(\"texts\") {
	println(str(\$owned), \"|\", str(\$slice), \"|\", str(\$other)) }
probe $at(\"vectors\") { println(\$v\$, \"|\", \$s\$, \"|\", \$w\$, \"|\", \$who\$\$) }
probe $at(\"boxed\") {
	println(\$text\$, \"|\", \$list\$, \"|\", \$os\$, \"|\", \$path\$, \"|\", \$part\$) }
probe $at(\"cut\").return { println(\$return->length, \" \", str(\$return)) }
probe $at(\"pair\").return { println(\$return\$) }" ;;
	enums)
		echo "probe $at(\"options\") {
	println(\$o\$, \"|\", \$b\$, \"|\", \$n\$\$, \"|\", \$c\$, \"|\", \$s\$) }
probe $at(\"others\") { println(\$k\$, \"|\", \$w\$, \"|\", \$r\$, \"|\", \$s\$, \"|\",
	\$h\$\$, \"|\", \$y\$) }" ;;
	*)
		echo "probe $at(\"texts\") { text = str(\$ref)
	println(text, \"|\", str(\$p), \"|\", str(\$view), \"|\", str(\$copy)) }
probe $at(\"vectors\") { println(\$v\$, \"|\", \$w\$, \"|\", \$who\$\$) }
probe $at(\"made\").return { println(str(\$return)) }
probe $at(\"cut\").return { text = str(\$return); println(strlen(text), \" \", text) }" ;;
	esac >"$name.kp"
	add_told "$name"
}
prepare cc new0 g++ -std=c++17 -g -O0 text.cc
prepare cc new2 g++ -std=c++17 -g -O2 text.cc
prepare cc old g++ -std=c++17 -g -O2 -D_GLIBCXX_USE_CXX11_ABI=0 text.cc
prepare more libcxx clang++ -std=c++17 -stdlib=libc++ -g -O0 text.cc
prepare more libcxx16 clang++-16 -std=c++17 -stdlib=libc++ -g -O2 text.cc
prepare rs rust0 /usr/bin/rustc -g text.rs
prepare rs rust2 /usr/bin/rustc -g -O text.rs
prepare enums enums0 /usr/bin/rustc -g enums.rs
prepare enums enums2 /usr/bin/rustc -g -O enums.rs
if [ "$(command -v rustc)" != /usr/bin/rustc ]; then
	prepare rs rustup rustc -g text.rs
	prepare enums enums-rustup rustc -g -O enums.rs
fi
export GOCACHE="$PWD/cache" GO111MODULE=off
prepare go go2 go_to
prepare go go0 go_to -gcflags='-N -l'
run_told
wrong=
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || { cat "$one.said"; wrong=1; }
	# A function of Go begins again when its stack has to grow.
	if [[ $one == go* ]]; then
		for file in told seen; do uniq "$one.$file" >once && mv once "$one.$file"; done
	fi
	[ -s "$one.told" ] && cmp -s "$one.told" "$one.seen" || {
		echo "$one:"
		diff -u "$one.told" "$one.seen"
		wrong=1
	}
done
[ -z "$wrong" ]
