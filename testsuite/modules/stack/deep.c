// SPDX-License-Identifier: GPL-2.0
/*
 * A module with a function that has a name at each of its instructions, for testsuite/vm/stack.sh.
 * Writing N to its parameter "run" calls it N times. The stack differs before most of them, and a
 * one-byte push makes the address behind a breakpoint that of the next instruction.
 */
#include <linux/linkage.h>
#include <linux/module.h>

int deep_call(int n);

asm(".pushsection .text\n"
    ".type deep, @function\n"
    "deep:	push %rbx\n"
    "deep_1:	push %rbp\n"
    "deep_2:	push %r12\n"
    "deep_3:	sub $24, %rsp\n"
    "deep_4:	mov %edi, %ebx\n"
    "deep_5:	lea 1(%rbx), %eax\n"
    "deep_6:	add $24, %rsp\n"
    "deep_7:	pop %r12\n"
    "deep_8:	pop %rbp\n"
    "deep_9:	pop %rbx\n"
    "deep_10:	" ASM_RET
    ".size deep, . - deep\n"
    ".global deep_call\n"
    ".type deep_call, @function\n"
    "deep_call:	push %rbp\n"
    "	call deep\n"
    "deep_back:	pop %rbp\n"
    "	" ASM_RET
    ".size deep_call, . - deep_call\n"
    ".popsection");

static noinline int deep_outer(int n)
{
	return deep_call(n) + 1;
}

/* The last function of a module cannot always be probed: vm/tail.sh. */
static noinline __used __section(".text.last") void deep_last(void)
{
}

static int run_set(const char *value, const struct kernel_param *kp)
{
	int i, n, sum = 0, err = kstrtoint(value, 0, &n);

	if (err)
		return err;
	for (i = 0; i < n; i++)
		sum += deep_outer(i);
	return sum < 0 ? -ERANGE : 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Stacks to be walked");
