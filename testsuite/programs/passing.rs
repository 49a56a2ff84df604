// SPDX-License-Identifier: GPL-2.0
// Functions whose parameters and results are of every kind that Rust passes in its own way. The
// comments are as in passing.cc.
use std::ptr::read_volatile;

pub struct Three { pub a: u32, pub b: u32, pub c: u32 }
pub struct One(u64);

fn kept<T>(x: &T) { unsafe { std::mem::forget(read_volatile(x)); } }

//= passing::string s=- n=45
#[inline(never)] fn string(s: String, n: u32) -> usize { kept(&n); s.len() }
//= passing::text n=46
#[inline(never)] fn text(s: &str, n: u32) -> usize { kept(&n); kept(&s); s.len() }
//= passing::unnamed n=47
#[inline(never)] fn unnamed(_: u32, n: u32) -> u32 { kept(&n); n }
//= passing::three s=*1 n=48
#[inline(never)] fn three(s: Three, n: u32) -> u32 { kept(&n); s.a + s.b + s.c }
//= passing::pair n=49
#[inline(never)] fn pair((a, b): (u32, u32), n: u32) -> u32 { kept(&n); kept(&a); kept(&b); a + b }
//= passing::option n=50
#[inline(never)] fn option(s: Option<u32>, n: u32) -> u32 { kept(&n); kept(&s); s.unwrap() }
//= passing::one n=51
#[inline(never)] fn one(s: One, n: u32) -> u64 { kept(&n); kept(&s); s.0 }
//= passing::maybe n=52
#[inline(never)] fn maybe(s: Option<&u32>, n: u32) -> u32 { kept(&n); kept(&s); *s.unwrap() }
//= passing::list n=53
#[inline(never)] fn list(s: &[u64], n: u32) -> u64 { kept(&n); kept(&s); s[0] }
//= passing::bytes n=54
#[inline(never)] fn bytes(s: [u8; 4], n: u32) -> u8 { kept(&n); kept(&s); s[0] }
//= passing::gives n=55
#[inline(never)] fn gives(n: u32) -> String { kept(&n); n.to_string() }
//= passing::flag n=56
#[inline(never)] fn flag(s: bool, t: char, n: u32) -> bool { kept(&n); kept(&s); kept(&t); s }

fn main() {
    let n = std::env::args().count() as u32;
    let total = string("abc".to_string(), n + 44) as u64 + text("abcd", n + 45) as u64
        + unnamed(n, n + 46) as u64 + three(Three { a: n, b: n, c: n }, n + 47) as u64
        + pair((n, n + 1), n + 48) as u64 + option(Some(n), n + 49) as u64
        + one(One(n as u64), n + 50) + maybe(Some(&n), n + 51) as u64
        + list(&[n as u64, 2], n + 52) + bytes([n as u8, 2, 3, 4], n + 53) as u64
        + gives(n + 54).len() as u64 + flag(n == 1, 'x', n + 55) as u64;
    println!("{}", total);
}
