/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of programs over which the kernel's breakpoints do not step as the program needs
 * it. */
#include "target/object/object.h"

#include <elf.h>

#include "target/arch/flow.h"
#include "target/arch/names.h"
#include "target/object/private.h"

bool object_saves_flags(const struct program_file *o, uint64_t offset)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	struct arch_flow flow;
	size_t left = 0;
	const unsigned char *code = object_code_at(f, object_address(o, offset), &left);

	return code && arch_flow(code, left, 0, o->is_32bit, &flow) && flow.saves_flags;
}

bool object_is_unsteppable(const struct program_file *o, uint64_t offset)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	uint64_t address = object_address(o, offset);
	struct arch_flow flow;
	size_t left = 0;
	const unsigned char *code = object_code_at(f, address, &left);

	return code && arch_flow(code, left, address, o->is_32bit, &flow) && flow.unsteppable;
}

bool object_is_exclusive(const struct program_file *o, uint64_t offset)
{
	/* The kernel looks as far back in its own code (MAX_ATOMIC_CONTEXT_SIZE). */
	enum { MOST = 32, LENGTH = 4 };

	struct object_file *f = (struct object_file *)(uintptr_t)o;
	uint64_t address = object_address(o, offset);

	if (arch_names->elf_machine != EM_AARCH64)
		return false;
	for (unsigned i = 0; i <= MOST && address >= i * LENGTH; i++) {
		size_t left = 0;
		uint64_t at = address - i * LENGTH;
		const unsigned char *code = object_code_at(f, at, &left);
		struct arch_flow flow;

		if (!code || !arch_flow(code, left, at, o->is_32bit, &flow))
			return false;
		if (flow.exclusive == ARCH_FLOW_LOAD_EXCLUSIVE)
			return true;
		if (flow.exclusive == ARCH_FLOW_STORE_EXCLUSIVE)
			return i == 0;
		if (i && (flow.kind == ARCH_FLOW_JUMP || flow.kind == ARCH_FLOW_COMPUTED ||
			  flow.kind == ARCH_FLOW_RETURN || flow.kind == ARCH_FLOW_STOP))
			return false;
	}
	return false;
}
