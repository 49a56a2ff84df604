// SPDX-License-Identifier: GPL-2.0
// A function for each way in which Rust passes and returns values. Each prints its arguments,
// "NAME PARAMETER=VALUE ...", and its result, "NAME.return return=VALUE": what a probe of it must
// see (testsuite/beside/conventions.py).
#![allow(improper_ctypes_definitions)]
use std::fmt::Debug;
use std::io::Write;
use std::rc::Rc;

#[derive(Clone, Copy)]
pub struct Small { x: i32, y: i32 }
#[derive(Clone, Copy)]
pub struct Sixteen { a: i64, b: i64 }
#[derive(Clone, Copy)]
pub struct Large { a: i64, b: i64, c: i64 }
#[derive(Clone, Copy)]
pub struct Mixed { n: i32, d: f64 }
#[derive(Clone, Copy)]
pub struct Bytes { b: [u8; 3] }
#[derive(Clone, Copy)]
pub struct Wrapped(u32);
#[derive(Clone, Copy)]
#[repr(C)]
pub struct LikeC { a: i64, b: i32, c: i32 }
pub struct Dropped { v: i64, w: i64, z: i64 }
impl Drop for Dropped { #[inline(never)] fn drop(&mut self) { self.v = 0; } }
#[derive(Clone, Copy)]
pub enum Colour { Red = 3, Green = 200 }

pub trait Area {
    fn area(&self, by: i32, s: Large) -> i64;
}
impl Area for Small {
    #[inline(never)]
    fn area(&self, by: i32, s: Large) -> i64 {
        told(format_args!("area by={} s->c={}", by, s.c));
        self.x as i64 * by as i64 + s.a
    }
}
impl Small {
    #[inline(never)]
    fn grow(&mut self, by: i32) {
        told(format_args!("conventions::Small::grow self->x={} self->y={} by={}", self.x, self.y, by));
        self.x += by;
    }
    #[inline(never)]
    fn whole(self, by: i32) -> i32 {
        told(format_args!("conventions::Small::whole self->x={} self->y={} by={}", self.x, self.y, by));
        self.y * by
    }
}

// One write for a line.
fn told(line: std::fmt::Arguments) {
    std::io::stdout().write_all(format!("{}\n", line).as_bytes()).unwrap();
}
fn at<T: ?Sized>(p: &T) -> usize { p as *const T as *const u8 as usize }

#[inline(never)]
fn by_number(a: i8, b: u16, c: i32, d: u64, e: isize, f: bool, g: char) {
    told(format_args!("conventions::by_number a={} b={} c={} d={} e={} f={} g={}", a, b, c, d as i64, e,
                      f as u8, g as u32));
}
#[inline(never)]
fn by_many(a: u8, b: i16, c: i32, d: u64, e: i8, f: u32, g: u8, h: i16, i: i64) {
    told(format_args!("conventions::by_many a={} b={} c={} d={} e={} f={} g={} h={} i={}", a, b, c, d,
                      e, f, g, h, i));
}
#[inline(never)]
fn by_reference(a: &i32, b: &mut Small, c: &Large, n: u32) {
    told(format_args!("conventions::by_reference a={} b->x={} c->c={} n={}", at(a), b.x, c.c, n));
}
#[inline(never)]
fn by_str(s: &str, n: u32) {
    told(format_args!("conventions::by_str s->data_ptr={} s->length={} n={}", at(s), s.len(), n));
}
#[inline(never)]
fn by_slice(s: &[u16], n: u32) {
    told(format_args!("conventions::by_slice s->data_ptr={} s->length={} n={}", at(s), s.len(), n));
}
#[inline(never)]
fn by_string(s: String, n: u32) {
    told(format_args!("conventions::by_string s->vec->len={} n={}", s.len(), n));
}
#[inline(never)]
fn by_vec(p: u8, s: Vec<i32>, n: u32) {
    told(format_args!("conventions::by_vec p={} s->len={} n={}", p, s.len(), n));
}
#[inline(never)]
fn by_box(s: Box<i32>, r: Rc<i64>, n: u32) {
    told(format_args!("conventions::by_box s={} n={}", at(&*s), n));
    told(format_args!("# {}", r));
}
#[inline(never)]
fn by_option(a: Option<u32>, b: Option<&i32>, c: Result<u32, u8>, d: Option<String>, n: u32) {
    told(format_args!("conventions::by_option n={}", n));
    told(format_args!("# {:?} {:?} {:?} {:?}", a, b, c, d));
}
#[inline(never)]
fn by_pair(s: (u32, u32), t: (i64, u8), u: (u8, i64, i32), n: u32) {
    told(format_args!("conventions::by_pair s->__0={} s->__1={} t->__0={} t->__1={} u->__1={} u->__2={} n={}",
                      s.0, s.1, t.0, t.1, u.1, u.2, n));
}
#[inline(never)]
fn by_small(p: i32, s: Small, n: u32) {
    told(format_args!("conventions::by_small p={} s->x={} s->y={} n={}", p, s.x, s.y, n));
}
#[inline(never)]
fn by_sixteen(p: i32, s: Sixteen, n: u32) {
    told(format_args!("conventions::by_sixteen p={} s->a={} s->b={} n={}", p, s.a, s.b, n));
}
#[inline(never)]
fn by_large(p: i32, s: Large, n: u32) {
    told(format_args!("conventions::by_large p={} s->a={} s->b={} s->c={} n={}", p, s.a, s.b, s.c, n));
}
#[inline(never)]
fn by_mixed(p: i32, s: Mixed, d: f64, n: u32) {
    told(format_args!("conventions::by_mixed p={} s->n={} n={}", p, s.n, n));
    told(format_args!("# {} {}", s.d, d));
}
#[inline(never)]
fn by_bytes(p: i32, s: Bytes, w: Wrapped, a: [i32; 2], l: [i64; 5], n: u32) {
    told(format_args!("conventions::by_bytes p={} s->b[2]={} w->__0={} a[1]={} l[4]={} n={}", p, s.b[2],
                      w.0, a[1], l[4], n));
}
#[inline(never)]
fn by_enum(c: Colour, u: (), n: u32) {
    told(format_args!("conventions::by_enum c={} n={}", c as u8, n));
    let _ = u;
}
#[inline(never)]
fn by_dropped(s: Dropped, n: u32) {
    told(format_args!("conventions::by_dropped s->v={} s->w={} s->z={} n={}", s.v, s.w, s.z, n));
}
#[inline(never)]
fn by_dyn(s: &dyn Area, f: fn(i32) -> i32, n: u32) -> i64 {
    told(format_args!("conventions::by_dyn f={} n={}", f as usize, n));
    s.area(f(1), Large { a: 1, b: 2, c: 3 })
}
#[inline(never)]
fn by_wide(p: u8, w: u128, n: u32) {
    told(format_args!("conventions::by_wide p={} n={}", p, n));
    told(format_args!("# {}", w));
}
#[inline(never)]
fn generic<T: Debug>(a: i32, s: T, n: u32) {
    told(format_args!("conventions::generic<u8> a={} n={}", a, n));
    told(format_args!("# {:?}", s));
}
#[no_mangle]
#[inline(never)]
extern "C" fn by_c(p: i8, s: LikeC, t: Large, n: u32) -> i16 {
    told(format_args!("by_c p={} s->a={} s->b={} s->c={} t->c={} n={}", p, s.a, s.b, s.c, t.c, n));
    told(format_args!("by_c.return return={}", p as i16));
    p as i16
}

#[inline(never)]
fn number(a: i32, b: u8) -> i16 {
    told(format_args!("conventions::number a={} b={}", a, b));
    told(format_args!("conventions::number.return return={} a={} b={}", a as i16, a, b));
    a as i16
}
#[inline(never)]
fn truth(a: i32, b: i32) -> bool {
    told(format_args!("conventions::truth a={} b={}", a, b));
    told(format_args!("conventions::truth.return return={} a={} b={}", (a > b) as u8, a, b));
    a > b
}
#[inline(never)]
fn small(a: i32, b: i32) -> Small {
    told(format_args!("conventions::small a={} b={}", a, b));
    told(format_args!("conventions::small.return return->x={} return->y={} a={} b={}", a, b, a, b));
    Small { x: a, y: b }
}
#[inline(never)]
fn sixteen(a: i64, b: i64) -> Sixteen {
    told(format_args!("conventions::sixteen a={} b={}", a, b));
    told(format_args!("conventions::sixteen.return return->a={} return->b={} a={} b={}", a, b, a, b));
    Sixteen { a, b }
}
#[inline(never)]
fn large(a: i64, b: i64) -> Large {
    told(format_args!("conventions::large a={} b={}", a, b));
    told(format_args!("conventions::large.return return->a={} return->b={} return->c={} a={} b={}", a,
                      b, a + b, a, b));
    Large { a, b, c: a + b }
}
#[inline(never)]
fn string(a: i32, b: i32) -> String {
    told(format_args!("conventions::string a={} b={}", a, b));
    told(format_args!("conventions::string.return return->vec->len={} a={} b={}", a + b, a, b));
    "y".repeat((a + b) as usize)
}
#[inline(never)]
fn text(of: &str, a: usize) -> &str {
    told(format_args!("conventions::text of->length={} a={}", of.len(), a));
    told(format_args!("conventions::text.return return->data_ptr={} return->length={}", at(&of[a..]),
                      of.len() - a));
    &of[a..]
}
#[inline(never)]
fn option(a: u32, b: u32) -> Option<u32> {
    told(format_args!("conventions::option a={} b={}", a, b));
    if a > b { None } else { Some(a) }
}
#[inline(never)]
fn outcome(a: u32, b: u32) -> Result<String, u32> {
    told(format_args!("conventions::outcome a={} b={}", a, b));
    if a > b { Err(a) } else { Ok(b.to_string()) }
}
#[inline(never)]
fn pair(a: i32, b: i64) -> (i32, i64) {
    told(format_args!("conventions::pair a={} b={}", a, b));
    told(format_args!("conventions::pair.return return->__0={} return->__1={} a={} b={}", a, b, a, b));
    (a, b)
}
#[inline(never)]
fn twice(n: i32) -> i32 {
    told(format_args!("conventions::twice n={}", n));
    n * 2
}
// As "charge" of conventions.c: with an argument that is not used, and one that is constant.
static mut GIVEN: i32 = 0;
#[inline(never)]
fn charge(_unused: i32, who: &str, cents: i32, fixed: i32) -> i32 {
    told(format_args!("conventions::charge _unused={} who->length={} cents={} fixed={}",
                      unsafe { GIVEN }, who.len(), cents, fixed));
    cents + fixed
}

fn results(n: i32) -> i64 {
    let mut sum = 0;
    sum += number(n + 70000, 8) as i64;
    sum += truth(n + 3, n + 2) as i64;
    sum += small(n + 1, n - 2).x as i64;
    sum += sixteen((n + 1) as i64, (n - 2) as i64).b;
    sum += large((n + 1) as i64, (n - 2) as i64).c;
    sum += string(n + 1, n + 2).len() as i64;
    sum += text("some text", (n + 2) as usize).len() as i64;
    sum += option((n + 1) as u32, (n + 2) as u32).unwrap_or(0) as i64;
    sum += outcome((n + 1) as u32, (n + 2) as u32).map(|s| s.len() as i64).unwrap_or(0);
    sum += pair(n + 1, (n - 2) as i64).1;
    unsafe { GIVEN = n + 11 };
    sum += charge(n + 11, if n == 0 { "ann" } else { "b" }, n + 250, 7) as i64;
    sum += charge(n + 11, if n == 0 { "cecil" } else { "b" }, n - 251, 7) as i64;
    sum
}

// Of these, the compiler needs only a part, or replaces a parameter at once; main() tells.
#[inline(never)]
fn by_length(s: &str, n: u32) -> usize { s.len() * 3 + n as usize }
#[inline(never)]
fn by_address(s: &str, n: u32) -> usize { s.as_ptr() as usize + n as usize }
#[inline(never)]
fn by_half(s: Sixteen, n: u32) -> i64 { s.b * 5 + n as i64 }
#[inline(never)]
fn by_assigned(a: i64, mut b: i64) -> i64 {
    std::mem::forget(b);
    b = a;
    told(format_args!("# {} {}", b, a));
    b
}
fn parts(n: i32) -> i64 {
    let words = "some words";
    let s = &words[(n + 3) as usize..];
    let t = Sixteen { a: (n + 71) as i64, b: (n + 72) as i64 };
    told(format_args!("conventions::by_length s->data_ptr={} s->length={} n={}", at(s), s.len(), 62));
    let mut sum = by_length(s, (n + 62) as u32);
    told(format_args!("conventions::by_address s->data_ptr={} s->length={} n={}", at(s), s.len(), 63));
    sum += by_address(s, (n + 63) as u32);
    told(format_args!("conventions::by_half s->a={} s->b={} n={}", t.a, t.b, 64));
    sum += by_half(t, (n + 64) as u32) as usize;
    told(format_args!("conventions::by_assigned a={} b={}", n + 65, n + 66));
    sum as i64 + by_assigned((n + 65) as i64, (n + 66) as i64)
}

fn main() {
    let n = std::env::args().count() as i32 - 1;
    let mut s = Small { x: n + 1, y: n - 2 };
    let l = Large { a: (n + 3) as i64, b: 4, c: (n - 5) as i64 };
    by_number((n - 1) as i8, (n + 60000) as u16, n - 3, (n - 4) as u64, -5, n == 0, 'x');
    by_many(200, -300, n - 3, 4, (n - 5) as i8, 6, (n + 7) as u8, (n - 8) as i16, -9);
    by_reference(&n, &mut s, &l, (n + 9) as u32);
    by_str(if n == 0 { "hello" } else { "" }, (n + 45) as u32);
    by_slice(&[1, 2, (n + 3) as u16], (n + 46) as u32);
    by_string("x".repeat((n + 30) as usize), (n + 45) as u32);
    by_vec((n + 7) as u8, vec![n, 2, 3], (n + 47) as u32);
    by_box(Box::new(n + 5), Rc::new((n + 6) as i64), (n + 48) as u32);
    by_option(Some((n + 1) as u32), Some(&n), Ok((n + 2) as u32), Some("s".to_string()), (n + 49) as u32);
    by_pair(((n + 1) as u32, 2), ((n - 3) as i64, 4), (5, (n - 6) as i64, 7), (n + 50) as u32);
    by_small(n + 1, s, (n + 51) as u32);
    by_sixteen(n + 1, Sixteen { a: (n + 2) as i64, b: (n - 3) as i64 }, (n + 52) as u32);
    by_large(n + 1, l, (n + 53) as u32);
    by_mixed(n + 1, Mixed { n: n - 2, d: 2.5 }, n as f64, (n + 54) as u32);
    by_bytes(n + 1, Bytes { b: [1, 2, (n + 3) as u8] }, Wrapped((n + 4) as u32), [n, n - 5],
             [1, 2, 3, 4, (n - 6) as i64], (n + 55) as u32);
    by_enum(if n == 0 { Colour::Green } else { Colour::Red }, (), (n + 56) as u32);
    by_dropped(Dropped { v: (n - 1) as i64, w: 2, z: (n + 3) as i64 }, (n + 57) as u32);
    by_wide((n + 3) as u8, n as u128, (n + 59) as u32);
    generic(n + 1, n as u8, (n + 60) as u32);
    let c = by_c((n - 1) as i8, LikeC { a: (n - 2) as i64, b: n + 3, c: n - 4 }, l, (n + 61) as u32);
    s.grow(n + 5);
    let sum = by_dyn(&s, twice, (n + 58) as u32) + s.whole(n - 6) as i64 + results(n) + parts(n);
    told(format_args!("# {} {}", sum, c));
}
