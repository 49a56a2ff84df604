/* SPDX-License-Identifier: GPL-2.0 */
/* Chooses the processor, and asks its own functions. */
#include "target/arch/private.h"

#include <string.h>

#ifdef __aarch64__
#define ARCH_OWN arch_arm64
#else
#define ARCH_OWN arch_x86_64
#endif

const struct arch *arch_now = &ARCH_OWN;
const struct arch_names *arch_names = &ARCH_OWN.names;

static const struct arch *const all[] = { &arch_x86_64, &arch_arm64 };

bool arch_choose(const char *machine)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (strcmp(machine ? machine : ARCH_OWN_MACHINE, all[i]->names.machine) == 0) {
			arch_now = all[i];
			arch_names = &arch_now->names;
			return true;
		}
	}
	return false;
}

const struct arch_names *arch_known(unsigned i)
{
	return i < sizeof(all) / sizeof(*all) ? &all[i]->names : NULL;
}

bool arch_is_foreign(void)
{
	return strcmp(arch_names->machine, ARCH_OWN_MACHINE) != 0;
}

static bool begins(const char *symbol, const char *prefix)
{
	return strncmp(symbol, prefix, strlen(prefix)) == 0;
}

bool arch_is_system_call(const char *symbol)
{
	return begins(symbol, arch_names->system_call) ||
	       begins(symbol, arch_names->system_call_32) ||
	       begins(symbol, arch_names->compat_call);
}

const struct arch *arch_of(bool of_32bit)
{
	return of_32bit && arch_now->of_32bit ? arch_now->of_32bit : arch_now;
}

const struct arch_names *arch_names_of(bool of_32bit)
{
	return &arch_of(of_32bit)->names;
}

/* ---- arch.h ---- */

bool arch_has_32bit(void)
{
	return arch_now->of_32bit;
}

static const struct passing_rules *rules_of(const struct btf_func *f)
{
	return arch_of(btf_db_is_32bit(f->db))->passing;
}

struct arch_passing arch_param(const struct btf_func *f, unsigned i)
{
	return passing_param(rules_of(f), f, i);
}

struct arch_passing arch_return(const struct btf_func *f)
{
	return passing_result(rules_of(f), f);
}

const char *arch_register(uint64_t number, bool of_32bit)
{
	const struct arch *a = arch_of(of_32bit);

	return number < a->nregisters ? a->registers[number] : NULL;
}

const char *arch_result_register(unsigned i, bool of_32bit)
{
	/* The numbers of debug information have this order, but on i386, where ecx is between. */
	return arch_register(of_32bit ? 2 * i : i, of_32bit);
}

int arch_simd_register(uint64_t number, bool of_32bit)
{
	const struct arch *arch = arch_of(of_32bit);

	return number >= arch->first_simd && number - arch->first_simd < arch->nsimd ?
	       (int)(number - arch->first_simd) : -1;
}

const char *arch_register_name(uint64_t number, bool of_32bit)
{
	const struct arch *a = arch_of(of_32bit);

	return number < a->nregister_names ? a->register_names[number] : NULL;
}

int arch_argument(const char *name)
{
	for (unsigned i = 0; i < arch_now->narguments; i++)
		if (strcmp(arch_now->arguments[i], name) == 0)
			return (int)i;
	return -1;
}

bool arch_may_pass(const char *name, bool of_32bit)
{
	const struct arch *a = arch_of(of_32bit);

	for (unsigned i = 0; i < a->narguments; i++)
		if (strcmp(a->arguments[i], name) == 0)
			return true;
	return strcmp(name, ARCH_STACK_POINTER) == 0;
}

const char *arch_argument_name(unsigned n)
{
	return n < arch_now->narguments ? arch_now->arguments[n] : NULL;
}

unsigned arch_argument_registers(void)
{
	return arch_now->narguments;
}

const char *arch_instruction_pointer(void)
{
	return arch_now->instruction_pointer;
}

bool arch_stack_needs_all(void)
{
	return arch_now->stack_needs_all;
}

bool arch_has_thread_memory(bool of_32bit)
{
	return arch_of(of_32bit)->has_thread_memory;
}

unsigned arch_thread_head(void)
{
	return arch_now->thread_head;
}

const char *arch_syscall_register(unsigned n)
{
	return n < arch_now->ncall ? arch_now->call[n] : NULL;
}

const char *arch_hwcaps(unsigned i, bool of_32bit)
{
	return arch_of(of_32bit)->hwcaps(i);
}

bool arch_is_import(uint64_t relocation, bool of_32bit)
{
	const struct arch *a = arch_of(of_32bit);

	return relocation == a->relocations.global || relocation == a->relocations.function;
}

enum arch_relocation arch_relocation(uint64_t type, bool of_32bit)
{
	const struct arch *a = arch_of(of_32bit);

	if (type == a->relocations.relative)
		return ARCH_RELOCATION_RELATIVE;
	if (type == a->relocations.indirect)
		return ARCH_RELOCATION_INDIRECT;
	return type == a->relocations.address || arch_is_import(type, of_32bit) ?
		       ARCH_RELOCATION_SYMBOL : ARCH_RELOCATION_OTHER;
}

size_t arch_plt_entry(uint64_t stated, uint64_t alignment, bool of_32bit)
{
	return arch_of(of_32bit)->plt_entry(stated, alignment);
}

bool arch_plt_word(const unsigned char *code, size_t n, uint64_t address, uint64_t got,
		   bool of_32bit, uint64_t *ret)
{
	return arch_of(of_32bit)->plt_word(code, n, address, got, ret);
}

/* ---- flow.h ---- */

bool arch_flow(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
	       struct arch_flow *ret)
{
	return arch_of(of_32bit)->flow(code, n, address, ret);
}

bool arch_flow_far(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
		   uint64_t *target)
{
	return arch_of(of_32bit)->flow_far(code, n, address, target);
}

int arch_flow_stored(const unsigned char *code, size_t n, unsigned base, int64_t offset)
{
	return arch_now->stored ? arch_now->stored(code, n, base, offset) : -1;
}

const char *arch_flow_frame(const unsigned char *code, size_t n)
{
	return arch_now->frame ? arch_now->frame(code, n) : NULL;
}

bool arch_flow_taken(const unsigned char *code, size_t n, struct arch_taken *ret)
{
	return arch_now->taken && arch_now->taken(code, n, ret);
}

unsigned arch_flow_entry_cfa(bool of_32bit)
{
	return arch_of(of_32bit)->entry_cfa;
}

/* ---- effect.h ---- */

bool arch_effect(const unsigned char *code, size_t n, uint64_t address, bool of_32bit,
		 struct arch_effect *ret)
{
	return arch_of(of_32bit)->effect(code, n, address, ret);
}

uint32_t arch_effect_call(bool of_32bit)
{
	return arch_of(of_32bit)->call_loses;
}

unsigned arch_effect_takes_return(const unsigned char *code, size_t n, bool of_32bit,
				  unsigned *reg)
{
	const struct arch *a = arch_of(of_32bit);

	return a->takes_return ? a->takes_return(code, n, reg) : 0;
}

unsigned arch_effect_result(void)
{
	return arch_now->result;
}

unsigned arch_effect_zero(void)
{
	return arch_now->zero;
}

/* ---- references.h ---- */

bool arch_references_known(void)
{
	return arch_now->references;
}

bool arch_references(const unsigned char *code, size_t n, uint64_t address,
		     struct arch_references *ret)
{
	return arch_now->references(code, n, address, ret);
}
