/* SPDX-License-Identifier: GPL-2.0 */
/* Files whose code processes have mapped: code_files.h. */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/kprobes.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "code_files.h"
#include "compat/fs.h"
#include "limits.h"
#include "memory.h"
#include "script_check.h"
#include "script_objects.h"
#include "unwind_check.h"

enum { CODE_KEYS = 2 * (PRT_CODE_FILES + 1) };

/* A file as it is until it changes. */
struct code_identity {
	u64 inode;
	s64 changed;
	u32 changed_ns;
	dev_t device;
};

struct code_file {
	const struct prt_unwind_table *table;
	const struct prt_name_table *names;
	const struct prt_script_table *script;
	u32 thread_keys;
	struct code_identity identity;
	struct prt_code_segment segments[PRT_CODE_SEGMENTS];
	u32 nsegments;
	u8 wanted;
	char name[sizeof_field(struct prt_code_file_set, name)];
};

static struct code_file **code_files; /* by number */
static u32 ncode_files;              /* the highest number */
static u16 *code_keys;               /* numbers by the hash of their identities, probed linearly */
static u32 ncode_keys;
static u32 vdso_files[2];            /* 64 bits, 32 bits */
static u64 table_bytes;

static void free_file(struct code_file *f)
{
	kvfree(f->table);
	kvfree(f->names);
	kvfree(f->script);
	kvfree(f);
}

u64 prt_code_files_memory(void)
{
	return (PRT_CODE_FILES + 1) * sizeof(*code_files) + CODE_KEYS * sizeof(*code_keys);
}

int prt_code_files_setup(void)
{
	code_files = prt_alloc(PRT_CODE_FILES + 1, sizeof(*code_files), NUMA_NO_NODE);
	code_keys = prt_alloc(CODE_KEYS, sizeof(*code_keys), NUMA_NO_NODE);
	return code_files && code_keys ? 0 : -ENOMEM;
}

void prt_code_files_free(void)
{
	u32 i;

	for (i = 1; i <= ncode_files; i++) {
		free_file(code_files[i]);
	}
	kvfree(code_files);
	code_files = NULL;
	kvfree(code_keys);
	code_keys = NULL;
	ncode_files = ncode_keys = 0;
	memset(vdso_files, 0, sizeof(vdso_files));
	table_bytes = 0;
	prt_script_objects_end();
}

u32 prt_code_files_count(void)
{
	return ncode_files;
}

const struct prt_unwind_table *prt_code_files_table(u32 number)
{
	return number ? code_files[number]->table : NULL;
}
NOKPROBE_SYMBOL(prt_code_files_table);

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
NOKPROBE_SYMBOL(prt_code_files_wanted);

const struct prt_script_table *prt_code_files_script(u32 number)
{
	return number ? code_files[number]->script : NULL;
}
NOKPROBE_SYMBOL(prt_code_files_script);

u32 prt_code_files_thread_keys(u32 number)
{
	return number ? code_files[number]->thread_keys : 0;
}
NOKPROBE_SYMBOL(prt_code_files_thread_keys);

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

static bool is_script(const void *block, u64 size)
{
	return prt_script_ok(block, size);
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
	block = copy_block(set->script, set->script_size, is_script);
	if (IS_ERR(block))
		return PTR_ERR(block);
	f->script = block;
	f->thread_keys = set->keys;
	memcpy(f->name, set->name, sizeof(f->name));
	f->name[sizeof(f->name) - 1] = 0;
	return f->script ? prt_script_objects_begin() : 0;
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

/* ---- how hits find files ---- */

static __always_inline struct code_identity identity_of(const struct inode *inode)
{
	struct timespec64 changed = prt_compat_inode_changed(inode);

	return (struct code_identity){
		.inode = inode->i_ino, .device = inode->i_sb->s_dev,
		.changed = changed.tv_sec, .changed_ns = changed.tv_nsec,
	};
}

static __always_inline bool is_same(const struct code_identity *a, const struct code_identity *b)
{
	return a->inode == b->inode && a->device == b->device && a->changed == b->changed &&
	       a->changed_ns == b->changed_ns;
}

/* The place of that identity among the keys, or of the empty one where it would be. There are more
 * keys than files. */
static __always_inline u16 *find_key(const struct code_identity *wanted)
{
	u32 at = hash_64(wanted->inode + ((u64)wanted->device << 32), ilog2(CODE_KEYS));
	u32 number;

	while ((number = smp_load_acquire(&code_keys[at])) &&
	       !is_same(&code_files[number]->identity, wanted))
		at = (at + 1) % CODE_KEYS;
	return &code_keys[at];
}

u32 prt_code_files_keys(void)
{
	return smp_load_acquire(&ncode_keys);
}
NOKPROBE_SYMBOL(prt_code_files_keys);

u32 prt_code_files_of(const struct inode *inode)
{
	struct code_identity wanted = identity_of(inode);

	/* It may be new since it was found empty. What is read next is read by way of it. */
	return READ_ONCE(*find_key(&wanted));
}
NOKPROBE_SYMBOL(prt_code_files_of);

u32 prt_code_files_vdso(bool of_32bit)
{
	return smp_load_acquire(&vdso_files[of_32bit]);
}
NOKPROBE_SYMBOL(prt_code_files_vdso);

bool prt_code_files_bias(u32 number, u64 start, u64 offset, u64 *ret)
{
	const struct code_file *f = code_files[number];
	bool found = false;
	u32 i;

	for (i = 0; i < f->nsegments; i++) {
		const struct prt_code_segment *it = &f->segments[i];
		u64 bias = start - (it->address - it->offset + offset);

		/* A segment is mapped from the beginning of its first page on. */
		if (offset + PAGE_SIZE <= it->offset || offset >= it->offset + it->size)
			continue;
		if (found && bias != *ret)
			return false;
		*ret = bias;
		found = true;
	}
	return found;
}
NOKPROBE_SYMBOL(prt_code_files_bias);

/* A layered file system maps the file of the layer that has it. */
static long identify(const struct prt_code_key *key, struct code_identity *ret)
{
	struct file *file = fget(key->fd);

	if (!file)
		return -EBADF;
	*ret = identity_of(d_real_inode(file->f_path.dentry));
	fput(file);
	return 0;
}

long prt_code_files_key(const struct prt_code_key *key)
{
	struct code_file *f;
	long err;
	u16 *at;

	if (!key->number || key->number > ncode_files || key->n > PRT_CODE_SEGMENTS ||
	    key->vdso > PRT_VDSO_32)
		return -EINVAL;
	f = code_files[key->number];
	if (f->nsegments)
		return -EEXIST;
	memcpy(f->segments, key->segments, sizeof(f->segments));
	if (key->vdso) {
		f->nsegments = key->n;
		smp_store_release(&vdso_files[key->vdso - PRT_VDSO_64], key->number);
	} else {
		err = identify(key, &f->identity);
		if (err)
			return err;
		f->nsegments = key->n;
		at = find_key(&f->identity);
		if (!*at)
			smp_store_release(at, key->number);
	}
	smp_store_release(&ncode_keys, ncode_keys + 1);
	return 0;
}
