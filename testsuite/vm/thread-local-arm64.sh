# SPDX-License-Identifier: GPL-2.0
# Thread-local variables of programs for arm64, which lie above the thread's base address: compared
# with what the program prints, in two threads, however it is linked, also with an alignment that
# moves them. Those of libraries are refused.
#@ kernels: arm64
#@ needs: aarch64-linux-gnu-gcc
. "$TOP/testsuite/told.sh"
unset PROBEC_DEBUGINFO
PROBERUN=$TOP/build/arm64/proberun
[ -x "$PROBERUN" ] || { echo "make arm64-proberun"; exit 77; }
cat >local.c <<'X'
#include <pthread.h>
#include <stdio.h>
__thread int counter = 5;
static __thread long list[3] = { 1, 2, 3 };
__thread char zero[7];
#ifdef ALIGNED
__thread struct { long a, b; } aligned __attribute__((aligned(ALIGNED))) = { 7, 8 };
#else
__thread struct { long a, b; } aligned = { 7, 8 };
#endif
__attribute__((noinline)) void look(int n)
{
	counter += n;
	list[2] *= n;
	zero[6] = (char)(n + 60);
	aligned.b -= n;
	__asm__ volatile("" : : : "memory");
}
__attribute__((noinline)) void tell(void)
{
	printf("%d %ld %d %ld\n", counter, list[2], zero[6], aligned.b);
	fflush(stdout);
}
static void *other(void *p)
{
	look(11);
	tell();
	return p;
}
int main(void)
{
	pthread_t thread;

	look(2);
	tell();
	pthread_create(&thread, NULL, other, NULL);
	pthread_join(thread, NULL);
	tell();
	return 0;
}
X
prepare() { # NAME OPTION...
	aarch64-linux-gnu-gcc -std=gnu11 -w -O2 -g -o "$1" local.c "${@:2}" -pthread 2>log ||
		fail "$1" log
	cat >"$1.kp" <<-X
	probe process("$PWD/$1").function("tell").call {
		printf("%d %d %d %d\n", @var("counter"), @var("list")[2], @var("zero")[6],
		       @var("aligned")->b)
	}
	X
	add_told "$1"
}
prepare pie -pie -fPIE
prepare no-pie -no-pie -fno-pie
prepare static -static
prepare aligned -pie -fPIE -DALIGNED=64
aarch64-linux-gnu-gcc -std=gnu11 -w -O2 -g -shared -fPIC -o liblocal.so local.c 2>log ||
	fail 'the library' log
cat >library.kp <<X
probe process("$PWD/liblocal.so").function("tell").call { println(@var("counter")) }
X
"$PROBEC" -p2 -r "$TARGET" library.kp >out 2>said && fail 'that of a library is read'
grep -q 'thread-local memory of libraries can be read on x86-64 only' said || fail 'a library' said
run_told
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || fail "$one" "$one.said"
	[ "$(wc -l <"$one.told")" = 3 ] || fail "$one tells" "$one.told"
	diff -u "$one.told" "$one.seen" || fail "$one: other values"
done
