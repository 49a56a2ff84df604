/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-32bit.sh: a program of 32 bits that needs no library. It writes until it is killed. */
static inline __attribute__((always_inline)) int call(int number, int a, const void *b, int c)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c)
			 : "memory");
	return result;
}

__attribute__((noinline)) int deep(const char *text)
{
	return call(4, 1, text, 6);
}

__attribute__((noinline, used)) void outer(void)
{
	while (deep("first\n") > 0)
		;
	call(1, 1, 0, 0);
}

/* The outermost frame says so. */
__asm__(".globl _start\n.type _start, @function\n_start:\n.cfi_startproc\n.cfi_undefined eip\n"
	"call outer\nhlt\n.cfi_endproc\n.size _start, .-_start\n");
