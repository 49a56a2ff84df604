# SPDX-License-Identifier: GPL-2.0
# Thread-local variables of programs and libraries, and operands of markers in such memory, compared
# with what the program prints: whatever model the compiler used, in memory that a thread has from
# its start, that it gets when it first uses a library, and that it does not have yet.
cp "$TOP/testsuite/programs/thread_local.c" .
unset PROBEC_DEBUGINFO
compile() { # NAME [OPTION]...
	gcc -std=gnu11 -w -O2 -g -o "$1" thread_local.c "${@:2}" 2>log ||
		fail "$1 does not compile" log
}
library() { compile "lib$1.so" -shared -fPIC -DLIBRARY="$@"; }
library start
library initial -ftls-model=initial-exec
library described -mtls-dialect=gnu2
for name in opened once again; do library $name; done
# The linker takes libraries only after the file that needs them.
linked=(-Wl,--no-as-needed,-rpath,"$PWD" -L. -lstart -linitial)
compile pie -pie -fPIE "${linked[@]}"
compile no-pie -no-pie -fno-pie "${linked[@]}"
compile static -static -fno-pie
compile static-pie -static-pie -fPIE
values() { # [PROGRAM]: a statement that prints its variables as it does
	local of=${1:+, \"$PWD/$1\"}
	echo "printf(\"program %d %d %d %d %d\n\", @var(\"counter\"$of), @var(\"calls\"$of),"
	echo "@var(\"inner@thread_local.c\"$of), @var(\"list\"$of)[2], @var(\"aligned\"$of)->b)"
}
for kind in no-pie static static-pie; do
	build $kind "probe process(\"$PWD/$kind\").function(\"look\").return { $(values) }"
done
build pie "
probe process(\"$PWD/pie\").function(\"look\").return {
	printf(\"program %d %d %d %d %d\n\", \$counter, \$calls, \$inner, \$list[2], \$aligned->b)
}"
build mark "
probe process(\"$PWD/no-pie\").mark(\"mark\") {
	printf(\"%d %d %d %d\n\", \$arg1, \$arg2, \$arg3, \$arg4)
}"
# At the program's writes, in a function of the kernel and of libc.
build kernel "probe syscall.write { if (pid() == target()) $(values pie) }"
build libc "
probe process(\"$PWD/pie\").library(\"libc\").function(\"write\") { $(values pie) }"
# An event of the program's, in which the program is meant.
build events "probe process(\"$PWD/static-pie\").syscall { if (\$syscall == 1) $(values) }"
# Each library of the program. Those that it opens are not in the list of what it needs.
build libraries "
global wrong
function show(name, a, b, z) { printf(\"%s %d %d %d\n\", name, a, b, z) }
$(for name in start initial described opened once again; do
	cat <<-KP
	probe process("$PWD/lib$name.so").function("library_look") {
		try { show("$name", @var("own")->a, @var("own")->b, @var("zero")) }
		catch (e) {
			println("$name -")
			if (e != "no thread-local memory: the thread has not used that of " .
				 "$PWD/lib$name.so yet")
				wrong[e] = 1
		}
	}
	KP
done)
probe end { foreach (e in wrong) println(e) }"
build unused "probe process(\"$PWD/libopened.so\").function(\"library_look\") {
	println(@var(\"own\")->a)
}"
# Where they can be built: a variable of Rust, and errno, for which libc's debug information must be
# here.
cat >depth.rs <<'END'
use std::cell::Cell;
thread_local! { static DEPTH: Cell<u32> = const { Cell::new(6) }; }
#[no_mangle]
#[inline(never)]
pub extern "C" fn look(n: u32) -> u32 {
    DEPTH.with(|d| {
        d.set(d.get() + n);
        d.get()
    })
}
fn main() {
    for t in 1..3 {
        let show = move || (1..4).for_each(|n| println!("{}", look(n * 10 * t)));
        std::thread::spawn(show).join().unwrap();
    }
}
END
cat >error.c <<'END'
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	for (int i = 0; i < 3; i++) {
		printf("%d\n", 40 + i);
		errno = 40 + i;
		getpgid(0);
	}
	return 0;
}
END
more=
if command -v rustc >log; then
	rustc -g -O -o depth depth.rs 2>log || fail depth.rs log
	build depth "probe process(\"$PWD/depth\").function(\"look\").return {
		println(user_uint32(&@var(\"depth::DEPTH\")))
	}"
	more=depth
fi
gcc -O1 -g -o error error.c 2>log || fail error.c log
if "$PROBEC" -w -p4 -r "$TARGET" -e "probe process(\"$PWD/error\").library(\"libc\")
	.function(\"getpgid\") { println(@var(\"errno\")) }" >module 2>said; then
	cp "$(cat module)" error.ko
	more="$more error"
else
	grep -q E_NO_DEBUGINFO said || fail errno said
fi
cat >guest <<'SH'
cd "$1" || exit
opened="$1/libstart.so $1/libinitial.so $1/libdescribed.so"
opened="$opened +$1/libopened.so +$1/libonce.so +$1/libagain.so"
run() { # NAME COMMAND
	echo "@ $1.told"
	"$PROBERUN" -o seen "$1.ko" -c "$2" || exit
	echo "@ $1.seen"
	cat seen
}
for kind in pie no-pie static static-pie; do run $kind ./$kind; done
run mark ./no-pie
run kernel ./pie
run libc ./pie
run events ./static-pie
run libraries "./pie $opened"
for name in $2; do run $name ./$name; done
echo '@ unused.said'
"$PROBERUN" unused.ko -c "./pie $opened" 2>&1 >/dev/null
exit 0
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "$more" \
	>all 2>said || fail "status $?" said all
awk '/^@ / { file = $2; next } { print >file }' all
[ "$(grep -c '^program' pie.told)" = 8 ] || fail 'the program told too little' pie.told
[ "$(grep -c -e ' -$' libraries.told)" = 6 ] || fail 'each thread has all memory' libraries.told
awk '/^program/ { print $2, $3, $6, $5 }' mark.told >mark.wanted
grep -v '^program' libraries.told >libraries.wanted
for name in pie no-pie static static-pie kernel events libc mark libraries $more; do
	[ -e $name.wanted ] || cp $name.told $name.wanted
	cmp -s $name.seen $name.wanted \
		|| { diff -u $name.wanted $name.seen >difference; fail "$name:" difference; }
done
grep -q 'memory: the thread has not used that of .*/libopened.so yet .*\[E_THREAD_LOCAL\]' \
	unused.said || fail 'no memory, without a message' unused.said
