# SPDX-License-Identifier: GPL-2.0
# Stacks of programs for arm64, beside those that the program finds itself by glibc's backtrace():
# with and without frame records, where functions sign their return addresses (PAC), in handlers of
# signals, in functions that are about to make their frame, in a thread, in C++ code that an
# exception is thrown through, and in static programs.
#@ kernels: arm64
#@ needs: aarch64-linux-gnu-gcc aarch64-linux-gnu-g++
. "$TOP/testsuite/told.sh"
PROBERUN=$TOP/build/arm64/proberun
[ -x "$PROBERUN" ] || { echo "make arm64-proberun"; exit 77; }
cat >stacks.c <<'X'
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#define C extern "C"
#else
#define C
#endif
static volatile int zero;
/* The probe is at its first instruction: the caller's address is in x30. */
C __attribute__((noinline)) void mark(void) { __asm__ volatile("" : : : "memory"); }
/* Prints the stack from its caller on. */
C __attribute__((noinline)) void here(void)
{
	void *v[64];
	int n = backtrace(v, 64);

	for (int i = 1; i < n; i++)
		printf("%lx%c", (unsigned long)v[i], i + 1 < n ? ' ' : '\n');
	fflush(stdout);
	mark();
}
static int by(const void *a, const void *b)
{
	if (!zero++)
		here();
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static int deep(int n)
{
	int below = n ? deep(n - 1) : (here(), 0);

	__asm__ volatile("" : "+r"(below));
	return below + n;
}
__attribute__((noinline)) static int large(int n)
{
	volatile char room[5000];

	room[n] = 1;
	here();
	return room[n];
}
__attribute__((noinline)) static int moving(int n)
{
	volatile char *room = (volatile char *)__builtin_alloca((unsigned long)n);

	room[0] = 1;
	here();
	return room[0] + n;
}
static void handler(int n)
{
	(void)n;
	here();
}
__attribute__((noinline)) static int leaf(int n)
{
	__asm__ volatile("udf 1\n" : "+r"(n));
	return n + 1;
}
static void on_udf(int n, siginfo_t *info, void *context)
{
	(void)n;
	(void)info;
	here();
	((ucontext_t *)context)->uc_mcontext.pc += 4;
}
static void *thread(void *p)
{
	deep(2);
	return p;
}
#ifdef __cplusplus
struct told {
	~told() { here(); }
};
__attribute__((noinline)) static int throws(int n)
{
	told t;

	if (n)
		throw n;
	return 1;
}
__attribute__((noinline)) static void catches(void)
{
	try {
		zero = throws(1);
	} catch (int n) {
		here();
		deep(n);
	}
}
#else
static void catches(void) { }
#endif
int main(void)
{
	int numbers[4] = { 3, 1, 2, 0 };
	struct sigaction action = { 0 };
	pthread_t other;

	deep(5);
	zero = 0;
	qsort(numbers, 4, sizeof(*numbers), by);
	large(100);
	moving(300);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	action.sa_sigaction = on_udf;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGILL, &action, NULL);
	leaf(3);
	catches();
	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	return 0;
}
X
# The first two frames are those of mark() and here().
script='probe process("PROGRAM").function("mark").call {
	for (n = 2; ustack(n); n++)
		printf("%s%x", n > 2 ? " " : "", ustack(n))
	println("")
}'
prepare() { # NAME COMPILER OPTION...
	"aarch64-linux-gnu-$2" -w -O2 -o "$1" stacks.c -pthread "${@:3}" 2>log || fail "$1" log
	echo "${script/PROGRAM/$PWD/$1}" >"$1.kp"
	add_told "$1"
}
prepare plain gcc -fomit-frame-pointer
prepare records gcc -fno-omit-frame-pointer
prepare signed gcc -fomit-frame-pointer -mbranch-protection=standard
prepare leaves gcc -mbranch-protection=pac-ret+leaf -O0
prepare static gcc -static -mbranch-protection=standard
prepare classes g++ -x c++ -mbranch-protection=standard -fomit-frame-pointer
run_told
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || fail "messages of $one" "$one.said"
	[ "$(wc -l <"$one.told")" -ge 7 ] || fail "$one tells" "$one.told"
	diff -u "$one.told" "$one.seen" || fail "$one: other stacks"
done
