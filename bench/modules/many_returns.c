// SPDX-License-Identifier: GPL-2.0
/* Count returns of many functions: one kretprobe each. The kernel's log shows the times of arming
 * and disarming. */
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/percpu.h>

enum { MOST = 128 };

static DEFINE_PER_CPU(u64, hits);
static char *names[MOST];
static int n;
module_param_array(names, charp, &n, 0444);

static struct kretprobe probes[MOST], *batch[MOST];
static int armed;

static int on_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	this_cpu_inc(hits);
	return 0;
}

static int __init many_init(void)
{
	u64 start = ktime_get_ns();
	int err = 0;

	for (; armed < n && !err; armed += !err) {
		batch[armed] = &probes[armed];
		probes[armed].kp.symbol_name = names[armed];
		probes[armed].handler = on_return;
		probes[armed].maxactive = 128;
		err = register_kretprobe(&probes[armed]);
	}
	if (err)
		unregister_kretprobes(batch, armed);
	else
		pr_info("bench: armed %d in %llu us\n", armed, (ktime_get_ns() - start) / 1000);
	return err;
}

static void __exit many_exit(void)
{
	u64 start = ktime_get_ns();

	unregister_kretprobes(batch, armed);
	pr_info("bench: disarmed %d in %llu us\n", armed, (ktime_get_ns() - start) / 1000);
}

module_init(many_init);
module_exit(many_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("bench: count returns of many functions");
