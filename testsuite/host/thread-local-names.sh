# SPDX-License-Identifier: GPL-2.0
#@ needs: target gcc readelf
# Thread-local variables by name: one that the linker has removed is not taken for the one that is
# at its offset, Rust's thread_local! has the name of the source, and libc's errno is found, or
# refused by name. The judge of an offset is the symbol table. vm/thread-local has values.
unset PROBEC_DEBUGINFO
# offset PROGRAM FUNCTION VARIABLE: prints the variable's distance below the thread's own address.
offset() {
	"$PROBEC" -p3 -w -r "$TARGET" -e "
probe process(\"$PWD/$1\").function(\"$2\") { print(&@var(\"$3\")) }" >script.c 2>said ||
		fail "$1 $3" said
	# shellcheck disable=SC2046
	set -- $(sed -n 's/.*(\([0-9a-fx]*\)ull + (a0 + \(0x[0-9a-f]*\)ull)).*/\1 \2/p' script.c |
		head -n 1) 0 0
	printf '0x%x\n' $(($1 + $2))
}
refused() { # PROGRAM FUNCTION VARIABLE REASON
	"$PROBEC" -p3 -w -r "$TARGET" -e "
probe process(\"$PWD/$1\").function(\"$2\") { println(@var(\"$3\")${5:-}) }" >script.c 2>said &&
		fail "$1 $3 is not refused" script.c
	grep -qF "$4" said || fail "$1 $3: another reason" said
}
# below PROGRAM SYMBOL: the same by the symbol table and the program's segment. Whether Rust's
# variable is to be freed is kept beside it, as STATE.
below() {
	readelf -sW "$1" | awk -v name="$2" '$4 == "TLS" && index($8, name) && $8 !~ /STATE/ {
		print $2 }' >values
	[ "$(wc -l <values)" = 1 ] || fail "$1: symbols of $2" values
	# shellcheck disable=SC2046
	set -- $(cat values) $(readelf -lW "$1" | awk '$1 == "TLS" { print $6, $8 }')
	printf '0x%x\n' $((0x$1 - (($2 + $3 - 1) / $3) * $3))
}
same() { # PROGRAM FUNCTION VARIABLE SYMBOL
	[ "$(offset "$1" "$2" "$3")" = "$(below "$1" "$4")" ] ||
		fail "$1: $3 is elsewhere" script.c values
}

cat >kept.c <<'END'
#include <stdio.h>
__thread int kept = 11, another = 13;
__thread int removed = 12;
static __thread int removed_too = 14;
__attribute__((noinline)) void look(int n)
{
	static __thread int inner = 3;

	kept += n;
	another += n;
	inner += n;
	printf("%d %d %d\n", kept, another, inner);
}
int gone(void) { return ++removed + ++removed_too; }
int main(void) { look(1); return 0; }
END
gcc -g -O1 -ffunction-sections -fdata-sections -Wl,--gc-sections -o kept kept.c 2>log ||
	fail kept.c log
same kept look kept kept
same kept look another another
same kept look inner@kept.c inner.
refused kept look removed "'removed' is not available: the linker has removed it"
refused kept look removed_too "'removed_too' is not available: the linker has removed it"
refused kept look removed@kept.c "the linker has removed it"

# Only the debug information of libc says what errno is.
libc=$(ldd kept | awk '$1 == "libc.so.6" { print $3 }')
if "$PROBEC" -p3 -r "$TARGET" -e "
probe process(\"$PWD/kept\").library(\"libc\").function(\"malloc\") { println(@var(\"errno\")) }" \
	>script.c 2>said; then
	own=$(readelf -sW "$libc" | awk '$4 == "TLS" && $8 ~ /^errno@/ { print $2 }')
	grep -qF "prt_read_user(c, ($((0x$own))ull + a0), 4, true" script.c ||
		fail "errno is not at $own" script.c
else
	grep -q "'errno' needs the debug information of" said || fail 'errno: another reason' said
fi

cat >depth.rs <<'END'
use std::cell::{Cell, RefCell};
thread_local! { static DEPTH: Cell<u64> = Cell::new(5); }
thread_local! { static SIMPLE: Cell<u32> = const { Cell::new(6) }; }
mod inner {
    use std::cell::RefCell;
    thread_local! { pub static NAMES: RefCell<Vec<u32>> = RefCell::new(Vec::new()); }
    thread_local! { pub static DEPTH: RefCell<Vec<u32>> = RefCell::new(Vec::new()); }
}
thread_local! { static LIST: RefCell<Vec<u64>> = RefCell::new(Vec::new()); }
#[inline(never)]
pub fn look(n: u64) -> u64 {
    DEPTH.with(|d| d.set(d.get() + n));
    SIMPLE.with(|d| d.set(d.get() + n as u32));
    inner::NAMES.with(|v| v.borrow_mut().push(n as u32));
    inner::DEPTH.with(|v| v.borrow_mut().push(n as u32));
    LIST.with(|v| v.borrow_mut().push(n));
    DEPTH.with(|d| d.get())
}
fn main() {
    println!("{}", look(std::env::args().count() as u64));
}
END
for compiler in rustc /usr/bin/rustc; do
	command -v $compiler >/dev/null || continue
	for level in 0 2; do
		$compiler -g -C opt-level=$level -o depth depth.rs 2>log ||
			fail "$compiler $level" log
		for pair in depth::DEPTH=5depth5DEPTH depth::SIMPLE=6SIMPLE SIMPLE=6SIMPLE \
			depth::inner::NAMES=5NAMES depth::inner::DEPTH=5inner5DEPTH LIST=4LIST; do
			same depth 'depth::look' "${pair%=*}" "${pair#*=}"
		done
		refused depth 'depth::look' DEPTH "'DEPTH' is ambiguous" '$$'
	done
done
