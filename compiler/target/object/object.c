/* SPDX-License-Identifier: GPL-2.0 */
/* ELF files of programs and libraries: object.h. Symbols are found by libdwfl. */
#include "target/object/object.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target/arch/arch.h"
#include "target/arch/flow.h"
#include "target/arch/names.h"
#include "base/words.h"
#include "target/object/debug.h"
#include "target/object/demangle.h"
#include "target/object/private.h"
#include "shared/search.h"
#include "state.h"

/* ---- symbols ---- */

static bool is_function(const GElf_Sym *sym, GElf_Word section)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF && sym->st_value;
}

static bool is_variable(const GElf_Sym *sym, GElf_Word section)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_OBJECT || type == STT_NOTYPE) && section != SHN_UNDEF && sym->st_value;
}

/* Removes the version that .symtab adds: "nanosleep@@GLIBC_2.2.5". */
static const char *unversioned(struct state *s, const char *name)
{
	size_t n = strcspn(name, "@");

	return arena_strndup(s->arena, name, n ? n : strlen(name));
}

/* clang names the function that chooses among clones for several processors "NAME.ifunc". */
static const char *indirect_name(struct state *s, const char *name)
{
	return words_end(name, ".ifunc") ? arena_strndup(s->arena, name, strlen(name) - 6) : name;
}

static void read_symbols(struct state *s, Dwfl_Module *m, GElf_Addr bias, struct object_file *f)
{
	int n = dwfl_module_getsymtab(m);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		GElf_Word section;
		GElf_Addr address;
		Elf *from;
		const char *name = dwfl_module_getsym_info(m, i, &sym, &address, &section, &from,
							   NULL);

		if (!name || !*name)
			continue;

		struct object_symbol one = {
			.name = unversioned(s, name), .address = address - bias,
			.size = sym.st_size,
			.is_global = GELF_ST_BIND(sym.st_info) != STB_LOCAL,
			.is_indirect = GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC,
		};

		if (is_function(&sym, section)) {
			f->o.has_mangled |= demangle_is_mangled(one.name);
			if (one.is_indirect)
				one.name = indirect_name(s, one.name);
			if (one.is_indirect)
				vec_push(s->arena, &f->o.indirect, one);
			else
				vec_push(s->arena, &f->o.symbols, one);
		} else if (is_variable(&sym, section)) {
			vec_push(s->arena, &f->variables, one);
		}
	}
}

static int by_name(const void *x, const void *y)
{
	return strcmp(*(const char *const *)x, *(const char *const *)y);
}

Elf_Data *object_dynamic_symbols(Elf *elf, GElf_Shdr *head)
{
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));)
		if (gelf_getshdr(scn, head) && head->sh_type == SHT_DYNSYM)
			return elf_getdata(scn, NULL);
	return NULL;
}

/* Marks the symbols that are in .dynsym. */
static void mark_exported(struct state *s, Elf *elf, struct object_symbol *symbols, size_t n)
{
	VEC(const char *) names = { 0 };
	GElf_Shdr head;
	GElf_Sym sym;
	Elf_Data *data = object_dynamic_symbols(elf, &head);

	for (int i = 1; data && gelf_getsym(data, i, &sym); i++) {
		const char *name = elf_strptr(elf, head.sh_link, sym.st_name);

		if (name && is_function(&sym, sym.st_shndx))
			vec_push(s->arena, &names, name);
	}
	if (!names.n || !n)
		return;
	qsort(names.v, names.n, sizeof(*names.v), by_name);
	for (struct object_symbol *it = symbols; it < symbols + n; it++) {
		size_t i;

		search_first(i, names.n, strcmp(names.v[i], it->name) < 0);
		it->is_exported = it->is_global && i < names.n &&
				  strcmp(names.v[i], it->name) == 0;
	}
}

/* An address keeps all its names; a name in two tables is kept once. */
static int by_address(const void *x, const void *y)
{
	const struct object_symbol *a = x, *b = y;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return strcmp(a->name, b->name);
}

static size_t sort_symbols(struct object_symbol *symbols, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(symbols, n, sizeof(*symbols), by_address);
	for (size_t i = 0; i < n; i++)
		if (!kept || by_address(&symbols[i], &symbols[kept - 1]))
			symbols[kept++] = symbols[i];
	return kept;
}

/* Adds the symbols of another build, if --symbols names one. Returns false if that is not
 * possible. */
static bool add_rebuilt(struct state *s, struct object_file *f, const char **why)
{
	*why = NULL;
	vec_each(it, &s->opt.other_builds) {
		const char *real = object_real_path(s, it->file), *of;
		const struct program_file *other;

		if (!real || strcmp(real, f->o.path) != 0)
			continue;
		of = object_real_path(s, it->build);
		other = of ? object_open(s, of, why) : NULL;
		if (other)
			*why = object_rebuilt(s, f, other);
		else if (!of)
			*why = "there is no such file";
		if (*why)
			*why = arena_printf(s->arena, "its functions can't be found by %s of "
					    "--symbols: %s", it->build, *why);
		return !*why;
	}
	return true;
}

static void finish_symbols(struct state *s, Elf *elf, struct program_file *o)
{
	o->symbols.n = sort_symbols(o->symbols.v, o->symbols.n);
	o->indirect.n = sort_symbols(o->indirect.v, o->indirect.n);
	mark_exported(s, elf, o->symbols.v, o->symbols.n);
	mark_exported(s, elf, o->indirect.v, o->indirect.n);
}

/* ---- the file ---- */

bool object_is_loadable(Elf *elf, const char **why)
{
	GElf_Ehdr head;

	*why = "it is not an ELF file";
	if (!elf || !gelf_getehdr(elf, &head))
		return false;
	*why = "it is for another processor";
	if (head.e_machine != arch_names->elf_machine &&
	    head.e_machine != arch_names->elf_machine_32)
		return false;
	*why = "it is a 32-bit file";
	if (head.e_machine == arch_names->elf_machine ? head.e_ident[EI_CLASS] != ELFCLASS64 :
							 !object_is_32bit(elf))
		return false;
	*why = "it is for another processor";
	if (head.e_ident[EI_DATA] != ELFDATA2LSB)
		return false;
	*why = "it is neither a program nor a library";
	return head.e_type == ET_EXEC || head.e_type == ET_DYN;
}

bool object_is_32bit(Elf *elf)
{
	GElf_Ehdr head;

	return arch_has_32bit() && gelf_getehdr(elf, &head) &&
	       head.e_machine == arch_names->elf_machine_32 &&
	       head.e_ident[EI_CLASS] == ELFCLASS32;
}

static void read_segments(struct state *s, Elf *elf, struct object_file *f)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (!gelf_getphdr(elf, (int)i, &head))
			continue;
		if (head.p_type == PT_LOAD)
			vec_push(s->arena, &f->segments,
				 ((struct object_segment){ head.p_vaddr, head.p_offset,
							   head.p_filesz, head.p_flags & PF_X,
							   head.p_flags & PF_W, head.p_memsz }));
		if (head.p_type == PT_GNU_EH_FRAME)
			f->frame_table = head.p_vaddr;
		if (head.p_type == PT_GNU_RELRO) {
			f->relro = head.p_vaddr;
			f->relro_size = head.p_memsz;
		}
	}
}

static const char *build_id_of(struct state *s, Elf *elf)
{
	const void *id;
	char hex[129];
	ssize_t n = dwelf_elf_gnu_build_id(elf, &id);

	if (n <= 0 || n > 64)
		return NULL;
	for (ssize_t i = 0; i < n; i++)
		snprintf(hex + 2 * i, 3, "%02x", ((const unsigned char *)id)[i]);
	return arena_strdup(s->arena, hex);
}

static bool is_fixed(Elf *elf)
{
	GElf_Ehdr head;

	return gelf_getehdr(elf, &head) && head.e_type == ET_EXEC;
}

static bool has_interpreter(Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr head;

		if (gelf_getphdr(elf, (int)i, &head) && head.p_type == PT_INTERP)
			return true;
	}
	return false;
}

/* Linkers before DF_1_PIE did not mark position-independent programs. libc.so.6 has an interpreter,
 * too. */
static bool is_program(Elf *elf)
{
	Elf_Data *dynamic = object_dynamic(elf);

	return is_fixed(elf) || object_dynamic_value(dynamic, DT_FLAGS_1) & DF_1_PIE ||
	       (has_interpreter(elf) && !object_dynamic_value(dynamic, DT_SONAME));
}

static uint64_t entry_of(Elf *elf)
{
	GElf_Ehdr head;

	return gelf_getehdr(elf, &head) ? head.e_entry : 0;
}

static uint64_t first_code(const struct object_file *f)
{
	uint64_t first = UINT64_MAX;

	vec_each(it, &f->segments)
		if (it->is_code && it->address < first)
			first = it->address;
	return first;
}

static bool open_module(struct state *s, struct object_file *f)
{
	/* The directories in which files are searched by build-id and path. */
	char **where = NEW(s->arena, char *);
	Dwfl_Callbacks *callbacks = NEW(s->arena, Dwfl_Callbacks);
	void **data;

	*callbacks = (Dwfl_Callbacks){
		.find_debuginfo = object_find_debug_file,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = s->opt.debuginfo ? where : NULL,
	};
	if (s->opt.debuginfo)
		*where = arena_strdup(s->arena, s->opt.debuginfo);
	f->dwfl = dwfl_begin(callbacks);
	if (!f->dwfl)
		return false;
	f->module = dwfl_report_offline(f->dwfl, f->o.path, f->o.path, -1);
	dwfl_report_end(f->dwfl, NULL, NULL);
	if (!f->module || !dwfl_module_info(f->module, &data, NULL, NULL, NULL, NULL, NULL, NULL))
		return false;
	*data = f;
	return true;
}

/* libdwfl also opens archives, as a module for each member, and compressed files. */
static bool begins_as_elf(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[SELFMAG];
	bool ret = fd >= 0 && read(fd, magic, SELFMAG) == SELFMAG &&
		   memcmp(magic, ELFMAG, SELFMAG) == 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static bool read_file(struct state *s, struct object_file *f, const char **why)
{
	GElf_Addr bias = 0;
	Elf *elf = begins_as_elf(f->o.path) && open_module(s, f) ?
		   dwfl_module_getelf(f->module, &bias) : NULL;

	if (!object_is_loadable(elf, why))
		return false;
	read_segments(s, elf, f);
	f->o.build_id = build_id_of(s, elf);
	f->o.is_fixed = is_fixed(elf);
	f->o.is_32bit = object_is_32bit(elf);
	f->o.is_program = is_program(elf);
	f->o.first_code = first_code(f);
	f->o.entry = entry_of(elf);
	read_symbols(s, f->module, bias, f);
	object_read_plt(s, elf, f);
	if (!add_rebuilt(s, f, why))
		return false;
	finish_symbols(s, elf, &f->o);
	object_read_marks(s, elf, f);
	object_read_stacks(elf, &f->o);
	return true;
}

struct program_file *object_open(struct state *s, const char *path, const char **why)
{
	struct object_file *f;
	struct stat st;

	if (!s->objects) {
		s->objects = NEW(s->arena, struct map);
		map_init(s->objects, s->arena);
	}
	f = map_get(s->objects, path);
	if (f)
		return &f->o;
	*why = "it is not a file";
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	f = NEW(s->arena, struct object_file);
	f->s = s;
	f->o.path = arena_strdup(s->arena, path);
	vec_push(s->arena, &s->files_read, f->o.path);
	elf_version(EV_CURRENT);
	if (!read_file(s, f, why)) {
		dwfl_end(f->dwfl);
		return NULL;
	}
	map_set(s->objects, f->o.path, f);
	return &f->o;
}

Dwarf *object_debug_info(struct state *s, const struct program_file *o, Elf **loaded,
			 const char **path)
{
	const struct object_file *f = (const struct object_file *)o;
	const char *file = NULL;
	GElf_Addr bias;
	Dwarf *dwarf;

	if (!f->module)
		return NULL;
	*loaded = dwfl_module_getelf(f->module, &bias);
	dwarf = dwfl_module_getdwarf(f->module, &bias);
	dwfl_module_info(f->module, NULL, NULL, NULL, NULL, NULL, NULL, &file);
	/* A cached module depends on the file. */
	*path = dwarf && file ? arena_strdup(s->arena, file) : NULL;
	if (*path)
		vec_push(s->arena, &s->files_read, *path);
	return dwarf;
}

void object_close(struct state *s)
{
	if (!s->objects)
		return;
	map_each(it, s->objects) {
		struct object_file *f = it->value;

		object_close_code(f);
		dwfl_end(f->dwfl);
		f->dwfl = NULL;
		f->module = NULL;
	}
}

/* ---- queries ---- */

static bool offset_in(const struct program_file *o, uint64_t address, bool code, uint64_t *ret)
{
	const struct object_file *f = (const struct object_file *)o;

	vec_each(it, &f->segments) {
		if ((it->is_code || !code) && address >= it->address &&
		    address - it->address < it->size) {
			*ret = address - it->address + it->offset;
			return true;
		}
	}
	return false;
}

bool object_offset(const struct program_file *o, uint64_t address, uint64_t *ret)
{
	return offset_in(o, address, true, ret);
}

uint64_t object_address(const struct program_file *o, uint64_t offset)
{
	const struct object_file *f = (const struct object_file *)o;

	vec_each(it, &f->segments)
		if (it->is_code && offset >= it->offset && offset - it->offset < it->size)
			return offset - it->offset + it->address;
	return 0;
}

bool object_writes_code(const struct program_file *o, uint64_t offset)
{
	const struct object_file *f = (const struct object_file *)o;

	vec_each(it, &f->segments)
		if (it->is_code && it->is_writable && offset >= it->offset &&
		    offset - it->offset < it->size)
			return true;
	return false;
}

bool object_data_offset(const struct object_file *f, uint64_t address, uint64_t *ret)
{
	return offset_in(&f->o, address, false, ret);
}

static bool read_bytes(struct object_file *f)
{
	GElf_Addr bias;
	Elf *elf = !f->bytes && f->module ? dwfl_module_getelf(f->module, &bias) : NULL;

	if (elf)
		f->bytes = (const unsigned char *)elf_rawfile(elf, &f->nbytes);
	return f->bytes;
}

const unsigned char *object_code_at(struct object_file *f, uint64_t address, size_t *left)
{
	if (!read_bytes(f))
		return NULL;
	vec_each(it, &f->segments) {
		uint64_t in = address - it->address;

		if (!it->is_code || address < it->address || in >= it->size ||
		    it->offset > f->nbytes || it->size > f->nbytes - it->offset)
			continue;
		*left = it->size - in;
		return f->bytes + it->offset + in;
	}
	return NULL;
}

const unsigned char *object_data_at(struct object_file *f, uint64_t address, size_t n, bool fixed)
{
	uint64_t offset;
	bool is_fixed = address >= f->relro && address - f->relro < f->relro_size;

	vec_each(it, &f->segments)
		is_fixed |= !it->is_writable && address >= it->address &&
			    address - it->address < it->size;
	if ((fixed && !is_fixed) || !offset_in(&f->o, address, false, &offset) ||
	    !read_bytes(f) || offset > f->nbytes || n > f->nbytes - offset)
		return NULL;
	return f->bytes + offset;
}

/* Whether a function is shown by that very name. */
static bool has_exactly(const struct program_file *o, const struct demangle_pattern *p)
{
	vec_each(it, &o->symbols)
		if (demangle_is_same(p, it->name))
			return true;
	return false;
}

void object_find(struct state *s, const struct program_file *o, const char *pattern,
		 struct object_symbols *ret)
{
	struct demangle_pattern p;

	demangle_pattern_read(s->arena, pattern, !o->has_mangled, &p);
	p.is_exact = has_exactly(o, &p);
	vec_each(it, &o->symbols)
		if (demangle_matches(&p, it->name))
			vec_push(s->arena, &ret->v, (const struct object_symbol *)it);
	vec_each(it, &o->indirect)
		if (demangle_matches(&p, it->name))
			vec_push(s->arena, &ret->v, (const struct object_symbol *)it);
}

bool object_variable(const struct program_file *o, const char *name, uint64_t *ret)
{
	const struct object_file *f = (const struct object_file *)o;
	bool found = false;

	vec_each(it, &f->variables) {
		if (strcmp(it->name, name) != 0 || (found && it->address == *ret))
			continue;
		if (found)
			return false;
		*ret = it->address;
		found = true;
	}
	return found;
}

const struct object_symbol *object_symbol_at(const struct program_file *o, uint64_t address)
{
	size_t low;

	search_first(low, o->symbols.n, o->symbols.v[low].address <= address);
	/* The last function that begins at or before the address and reaches it. */
	for (; low > 0; low--) {
		const struct object_symbol *one = &o->symbols.v[low - 1];

		if (address - one->address < (one->size ? one->size : 1))
			return one;
		if (one->address + 0x100000 < address)
			break;
	}
	return NULL;
}
