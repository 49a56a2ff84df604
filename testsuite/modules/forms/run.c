// SPDX-License-Identifier: GPL-2.0
/*
 * A module that runs single instructions (cases.S) and shows what each left in registers, flags and
 * memory; vm/forms.sh probes them. The module can also set kprobes itself, without probec, to show
 * how the kernel handles each instruction.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <asm/fpu/api.h>
#include <asm/processor-flags.h>

enum how { RIGHT, REFUSED, WRONG, DEADLY };

struct form {
	void (*code)(void);
	void *at;
	const char *name;
	unsigned long how;
};

struct state {
	u64 r[15];       /* ax cx dx bx bp si di r8 ... r15 */
	u64 flags;
};

extern const struct form forms_table[], forms_end[];
void forms_call(void (*code)(void), struct state *state);

static u64 data[16] __aligned(64);
u64 forms_word;
static char said[4096];
static struct kprobe *probes;
static unsigned int hits;

static const u64 flag_sets[] = {
	0, X86_EFLAGS_CF, X86_EFLAGS_ZF, X86_EFLAGS_SF, X86_EFLAGS_OF, X86_EFLAGS_PF,
	X86_EFLAGS_SF | X86_EFLAGS_OF, X86_EFLAGS_ZF | X86_EFLAGS_CF,
};

static int nforms(void)
{
	return forms_end - forms_table;
}

static void prepare(struct state *s, u64 flags)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(data); i++)
		data[i] = 0x1122334455667788 + i * 0x0101;
	forms_word = 0x8877665544332211;
	for (i = 0; i < ARRAY_SIZE(s->r); i++)
		s->r[i] = i + 3;
	s->r[1] = 3;
	s->r[2] = 0x123456789abcdef0;
	s->r[3] = 2;
	s->r[5] = (u64)&forms_word;
	s->r[6] = (u64)data;
	s->flags = flags | X86_EFLAGS_FIXED | X86_EFLAGS_IF;
}

static int run_one(const struct form *f, u64 flags, char *to, int size)
{
	struct state s;
	int n, i;

	prepare(&s, flags);
	if (f->name[0] == 'x' && f->name[1] == 'l')
		s.r[3] = (u64)data;
	kernel_fpu_begin();
	forms_call(f->code, &s);
	kernel_fpu_end();
	local_irq_enable();
	n = scnprintf(to, size, "%s:", f->name);
	for (i = 0; i < ARRAY_SIZE(s.r); i++)
		n += scnprintf(to + n, size - n, " %llx", s.r[i]);
	n += scnprintf(to + n, size - n, " flags %llx word %llx data", s.flags, forms_word);
	for (i = 0; i < ARRAY_SIZE(data); i++)
		n += scnprintf(to + n, size - n, " %llx",
			       data[i] - (0x1122334455667788 + i * 0x0101));
	return n + scnprintf(to + n, size - n, "\n");
}

/* Runs the case that @value names, once for each set of flags. */
static int run_set(const char *value, const struct kernel_param *kp)
{
	const struct form *f;
	int i, n = 0;

	for (f = forms_table; f < forms_end; f++) {
		if (!sysfs_streq(value, f->name))
			continue;
		for (i = 0; i < ARRAY_SIZE(flag_sets); i++)
			n += run_one(f, flag_sets[i], said + n, sizeof(said) - n);
		return 0;
	}
	return -ENOENT;
}

static int run_get(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s", said);
}

static const struct kernel_param_ops run_ops = { .set = run_set, .get = run_get };
module_param_cb(run, &run_ops, NULL, 0600);

/* Lists the names of all cases, one line for each value of enum how. */
static int names_get(char *buffer, const struct kernel_param *kp)
{
	const struct form *f;
	int how, n = 0;

	for (how = RIGHT; how <= DEADLY; how++) {
		for (f = forms_table; f < forms_end; f++)
			if (f->how == how)
				n += scnprintf(buffer + n, PAGE_SIZE - n, "%s ", f->name);
		n += scnprintf(buffer + n, PAGE_SIZE - n, "\n");
	}
	return n;
}

static const struct kernel_param_ops names_ops = { .get = names_get };
module_param_cb(names, &names_ops, NULL, 0400);

static int on_hit(struct kprobe *kp, struct pt_regs *regs)
{
	hits++;
	return 0;
}
NOKPROBE_SYMBOL(on_hit);

static void drop_probes(void)
{
	int i;

	for (i = 0; probes && i < nforms(); i++)
		if (probes[i].addr)
			unregister_kprobe(&probes[i]);
	kfree(probes);
	probes = NULL;
}

/* 1 sets a kprobe on each instruction but the deadly ones, 0 removes them. Reading the parameter
 * lists the instructions that the kernel rejected. */
static int own_set(const char *value, const struct kernel_param *kp)
{
	int i;

	drop_probes();
	said[0] = '\0';
	if (value[0] == '0')
		return 0;
	probes = kcalloc(nforms(), sizeof(*probes), GFP_KERNEL);
	if (!probes)
		return -ENOMEM;
	for (i = 0; i < nforms(); i++) {
		if (forms_table[i].how == DEADLY)
			continue;
		probes[i].addr = forms_table[i].at;
		probes[i].pre_handler = on_hit;
		if (!register_kprobe(&probes[i]))
			continue;
		probes[i].addr = NULL;
		strlcat(said, forms_table[i].name, sizeof(said));
		strlcat(said, " ", sizeof(said));
	}
	return 0;
}

static const struct kernel_param_ops own_ops = { .set = own_set, .get = run_get };
module_param_cb(own, &own_ops, NULL, 0600);
module_param(hits, uint, 0600);

static int __init forms_init(void)
{
	return 0;
}

static void __exit forms_exit(void)
{
	drop_probes();
}

module_init(forms_init);
module_exit(forms_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Instructions to be probed");
