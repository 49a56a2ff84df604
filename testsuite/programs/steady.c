/* SPDX-License-Identifier: GPL-2.0 */
/*
 * steady - A program that is probed by sessions which are killed, and goes on: vm/user-killed. It
 * calls functions and checks their results until SIGTERM; then it prints how many rounds there
 * were, how many results were wrong, and how many users the marker has.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t over;
static volatile unsigned short round_users __attribute__((section(".probes"), used));

#define MARK_ROUND                                                                                \
	"990: nop\n"                                                                              \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                              \
	".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                            \
	"991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                              \
	"993: .8byte 990b, 0, round_users\n"                                                      \
	".asciz \"steady\"\n .asciz \"round\"\n .asciz \"-8@%0\"\n"                               \
	"994: .balign 4\n .popsection\n"

__attribute__((noinline)) long plain(long n)
{
	__asm__ volatile("" : "+r"(n));
	return n < 0 ? -n : n * 3;
}

/* Ends in a jump. */
__attribute__((noinline)) long tail(long n)
{
	__asm__ volatile("" : "+r"(n));
	return plain(n + 1);
}

__attribute__((noinline)) long nested(long n)
{
	long below = n > 0 ? nested(n - 1) : 0;

	__asm__ volatile("" : "+r"(below));
	return below + n;
}

__attribute__((noinline)) static void mark(long n)
{
	__asm__ volatile(MARK_ROUND : : "r"(n));
}

static void end(int signal)
{
	over = signal;
}

int main(void)
{
	struct timespec time = { 0, 2000000 };
	char text[] = "a text";
	long rounds, wrong = 0;

	signal(SIGTERM, end);
	for (rounds = 0; !over; rounds++) {
		mark(rounds);
		wrong += plain(rounds) != rounds * 3 || plain(-rounds - 1) != rounds + 1;
		wrong += tail(rounds) != (rounds + 1) * 3;
		wrong += nested(20) != 210;
		__asm__ volatile("" : : "r"(text) : "memory");
		wrong += strchr(text, 't') != text + 2 || strlen(text) != 6;
		nanosleep(&time, NULL);
	}
	printf("%s %ld %d\n", rounds > 0 ? "rounds" : "none", wrong, round_users);
	return 0;
}
