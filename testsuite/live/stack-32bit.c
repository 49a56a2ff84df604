/* SPDX-License-Identifier: GPL-2.0 */
/* For stack-32bit.sh: a program of 32 bits that needs no library. It writes twice and ends. */
static int call(int number, int a, const void *b, int c)
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

void _start(void)
{
	deep("first\n");
	call(1, deep("other\n") < 0, 0, 0);
}
