// SPDX-License-Identifier: GPL-2.0
// As slots.cc: s is [77, 78, 79], t is {80, 81, 82}; Rust passes the addresses of both.
pub struct Large { v: u64, w: u64, x: u64 }

static mut SINK: u64 = 0;

fn set(n: u64) {
    unsafe { std::ptr::write_volatile(std::ptr::addr_of_mut!(SINK), n) }
}

#[inline(never)]
fn many(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, s: [u64; 3], t: Large) -> u64 {
    set(a + b);
    set(s[0] + t.v);
    println!("# called");
    set(s[1] + t.w);
    c + d + e + f + s[2] + t.x
}

fn main() {
    let n = std::env::args().count() as u64 - 1;
    set(many(n + 1, 2, 3, 4, 5, 6, [n + 77, n + 78, 79], Large { v: n + 80, w: n + 81, x: 82 }));
}
