/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of addresses. The kernel's look-up of modules asks RCU whether it watches; where it does
 * not, there are no names.
 */
#include "symbol.h"

#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#include "code_files.h"
#include "context.h"
#include "spaces.h"

enum { NAME_STEPS = 10 }; /* steps that a name costs */

/*
 * In a module the kernel takes the end of the text for the end of the last symbol. Variables lie
 * after that, and their size then comes out negative: /0xffffffffffff0dc0.
 */
static size_t drop_negative_size(char *buf, size_t len)
{
	static const char sign[] = "/0xf";
	const size_t size = sizeof("/0x") - 1 + 16;
	char *at = strnstr(buf, sign, len);

	if (!at || at + size > buf + len || (at + size < buf + len && at[size] != ' '))
		return len;
	memmove(at, at + size, buf + len + 1 - (at + size));
	return len - size;
}
NOKPROBE_SYMBOL(drop_negative_size);

size_t prt_symbol_print(char *buf, size_t room, unsigned long addr)
{
	if (!rcu_is_watching())
		return scnprintf(buf, room, "0x%lx", addr);
	return drop_negative_size(buf, scnprintf(buf, room, "%pS", (void *)addr));
}
NOKPROBE_SYMBOL(prt_symbol_print);

struct prt_str prt_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			  u32 srcloc)
{
	const u32 room = prt_script.maxstringlen;
	struct prt_str text = { buf, 0 };
	bool named;
	char *sign;

	PRT_STEPS(c, NAME_STEPS, srcloc, out);
	text.len = prt_symbol_print(buf, room, addr);
	sign = memchr(buf, '+', text.len);
	named = sign;
	if (what == PRT_SYMBOL_NAME && named) {
		text.len = sign - buf;
	} else if (what == PRT_SYMBOL_DATA && named && buf[text.len - 1] != ']') {
		text.len += scnprintf(buf + text.len, room - text.len, " [kernel]");
	} else if (what == PRT_SYMBOL_MODULE) {
		char *module = named ? memchr(buf, '[', text.len) : NULL;

		if (!module)
			return prt_str_copy(buf, named && text.len + 1 < room ? PRT_LIT("kernel") :
									PRT_LIT("<unknown>"));
		text.s = module + 1;
		text.len = buf + text.len - text.s - 1;
		return prt_str_copy(buf, text);
	}
out:
	return text;
}
NOKPROBE_SYMBOL(prt_symbol);

/* ---- addresses of processes ---- */

/* An address of the current process as its file has it. */
struct user_address {
	u32 file;                /* 0: not known */
	u64 address;
	const struct prt_name_row *row; /* NULL: it has no name */
	const char *name;
};

static struct user_address find_user_address(struct prt_ctx *c, u64 addr)
{
	const struct prt_space *space = prt_spaces_find(c);
	const struct prt_code *code = space ? prt_spaces_code(space, addr) : NULL;
	struct user_address ret = { 0 };
	const struct prt_name_table *names;

	if (!code || !code->file)
		return ret;
	ret.file = code->file >> PRT_FRAME_FILE;
	ret.address = addr - code->bias;
	names = prt_code_files_names(ret.file);
	ret.row = names ? prt_name_find(names, ret.address) : NULL;
	if (ret.row) {
		ret.name = prt_name_text(names) + ret.row->name;
		ret.address -= names->base + ret.row->start;
	}
	return ret;
}
NOKPROBE_SYMBOL(find_user_address);

struct prt_str prt_user_symbol(struct prt_ctx *c, char *buf, s64 addr, enum prt_symbol_what what,
			       u32 srcloc)
{
	const u32 room = prt_script.maxstringlen;
	struct user_address at;
	u32 len = 0;

	PRT_STEPS(c, NAME_STEPS, srcloc, out);
	at = find_user_address(c, addr);
	if (what == PRT_SYMBOL_MODULE)
		len = scnprintf(buf, room, "%s", at.file ? prt_code_files_name(at.file) :
							   "<unknown>");
	else if (!at.name)
		len = scnprintf(buf, room, "0x%llx", addr);
	else if (what == PRT_SYMBOL_NAME)
		len = scnprintf(buf, room, "%s", at.name);
	else
		len = scnprintf(buf, room, "%s+0x%llx/0x%x [%s]", at.name, at.address,
				at.row->size, prt_code_files_name(at.file));
out:
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(prt_user_symbol);
