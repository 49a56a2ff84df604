/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program of 32 bits without a library, so that it needs none: gcc -m32 -nostdlib -static. It
 * prints what its functions get and return, in the words of the script of vm/programs-32bit.
 */
#include <stdarg.h>

#define APART __attribute__((noinline, noclone))
#define KEEP(v) __asm__ volatile("" : : "r"(v) : "memory")

/* An SDT marker as <sys/sdt.h> writes it, with three operands. */
#define MARK(a, b, c)                                                                           \
	__asm__ volatile("990: nop\n"                                                           \
	".pushsection .note.stapsdt,\"\",\"note\"\n"                                            \
	".balign 4\n .4byte 992f-991f, 994f-993f, 3\n"                                         \
	"991: .asciz \"stapsdt\"\n 992: .balign 4\n"                                           \
	"993: .4byte 990b, _.stapsdt.base, 0\n"                                                \
	".asciz \"bits\"\n .asciz \"mark\"\n .asciz \"-4@%0 -4@%1 4@%2\"\n"                     \
	"994: .balign 4\n .popsection\n"                                                       \
	".ifndef _.stapsdt.base\n"                                                             \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"                \
	".weak _.stapsdt.base\n .hidden _.stapsdt.base\n"                                      \
	"_.stapsdt.base: .space 1\n .size _.stapsdt.base,1\n .popsection\n .endif\n"          \
	: : "nor"(a), "nor"(b), "nor"(c))

struct item { int id; const char *name; struct item *next; long long big; short small; };
struct pair { int a, b; };
enum { EXIT = 1, WRITE = 4, GETPID = 20 };

static long call3(long number, long a, long b, long c)
{
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
}

static char text[200];
static unsigned used;

static void put(const char *s)
{
	while (*s)
		text[used++] = *s++;
}

static void put_hex(unsigned long long v)
{
	unsigned high = (unsigned)(v >> 32), low = (unsigned)v;
	int begun = 0, i;

	for (i = 60; i >= 0; i -= 4) {
		unsigned digit = (i < 32 ? low >> i : high >> (i - 32)) & 15;

		begun |= digit || !i;
		if (begun)
			text[used++] = "0123456789abcdef"[digit];
	}
}

/* d: int, x: long long, s: string, until 0. */
static void say(const char *name, const char *kinds, ...)
{
	va_list ap;

	used = 0;
	put(name);
	va_start(ap, kinds);
	for (; *kinds; kinds++) {
		put(" ");
		if (*kinds == 's')
			put(va_arg(ap, const char *));
		else if (*kinds == 'x')
			put_hex(va_arg(ap, unsigned long long));
		else
			put_hex((unsigned long long)(long long)va_arg(ap, int));
	}
	va_end(ap);
	put("\n");
	call3(WRITE, 1, (long)text, used);
}

APART int plain(int a, short b, const char *s, unsigned char c)
{
	KEEP(s);
	return a + b + c;
}
APART long long wide(int a, long long b, unsigned c, long long d)
{
	KEEP(a);
	return a + b + c + d;
}
APART long long only(long long a) { KEEP(&a); return -a; }
APART int deep(struct item *p, int n) { KEEP(p); return p->next->id + n; }
APART struct pair make(int a, int b) { struct pair r = { a, b }; KEEP(&r); return r; }
APART int by_value(int q, struct item p, int r) { KEEP(&p); return q + p.id + r; }
APART __attribute__((stdcall)) int cleans(int a, int b) { KEEP(a); return a - b; }
APART __attribute__((fastcall)) int fast(int a, int b, int c)
{
	KEEP(a);
	return a * b + c; /* fast */
}
APART __attribute__((regparm(3))) int registers(int a, int b, int c, int d)
{
	KEEP(a);
	return a + 2 * b + 3 * c + 4 * d; /* registers */
}
static APART int own(int a, int b) { KEEP(a); return a * 3 + b; }
APART const char *name_of(struct item *p) { KEEP(p); return p->name; }
APART int marked(int a, int b) { KEEP(a); MARK(a, b, 17); return a + b; }
APART int leaf(int n) { KEEP(n); return n; }
APART int middle(int n)
{
	char room[64];

	KEEP(room);
	room[3] = (char)n;
	KEEP(room);
	return leaf(room[3]) + 1;
}
APART int outer(int n) { KEEP(n); return middle(n) + 1; }

APART int last(int n) { KEEP(n); return n * 2; }
/* Optimised, it ends in a jump. */
APART int hops(int n, int m) { KEEP(m); return last(n + m); }

/* The second one gets another value at once. */
APART int copies(int n, int m, int k)
{
	m = n;
	KEEP(m);
	return m + last(n + k);
}
/* It may need no frame, and set one up later if it does. */
APART int early(int n, int m, int k)
{
	if (n > 1)
		return m;
	m += last(m) + last(k);
	return m + last(m) + n;
}

static void run(int i)
{
	struct item second = { 77 + i, "second", 0, 0x1122334455667788ll, -9 };
	struct item first = { 55, "first", &second, -2 - i, 5 };
	struct pair made;

	say("plain", "ddsd", -i - 1, 7, "hello", 200);
	say("plain =", "d", plain(-i - 1, 7, "hello", 200));
	say("wide", "dxdx", 1, -5000000000ll - i, 40000, 0x123456789abcdefll);
	say("wide =", "x", wide(1, -5000000000ll - i, 40000u, 0x123456789abcdefll));
	say("only", "x", -77ll - i);
	say("only =", "x", only(-77ll - i));
	say("deep", "dsxdd", 77 + i, "second", 0x1122334455667788ll, -9, i);
	say("deep =", "d", deep(&first, i));
	say("make", "dd", i, -i);
	made = make(i, -i);
	say("make =", "dd", made.a, made.b);
	say("by_value", "ddxdd", i, 55, (long long)(-2 - i), 77 + i, 9);
	say("by_value =", "d", by_value(i, first, 9));
	say("cleans", "dd", i, 20);
	say("cleans =", "d", cleans(i, 20));
	say("fast", "ddd", i, -8, 9);
	say("fast =", "d", fast(i, -8, 9));
	say("registers", "dddd", i, -2, 3, 4);
	say("registers =", "d", registers(i, -2, 3, 4));
	say("own", "dd", i, 30);
	say("own =", "d", own(i, 30));
	say("name_of =", "s", name_of(&first));
	say("marked", "ddd", i, i - 9, 17);
	say("marked =", "d", marked(i, i - 9));
	say("outer =", "d", outer(i));
	say("hops", "dd", i, 5);
	say("hops =", "dd", hops(i, 5), i);
	say("copies", "dd", i, i + 2);
	say("maybe copies", "d", i + 1);
	copies(i, i + 1, i + 2);
	say("early", "ddd", i, 41, 42);
	early(i, 41, 42);
	call3(GETPID, 0x1234 + i, -5, 0x7fffffff);
}

__attribute__((noinline, used)) static void go(void)
{
	run(0);
	run(3);
	call3(EXIT, 0, 0, 0);
}

/* The outermost frame says so. */
__asm__(".globl _start\n.type _start, @function\n_start:\n.cfi_startproc\n.cfi_undefined eip\n"
	"call go\nhlt\n.cfi_endproc\n.size _start, .-_start\n");
