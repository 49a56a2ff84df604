/* SPDX-License-Identifier: GPL-2.0 */
/* Instructions of programs over which the kernel's breakpoints do not step as the program needs
 * it. */
#include "target/object/object.h"

#include <elf.h>

#include "target/arch/flow.h"
#include "target/arch/names.h"
#include "target/object/private.h"

/* The instruction at an address of the program's. False: there is none, or it is not known. */
static bool flow_at(const struct program_file *o, uint64_t address, struct arch_flow *ret)
{
	struct object_file *f = (struct object_file *)(uintptr_t)o;
	size_t left = 0;
	const unsigned char *code = object_code_at(f, address, &left);

	return code && arch_flow(code, left, address, o->is_32bit, ret);
}

bool object_saves_flags(const struct program_file *o, uint64_t offset)
{
	struct arch_flow flow;

	return flow_at(o, object_address(o, offset), &flow) && flow.saves_flags;
}

bool object_is_unsteppable(const struct program_file *o, uint64_t offset)
{
	struct arch_flow flow;

	return flow_at(o, object_address(o, offset), &flow) && flow.unsteppable;
}

bool object_is_exclusive(const struct program_file *o, uint64_t offset)
{
	/* The kernel looks as far back in its own code (MAX_ATOMIC_CONTEXT_SIZE). */
	enum { MOST = 32, LENGTH = 4 };

	uint64_t address = object_address(o, offset);

	if (arch_names->elf_machine != EM_AARCH64)
		return false;
	for (unsigned i = 0; i <= MOST && address >= i * LENGTH; i++) {
		struct arch_flow flow;

		if (!flow_at(o, address - i * LENGTH, &flow))
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
