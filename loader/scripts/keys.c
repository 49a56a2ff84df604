/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where pthread_getspecific() finds its values. glibc describes that for debuggers
 * (nptl_db/structs.def): each description is three numbers of 32 bits, the bits of an element, how
 * many there are, and the offset; that of `specific` is about the thread's blocks of keys. Before
 * 2.34 libpthread has it among the symbols that are left there for gdb. musl has no such thing, but
 * a function of a few instructions, in which the offset is.
 */
#include <string.h>

#include "arch/arch.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"

/* These are checked, but for the offset of the first one, which is looked for. */
static const struct {
	const char *name;
	uint32_t bits, count, offset;
} descriptions[] = {
	{ "_thread_db_pthread_specific", 32 * 64, 1, 0 },             /* pointers to blocks */
	{ "_thread_db_pthread_key_data_level2_data", 128, 32, 0 },    /* pairs of a block */
	{ "_thread_db_pthread_key_data_data", 64, 1, 8 },             /* the value of a pair */
};

static bool read_description(const struct script_file *f, const char *name, uint32_t ret[3])
{
	uint64_t address, size;

	return script_file_symbol(f, name, &address, &size) && size == 3 * sizeof(*ret) &&
	       script_file_bytes(f, address, ret, size);
}

static uint32_t keys_of_glibc(struct script_file *f)
{
	uint32_t words[3], offset = 0;

	script_file_deepen(f);
	for (unsigned i = 0; i < sizeof(descriptions) / sizeof(*descriptions); i++) {
		if (!read_description(f, descriptions[i].name, words) ||
		    words[0] != descriptions[i].bits || words[1] != descriptions[i].count ||
		    (i && words[2] != descriptions[i].offset))
			return 0;
		if (!i)
			offset = words[2];
	}
	return offset <= PRT_KEYS_OFFSET ? offset | PRT_KEYS_BLOCKS : 0;
}

static uint32_t keys_of_musl(const struct script_file *f, uint64_t function)
{
	unsigned char code[32];
	uint32_t offset;

	if (!script_file_bytes(f, function, code, sizeof(code)) ||
	    !arch_key_array(code, sizeof(code), &offset) || offset > PRT_KEYS_OFFSET)
		return 0;
	return offset | PRT_KEYS_ARRAY;
}

uint32_t script_keys(int fd)
{
	struct script_file *f = ARCH_THREAD_IS_BASE ? script_file_open(fd) : NULL;
	uint64_t address, size;
	uint32_t ret = 0;

	if (f && script_file_symbol(f, "pthread_getspecific", &address, &size)) {
		ret = keys_of_musl(f, address);
		if (!ret)
			ret = keys_of_glibc(f);
	}
	script_file_close(f);
	return ret;
}
