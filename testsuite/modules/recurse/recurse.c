// SPDX-License-Identifier: GPL-2.0
/*
 * A module with deep stacks, for testsuite/vm/stack-deep.sh. Writing N to its parameter "run" makes
 * a chain of N calls that ends in recurse_bottom(). Its parameter "stack" shows the stack there as
 * the kernel's own stack_trace_save() returns it, one address per line, without recurse_bottom()
 * itself, whose address there is not that of its entry.
 */
#include <linux/linkage.h>
#include <linux/module.h>
#include <linux/stacktrace.h>

enum { FRAMES = 400, SHOWN = 200 };

static unsigned long frames[FRAMES];
static unsigned int nframes;
static bool quiet; /* leave the stack alone, on several processors */
module_param(quiet, bool, 0600);

int recurse(int n);
int recurse_bottom(void);

/* Each call has a frame of 16 bytes, so that hundreds of them fit. */
asm(".pushsection .text\n"
    ".type recurse, @function\n"
    "recurse:	sub $8, %rsp\n"
    "	dec %edi\n"
    "	jz 1f\n"
    "	call recurse\n"
    "	jmp 2f\n"
    "1:	call recurse_bottom\n"
    "2:	add $8, %rsp\n"
    "	" ASM_RET
    ".size recurse, . - recurse\n"
    ".popsection");

noinline int recurse_bottom(void)
{
	if (!READ_ONCE(quiet))
		nframes = stack_trace_save(frames, FRAMES, 0);
	return 1;
}

/* The last function of a module cannot always be probed: vm/tail.sh. */
static noinline __used __section(".text.last") void recurse_last(void)
{
}

static int run_set(const char *value, const struct kernel_param *kp)
{
	int n, err = kstrtoint(value, 0, &n);

	if (err)
		return err;
	return n < 1 || n > FRAMES - 50 || recurse(n) != 1 ? -ERANGE : 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);

static int stack_get(char *buf, const struct kernel_param *kp)
{
	int len = 0, i;

	for (i = 1; i < nframes && i < SHOWN; i++)
		len += sprintf(buf + len, "0x%016lx\n", frames[i]);
	return len;
}

static const struct kernel_param_ops stack_ops = { .get = stack_get };
module_param_cb(stack, &stack_ops, NULL, 0400);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Deep stacks");
