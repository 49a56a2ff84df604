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
	const struct prt_name_table *names;
	u8 wanted;
	char name[sizeof_field(struct prt_code_file_set, name)];
};

static struct code_file **code_files; /* by number */
static u32 ncode_files;              /* the highest number */
static u64 table_bytes;

static void free_file(struct code_file *f)
{
	kvfree(f->table);
	kvfree(f->names);
	kvfree(f);
}

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
		free_file(code_files[i]);
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

const struct prt_name_table *prt_code_files_names(u32 number)
{
	return number && number <= smp_load_acquire(&ncode_files) ? code_files[number]->names :
								    NULL;
}
NOKPROBE_SYMBOL(prt_code_files_names);

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

static bool is_table(const void *block, u64 size)
{
	return prt_unwind_ok(block, size);
}

static bool is_names(const void *block, u64 size)
{
	return prt_name_ok(block, size);
}

/* A block of the loader's, which @is_ok finds whole; NULL for none. */
static void *copy_block(u64 from, u64 size, bool (*is_ok)(const void *block, u64 size))
{
	long err = -EFAULT;
	void *block;

	if (!from)
		return NULL;
	if (size > tables_limit() - min(table_bytes, tables_limit()))
		return ERR_PTR(-ENOSPC);
	block = prt_alloc(1, max_t(u64, size, 1), NUMA_NO_NODE);
	if (!block)
		return ERR_PTR(-ENOMEM);
	if (!copy_from_user(block, u64_to_user_ptr(from), size)) {
		if (is_ok(block, size)) {
			table_bytes += size;
			return block;
		}
		err = -EINVAL;
	}
	kvfree(block);
	return ERR_PTR(err);
}

static long fill_file(struct code_file *f, const struct prt_code_file_set *set)
{
	void *block = copy_block(set->table, set->size, is_table);

	if (IS_ERR(block))
		return PTR_ERR(block);
	f->table = block;
	f->wanted = block ? prt_unwind_wanted(block) : 0;
	block = copy_block(set->names, set->names_size, is_names);
	if (IS_ERR(block))
		return PTR_ERR(block);
	f->names = block;
	memcpy(f->name, set->name, sizeof(f->name));
	f->name[sizeof(f->name) - 1] = 0;
	return 0;
}

long prt_code_files_add(const struct prt_code_file_set *set)
{
	struct code_file *f;
	long err;

	if (set->number <= ncode_files)
		return -EEXIST;
	if (set->number != ncode_files + 1)
		return -EINVAL;
	if (set->number > PRT_CODE_FILES)
		return -ENOSPC;
	f = prt_alloc(1, sizeof(*f), NUMA_NO_NODE);
	if (!f)
		return -ENOMEM;
	err = fill_file(f, set);
	if (err) {
		free_file(f);
		return err;
	}
	code_files[set->number] = f;
	smp_store_release(&ncode_files, set->number);
	return 0;
}
