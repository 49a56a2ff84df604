/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of Go's runtime that change to another stack, and code that is cut or different. */
#include "arch/x86_64.h"
#include "unit.h"

/* Parts of runtime.systemstack of Go 1.19. */
static const unsigned char old[] = {
	0x48, 0x8b, 0x7c, 0x24, 8,                             /* mov 8(%rsp),%rdi */
	0x64, 0x48, 0x8b, 4, 0x25, 0xf8, 0xff, 0xff, 0xff,     /* mov %fs:-8,%rax */
	0x48, 0x8b, 0x58, 0x30,                                /* mov 0x30(%rax),%rbx */
	0x48, 0x8b, 0x13,                                      /* mov (%rbx),%rdx */
	0x48, 0x3b, 0x83, 0xc0, 0, 0, 0,                       /* cmp 0xc0(%rbx),%rax */
	0x48, 0x8b, 0x5a, 0x38,                                /* mov 0x38(%rdx),%rbx */
	0x48, 0x89, 0xdc,                                      /* mov %rbx,%rsp */
	0xff, 0xd7,                                            /* call *%rdi */
	0x48, 0x8b, 0x60, 0x38,                                /* mov 0x38(%rax),%rsp */
	0xc3,
};

/* The same of Go 1.24, in a program that may be loaded anywhere. */
static const unsigned char new[] = {
	0x55, 0x48, 0x89, 0xe5,                                /* push %rbp; mov %rsp,%rbp */
	0x48, 0xc7, 0xc1, 0xf8, 0xff, 0xff, 0xff,              /* mov $-8,%rcx */
	0x64, 0x48, 0x8b, 1,                                   /* mov %fs:(%rcx),%rax */
	0x48, 0x8b, 0x58, 0x30,
	0x48, 0x3b, 0x83, 0xc0, 0, 0, 0,
	0x48, 0x8b, 0x62, 0x38,                                /* mov 0x38(%rdx),%rsp */
	0xff, 0xd7,
	0x48, 0x8b, 0x60, 0x38,
	0xc3,
};

/* runtime.mcall, which does not go back. */
static const unsigned char left[] = {
	0x48, 0x8d, 0x5c, 0x24, 8,                             /* lea 8(%rsp),%rbx */
	0x49, 0x8b, 0x66, 0x38,                                /* mov 0x38(%r14),%rsp */
	0x50, 0x41, 0xff, 0xd4,                                /* push %rax; call *%r12 */
};

static void check(const unsigned char *code, size_t size, size_t call)
{
	size_t from = 0, to = 0;
	int links[4] = { 0 };

	assert_true(arch_go_links(code, size, links));
	assert_int_equal(links[0], -8);
	assert_int_equal(links[1], 0x30);
	assert_int_equal(links[2], 0xc0);
	assert_int_equal(links[3], 0x38);
	assert_true(arch_go_switch(code, size, links[3], &from, &to));
	assert_int_equal(from, call);
	assert_int_equal(to, size - 1);
}

TEST(systemstack)
{
	check(old, sizeof(old), 35);
	check(new, sizeof(new), 30);
}

TEST(no_way_back)
{
	size_t from = 0, to = 0;

	assert_true(arch_go_switch(left, sizeof(left), 0x38, &from, &to));
	assert_int_equal(from, 9);
	assert_int_equal(to, sizeof(left));
}

/* The stack pointer of something else is not taken. */
TEST(other_code)
{
	static const unsigned char other[] = { 0x90, 0x90, 0x90, 0x90, 0x48, 0x89, 0xdc, 0xc3 };
	size_t from = 0, to = 0;
	int links[4];

	assert_false(arch_go_switch(old, sizeof(old), 0x40, &from, &to));
	assert_false(arch_go_switch(left, sizeof(left), 0x40, &from, &to));
	assert_false(arch_go_switch(other, sizeof(other), 0x38, &from, &to));
	assert_false(arch_go_switch(other, 4, 0x38, &from, &to));
	assert_false(arch_go_links(left, sizeof(left), links));
}

/* Code that ends anywhere is read to its end and no further: in a block of its own size, so that
 * a sanitizer would see it. */
TEST(cut)
{
	for (size_t size = 0; size < sizeof(new); size++) {
		unsigned char *code = malloc(size + !size);
		size_t from = 0, to = 0;
		int links[4];

		memcpy(code, new, size);
		assert_int_equal(arch_go_links(code, size, links), size >= 30);
		assert_int_equal(arch_go_switch(code, size, 0x38, &from, &to), size >= 30);
		assert_true(from <= size && to <= size);
		free(code);
	}
}
