// SPDX-License-Identifier: GPL-2.0
// Names of Rust, for host/names.
mod shapes {
    pub trait Area { fn area(&self) -> f64; }
    pub struct Square(pub f64);
    pub struct Pair<T> { pub a: T, pub b: T }
    impl Area for Square { #[inline(never)] fn area(&self) -> f64 { self.0 * self.0 } }
    impl Square { #[inline(never)] pub fn grow(&mut self, by: f64) { self.0 += by; } }
    impl<T: std::ops::Add<Output = T> + Copy> Pair<T> {
        #[inline(never)] pub fn sum(&self) -> T { self.a + self.b }
    }
    #[inline(never)] pub fn largest<T: PartialOrd + Copy>(x: &[T]) -> T { let mut m = x[0]; for i in x { if *i > m { m = *i } } m }
}
use shapes::Area;
#[no_mangle] #[inline(never)] pub extern "C" fn plain(x: i32) -> i32 { x + 1 }
fn main() {
    let n = std::env::args().count();
    let mut s = shapes::Square(n as f64);
    s.grow(1.5);
    let f = |x: usize| x * n;
    println!("{} {} {} {} {} {}", s.area(), shapes::Pair{a: n, b: 2}.sum(), shapes::Pair{a: 1.0, b: n as f64}.sum(), shapes::largest(&[n, 4, 5]), f(3), plain(n as i32));
}
