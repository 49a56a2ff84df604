/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Markers whose operands have each form that compilers write for arm64. It prints the values that a
 * probe of each must see, "MARKER VALUE...".
 */
#include <stdio.h>

/* A marker as <sys/sdt.h> writes it; inputs of the asm keep the registers of the operands. */
#define MARKER(name, operands, ...)                                                                \
	__asm__ volatile("990:\tnop\n"                                                             \
			 "\t.pushsection .note.stapsdt,\"?\",\"note\"\n"                           \
			 "\t.balign 4\n"                                                           \
			 "\t.4byte 992f-991f, 994f-993f, 3\n"                                      \
			 "991:\t.asciz \"stapsdt\"\n"                                              \
			 "992:\t.balign 4\n"                                                       \
			 "993:\t.8byte 990b, _.stapsdt.base, 0\n"                                  \
			 "\t.asciz \"operands\"\n"                                                 \
			 "\t.asciz \"" name "\"\n"                                                 \
			 "\t.asciz \"" operands "\"\n"                                             \
			 "994:\t.balign 4\n"                                                       \
			 "\t.popsection\n"                                                         \
			 "\t.ifndef _.stapsdt.base\n"                                              \
			 "\t.pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
			 "\t.weak _.stapsdt.base\n"                                                \
			 "\t.hidden _.stapsdt.base\n"                                              \
			 "_.stapsdt.base: .space 1\n"                                              \
			 "\t.size _.stapsdt.base, 1\n"                                             \
			 "\t.popsection\n"                                                         \
			 "\t.endif\n" : : __VA_ARGS__ : "memory")

long counter[2] = { 1001, 1002 };
static long words[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };
static int ints[4] = { -1, -2, -3, -4 };

/* Registers that a call may change are set in the function of each marker. */
static void indexed(void)
{
	register long *base __asm__("x9") = words;
	register long three __asm__("x10") = 3;
	/* The upper halves are not a part of the index. */
	register unsigned long minus __asm__("x11") = 0x12345678fffffffeul;
	register unsigned long eight __asm__("x12") = 0xfedcba9800000008ul;
	register int *end __asm__("x14") = ints + 4;

	MARKER("indexed",
	       "8@[x9, x10, lsl 3] -4@[x14, w11, sxtw 2] 8@[x9, w12, uxtw] -8@[x9, x10, sxtx 3]",
	       "r"(base), "r"(three), "r"(minus), "r"(eight), "r"(end));
	printf("indexed %ld %d %ld %ld\n", words[3], ints[2], words[1], words[3]);
}

static void based(void)
{
	register long *base __asm__("x9") = words;
	register int *end __asm__("x14") = ints + 4;

	MARKER("based", "8@[x9] 8@[x9, 16] -4@[x14, #-4]", "r"(base), "r"(end));
	printf("based %ld %ld %d\n", words[0], words[2], ints[3]);
}

static void narrow(void)
{
	register unsigned long n __asm__("x13") = 0x1122334455fff6f5ul;

	MARKER("narrow", "8@x13 4@w13 -4@w13 2@w13 -2@w13 1@w13 -1@w13", "r"(n));
	printf("narrow %ld %u %d %u %d %u %d\n", 0x1122334455fff6f5, 0x55fff6f5, 0x55fff6f5, 0xf6f5,
	       (short)0xf6f5, 0xf5, (signed char)0xf5);
}

static void real(void)
{
	register double number __asm__("d8") = 2.5;
	register float small __asm__("s9") = -1.25f;

	/* as bits */
	MARKER("real", "8f@d8 4f@s9", "w"(number), "w"(small));
	printf("real %ld %u\n", 0x4004000000000000, 0xbfa00000);
}

int main(void)
{
	indexed();
	based();
	narrow();
	MARKER("constant", "-4@-7 8@xzr 4@wzr 8@#12", "r"(words));
	printf("constant -7 0 0 12\n");
	real();
	MARKER("symbol", "8@[x9, #:lo12:counter] 8@[x9, :lo12:counter+8]", "r"(words));
	printf("symbol %ld %ld\n", counter[0], counter[1]);
	return 0;
}
