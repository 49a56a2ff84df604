// SPDX-License-Identifier: GPL-2.0
// Functions of each form of name that Rust has, for host/typed-rust.
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::ops::{Add, Index, Neg};
mod shapes {
    pub trait Area { fn area(&self) -> u32; fn twice(&self) -> u32 { self.area() * 2 } }
    pub struct Square(pub u32);
    pub struct Pair<T>(pub T, pub T);
    impl Area for Square { #[inline(never)] fn area(&self) -> u32 { self.0 * self.0 } }
    impl<T: Copy + Into<u32>> Area for Pair<T> { #[inline(never)] fn area(&self) -> u32 { self.0.into() * self.1.into() } }
    impl<T> Pair<T> { #[inline(never)] pub fn swap(self) -> Pair<T> { Pair(self.1, self.0) } }
    impl Square { #[inline(never)] pub fn grow(&mut self, by: u32) { self.0 += by } }
}
use shapes::*;
#[derive(Clone, Debug, PartialEq)]
struct Money { cents: i64 }
impl Add for Money { type Output = Money; #[inline(never)] fn add(self, o: Money) -> Money { Money { cents: self.cents + o.cents } } }
impl Neg for Money { type Output = Money; #[inline(never)] fn neg(self) -> Money { Money { cents: -self.cents } } }
impl Index<usize> for Money { type Output = i64; #[inline(never)] fn index(&self, _: usize) -> &i64 { &self.cents } }
impl fmt::Display for Money { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}c", self.cents) } }
impl Drop for Money { #[inline(never)] fn drop(&mut self) { unsafe { std::ptr::read_volatile(&self.cents); } } }
#[inline(never)] fn largest<T: PartialOrd + Copy>(v: &[T]) -> T { let mut m = v[0]; for &x in v { if x > m { m = x } } m }
#[inline(never)] fn apply<F: Fn(u32) -> u32>(f: F, n: u32) -> u32 { f(n) + f(n + 1) }
#[inline(never)] fn dynamic(f: &dyn Fn(u32) -> u32) -> u32 { f(7) }
#[inline(never)] fn maps(m: &BTreeMap<String, Vec<u8>>, h: &HashMap<&str, i32>) -> usize { m.len() + h.len() }
#[inline(never)] fn array<const N: usize>(a: [u8; N]) -> usize { a.iter().map(|&x| x as usize).sum::<usize>() + N }
#[inline(never)] fn tuple(t: (u8, &str), r: Result<u8, String>) -> usize { t.1.len() + t.0 as usize + r.unwrap_or(3) as usize }
#[inline(never)] unsafe extern "C" fn foreign(n: i32) -> i32 { n + 1 }
#[no_mangle] pub extern "C" fn plain_name(n: i32) -> i32 { n + std::env::args().count() as i32 }
fn main() {
    let n = std::env::args().count() as u32;
    let mut s = Square(n);
    s.grow(2);
    let p = Pair(3u8, 4u8).swap();
    let a: Vec<Box<dyn Area>> = vec![Box::new(Square(3)), Box::new(Pair(1u16, 2))];
    let m = Money { cents: 3 } + -Money { cents: 4 };
    let mut b = BTreeMap::new();
    b.insert("x".to_string(), vec![1]);
    let mut h = HashMap::new();
    h.insert("y", 1);
    println!("{} {} {} {} {}", s.area() + p.area(), a.iter().map(|x| x.twice()).sum::<u32>(), m, m[0], m.clone() == m);
    println!("{} {} {}", largest(&[1, 2]), largest(&[1.5, 2.5]), largest(&['a']));
    println!("{} {} {}", apply(|x| x + n, 3), dynamic(&|x| x * n), maps(&b, &h));
    println!("{} {} {}", array([1; 3]), array([1; 5]), tuple((1, "a"), Ok(3)));
    println!("{} {:?}", unsafe { foreign(3) } + plain_name(3), m);
}
