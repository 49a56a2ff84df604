/* SPDX-License-Identifier: GPL-2.0 */
/* Files whose code processes have mapped: code_files.h. */
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "code_files.h"
#include "limits.h"
#include "memory.h"
#include "unwind_check.h"

struct code_file {
	const struct prt_unwind_table *table;
	u8 wanted;
	char name[sizeof_field(struct prt_code_file_set, name)];
};

static struct code_file **code_files; /* by number */
static u32 ncode_files;              /* the highest number */
static u64 table_bytes;

u64 prt_code_files_memory(void)
{
	return (PRT_CODE_FILES + 1) * sizeof(*code_files);
}

int prt_code_files_setup(void)
{
	code_files = prt_alloc(PRT_CODE_FILES + 1, sizeof(*code_files), NUMA_NO_NODE);
	return code_files ? 0 : -ENOMEM;
}

void prt_code_files_free(void)
{
	u32 i;

	for (i = 1; i <= ncode_files; i++) {
		kvfree(code_files[i]->table);
		kvfree(code_files[i]);
	}
	kvfree(code_files);
	code_files = NULL;
	ncode_files = 0;
	table_bytes = 0;
}

u32 prt_code_files_count(void)
{
	return ncode_files;
}

const struct prt_unwind_table *prt_code_files_table(u32 number)
{
	return number ? code_files[number]->table : NULL;
}

u8 prt_code_files_wanted(u32 number)
{
	return number ? code_files[number]->wanted : 0;
}

const char *prt_code_files_name(u32 number)
{
	return number && number <= smp_load_acquire(&ncode_files) ? code_files[number]->name : "";
}
NOKPROBE_SYMBOL(prt_code_files_name);

static u64 tables_limit(void)
{
	return (u64)totalram_pages() * PAGE_SIZE / PRT_TABLES_MEMORY_SHARE;
}

static struct prt_unwind_table *copy_table(const struct prt_code_file_set *set)
{
	struct prt_unwind_table *t;
	long err = -EFAULT;

	if (set->size < sizeof(*t))
		return ERR_PTR(-EINVAL);
	if (set->size > tables_limit() - min(table_bytes, tables_limit()))
		return ERR_PTR(-ENOSPC);
	t = prt_alloc(1, set->size, NUMA_NO_NODE);
	if (!t)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(t, u64_to_user_ptr(set->table), set->size)) {
		if (prt_unwind_ok(t, set->size))
			return t;
		err = -EINVAL;
	}
	kvfree(t);
	return ERR_PTR(err);
}

long prt_code_files_add(const struct prt_code_file_set *set)
{
	struct prt_unwind_table *table = NULL;
	struct code_file *f;

	if (set->number <= ncode_files)
		return -EEXIST;
	if (set->number != ncode_files + 1)
		return -EINVAL;
	if (set->number > PRT_CODE_FILES)
		return -ENOSPC;
	f = prt_alloc(1, sizeof(*f), NUMA_NO_NODE);
	if (!f)
		return -ENOMEM;
	if (set->table)
		table = copy_table(set);
	if (IS_ERR(table)) {
		kvfree(f);
		return PTR_ERR(table);
	}
	if (table)
		table_bytes += set->size;
	f->table = table;
	f->wanted = table ? prt_unwind_wanted(table) : 0;
	memcpy(f->name, set->name, sizeof(f->name));
	f->name[sizeof(f->name) - 1] = 0;
	code_files[set->number] = f;
	smp_store_release(&ncode_files, set->number);
	return 0;
}
