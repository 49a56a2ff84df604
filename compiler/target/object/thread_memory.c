/* SPDX-License-Identifier: GPL-2.0 */
#include "target/object/thread_memory.h"

#include <elfutils/libdwelf.h>
#include <string.h>

#include "base/arena.h"
#include "target/arch/arch.h"
#include "state.h"
#include "target/object/private.h"

enum { BUILD_ID_MOST = 64 }; /* bytes; PRT_BUILD_ID_MOST */

static Elf *elf_of(const struct program_file *o)
{
	const struct object_file *f = (const struct object_file *)o;
	GElf_Addr bias;

	return f->module ? dwfl_module_getelf(f->module, &bias) : NULL;
}

static bool find_header(const struct program_file *o, GElf_Word type, GElf_Phdr *ret)
{
	Elf *elf = elf_of(o);
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, (int)i, ret) && ret->p_type == type)
			return true;
	return false;
}

/* ---- programs ---- */

/* @align: a power of two */
static uint64_t round_up(uint64_t n, uint64_t align)
{
	return (n + align - 1) & ~(align - 1);
}

/* The end of the memory, rounded up, is at the base address, or its beginning after the head above
 * it. Linkers disagree only where the segment does not begin at a multiple of its alignment. */
bool thread_memory_of_program(const struct program_file *o, int64_t *ret, const char **why)
{
	GElf_Phdr head;
	uint64_t align;

	*why = "it has no thread-local memory at a fixed distance";
	if (!o->is_program || !find_header(o, PT_TLS, &head))
		return false;
	align = head.p_align ? head.p_align : 1;
	*why = "its thread-local memory has an alignment of which linkers make different things";
	if (head.p_vaddr % align || align & (align - 1) || head.p_memsz > INT32_MAX ||
	    align > INT32_MAX)
		return false;
	*ret = arch_thread_head() ? (int64_t)round_up(arch_thread_head(), align) :
				    -(int64_t)round_up(head.p_memsz, align);
	return true;
}

bool thread_memory_variable(const struct program_file *o, const char *name, uint64_t *ret)
{
	const struct object_file *f = (const struct object_file *)o;
	int n = f->module ? dwfl_module_getsymtab(f->module) : 0;
	bool found = false;

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Word section;
		GElf_Addr address, bias;
		Elf *from;
		const char *its = dwfl_module_getsym_info(f->module, i, &sym, &address, &section,
							  &from, &bias);

		if (!its || GELF_ST_TYPE(sym.st_info) != STT_TLS || section == SHN_UNDEF ||
		    strcmp(its, name) != 0 || (found && *ret == sym.st_value))
			continue;
		if (found)
			return false;
		*ret = sym.st_value;
		found = true;
	}
	return found;
}

/* ---- libraries ---- */

uint64_t thread_memory_dynamic(const struct program_file *o)
{
	GElf_Phdr head;

	return find_header(o, PT_DYNAMIC, &head) ? head.p_vaddr : 0;
}

/* The address of an object in the file's dynamic symbol table; 0: there is none. */
static uint64_t exported_object(const struct program_file *o, const char *name)
{
	Elf *elf = elf_of(o);
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *data = elf ? object_dynamic_symbols(elf, &head) : NULL;

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *its = elf_strptr(elf, head.sh_link, sym.st_name);

		if (its && sym.st_shndx != SHN_UNDEF && strcmp(its, name) == 0)
			return sym.st_value;
	}
	return 0;
}

/* A description of a member by glibc: its bits, `count` times, and its offset. */
struct description { uint32_t bits, count, offset; };

/* Reads a description, or a size, which is one number. Returns false if libc has none. */
static bool describe(struct state *s, const struct program_file *libc, const char *name,
		     void *ret, size_t size, const char **why)
{
	const char *symbol = arena_printf(s->arena, "_thread_db_%s", name);
	uint64_t at = exported_object(libc, symbol);
	const void *bytes = at ? object_data_at((struct object_file *)libc, at, size, false) : NULL;

	if (bytes)
		memcpy(ret, bytes, size);
	else
		*why = arena_printf(s->arena, "%s does not describe its structures (%s)",
				    libc->path, symbol);
	return bytes;
}

/* Each member is a number or a pointer of 8 bytes, but for arrays, of which the offset counts. */
static bool read_members(struct state *s, const struct program_file *libc,
			 struct thread_layout *l, unsigned *list, const char **why)
{
	const struct { const char *name; unsigned *to; bool is_array; } all[] = {
		{ "rtld_global__dl_tls_dtv_slotinfo_list", list, false },
		{ "dtv_slotinfo_list_len", &l->list_len, false },
		{ "dtv_slotinfo_list_next", &l->list_next, false },
		{ "dtv_slotinfo_list_slotinfo", &l->list_slots, true },
		{ "dtv_slotinfo_map", &l->slot_map, false },
		{ "dtv_slotinfo_gen", &l->slot_generation, false },
		{ "link_map_l_tls_offset", &l->map_distance, false },
		{ "pthread_dtvp", &l->vector, false },
		{ "dtv_t_counter", &l->entry_counter, false },
		{ "dtv_t_pointer_val", &l->entry_block, false },
	};
	struct description d;
	uint32_t size;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (!describe(s, libc, all[i].name, &d, sizeof(d), why))
			return false;
		if ((!all[i].is_array && d.bits != 64) || d.offset > INT32_MAX) {
			*why = arena_printf(s->arena, "%s describes %s in an unknown way",
					    libc->path, all[i].name);
			return false;
		}
		*all[i].to = d.offset;
	}
	if (!describe(s, libc, "sizeof_dtv_slotinfo", &size, sizeof(size), why) ||
	    !describe(s, libc, "dtv_dtv", &d, sizeof(d), why))
		return false;
	l->slot_size = size;
	l->entry_size = d.bits / 8;
	return true;
}

/* The address of the bytes of the build-id. */
static uint64_t build_id_at(const struct program_file *o)
{
	struct object_file *f = (struct object_file *)o;
	const void *id;
	ssize_t n = elf_of(o) ? dwelf_elf_gnu_build_id(elf_of(o), &id) : 0;

	if (n <= 0 || n > BUILD_ID_MOST)
		return 0;
	vec_each(it, &f->segments) {
		const unsigned char *bytes = object_data_at(f, it->address, it->size, false);
		const unsigned char *found = bytes ? memmem(bytes, it->size, id, (size_t)n) : NULL;

		if (found)
			return it->address + (uint64_t)(found - bytes);
	}
	return 0;
}

static const struct program_file *open_library(struct state *s, const char *program, int64_t pid,
					       const char *name)
{
	const char *path = pid && program ? object_library_of_process(s, pid, program, name) :
					    object_library(s, program, name);
	const char *why;

	return path ? object_open(s, path, &why) : NULL;
}

/* Before 2.34, glibc has the descriptions in libpthread. */
static const struct program_file *describer(struct state *s, const char *program, int64_t pid)
{
	const struct program_file *libc = open_library(s, program, pid, "libc.so.6");
	const struct program_file *threads;

	if (!libc || exported_object(libc, "_thread_db_dtv_dtv"))
		return libc;
	threads = open_library(s, program, pid, "libpthread.so.0");
	return threads ? threads : libc;
}

const struct thread_layout *thread_memory_of_library(struct state *s, const struct program_file *o,
						     const char *program, int64_t pid,
						     const char **why)
{
	struct thread_layout *l = NEW(s->arena, struct thread_layout);
	const struct program_file *libc = describer(s, program, pid);
	unsigned list;
	uint64_t global;

	*why = "the thread-local memory of libraries can be read on x86-64 only";
	if (arch_thread_head())
		return NULL;
	l->library = o;
	l->loader = open_library(s, program, pid, "ld-linux-x86-64.so.2");
	*why = "the thread-local memory of libraries is known only where glibc is";
	if (!libc || !l->loader || !read_members(s, libc, l, &list, why))
		return NULL;
	global = exported_object(l->loader, "_rtld_global");
	l->build_id_at = build_id_at(l->loader);
	*why = arena_printf(s->arena, "%s has no %s", l->loader->path,
			    global ? "build-id" : "_rtld_global");
	if (!global || !l->build_id_at)
		return NULL;
	l->list = global + list;
	return l;
}
