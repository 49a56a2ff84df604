/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptions of address spaces, whoever makes them: spaces.h. */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include "code_files.h"
#include "memory.h"
#include "spaces.h"

const struct prt_code *prt_spaces_code(const struct prt_space *space, u64 addr)
{
	u32 low = 0, high = space->n;

	while (low < high) {
		u32 mid = (low + high) / 2;

		if (space->code[mid].end <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low < space->n && space->code[low].start <= addr ? &space->code[low] : NULL;
}
NOKPROBE_SYMBOL(prt_spaces_code);

void prt_spaces_add_file(struct prt_space *space, u32 number, u64 bias)
{
	const struct prt_script_table *table = prt_code_files_script(number);
	u64 file = (u64)number << PRT_FRAME_FILE;
	u32 keys = prt_code_files_thread_keys(number), i;

	space->wanted |= prt_code_files_wanted(number);
	if (keys)
		space->thread_keys = keys;
	if (!table)
		return;
	for (i = 0; i < space->nscripts; i++)
		if (space->scripts[i].file == file)
			return;
	if (i < PRT_SCRIPT_LANGUAGES)
		space->scripts[space->nscripts++] = (struct prt_space_script){
			.table = table, .bias = bias, .file = file,
		};
}
NOKPROBE_SYMBOL(prt_spaces_add_file);

static int copy_code(struct prt_space *space, const struct prt_space_range __user *from)
{
	struct prt_space_range range;
	u64 last = 0;
	u32 i;

	for (i = 0; i < space->n; i++) {
		if (copy_from_user(&range, &from[i], sizeof(range)))
			return -EFAULT;
		if (range.start < last || range.end <= range.start ||
		    range.file > prt_code_files_count())
			return -EINVAL;
		last = range.end;
		space->code[i] = (struct prt_code){
			.start = range.start, .end = range.end, .bias = range.bias,
			.file = (u64)range.file << PRT_FRAME_FILE,
			.table = prt_code_files_table(range.file),
		};
		space->has_unread |= range.is_unread;
		prt_spaces_add_file(space, range.file, range.bias);
	}
	return 0;
}

struct prt_space *prt_spaces_make(const struct prt_space_set *set)
{
	struct prt_space *space;
	int err;

	if (set->n > PRT_SPACE_RANGES)
		return ERR_PTR(-EINVAL);
	space = prt_alloc(1, struct_size(space, code, set->n), NUMA_NO_NODE);
	if (!space)
		return ERR_PTR(-ENOMEM);
	space->n = set->n;
	err = copy_code(space, u64_to_user_ptr(set->ranges));
	if (!err)
		return space;
	kvfree(space);
	return ERR_PTR(err);
}
