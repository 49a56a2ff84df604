/* SPDX-License-Identifier: GPL-2.0 */
#include "resolve.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/say.h"
#include "machine/blacklist.h"
#include "machine/kallsyms.h"
#include "machine/live_patches.h"
#include "machine/modules.h"
#include "machine/override.h"
#include "machine/programs.h"
#include "machine/symbol_file.h"
#include "module/meta.h"

/* Reports nothing for a signal, which ends the session. */
static int read_symbols(const char *kept, const struct meta *m, struct kallsyms *ret)
{
	int err = kallsyms_resolve("/proc/kallsyms", kept, m, ret);

	if (err && err != -EINTR)
		say_error("E_SYMBOL", NULL, "/proc/kallsyms: %s", strerror(-err));
	return err ? -1 : 0;
}

int resolve_sites(const struct meta *m, bool override_any, struct kallsyms *ret)
{
	int kprobes = access("/sys/kernel/debug/kprobes", F_OK) == 0;
	const char *kept = run_dir_make(RUN_DIR) == 0 ? KEPT_SYMBOLS : NULL;

	if (!kallsyms_wanted(m) && kprobes)
		kallsyms_init(m, ret);
	else if (read_symbols(kept, m, ret))
		return -1;
	if (!kprobes && !ret->has_kprobes) {
		say_error("E_NO_MODULES",
			  "probec --vm SCRIPT runs it in a throwaway virtual machine",
			  "this kernel has no kprobes");
		return -1;
	}
	if (ret->symbols)
		say_step("read %zu symbols", ret->symbols);
	if (kallsyms_report(ret, m) || kallsyms_report_variables(ret, m) || modules_check(m) ||
	    programs_check(m) || blacklist_apply(BLACKLIST_KPROBES, m, ret->addresses, 0) ||
	    (!override_any &&
	     override_check(OVERRIDE_LIST, m, ret->addresses, ret->namesakes)))
		return -1;
	modules_waiting(m, ret->addresses);
	live_patches_warn(LIVE_PATCHES, m, ret->addresses);
	return 0;
}

int resolve_modules(const struct meta *m, struct kallsyms *ret)
{
	if (!m->nmodules || !kallsyms_wanted(m))
		return modules_check(m);
	kallsyms_deinit(ret);
	if (read_symbols(NULL, m, ret))
		return -1;
	return blacklist_apply(BLACKLIST_KPROBES, m, ret->addresses, 1) ||
	       modules_check(m) ? -1 : 0;
}
