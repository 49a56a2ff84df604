/* SPDX-License-Identifier: GPL-2.0 */
/* The build ID of a program, by which a script knows it again. */
#include <elf.h>
#include <limits.h>
#include <unistd.h>

#include "machine/programs.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "unit.h"

/* A copy of this program, to be changed. */
struct copy {
	char path[64];
	struct buf bytes;
	char id[KERNEL_BUILD_ID_SIZE]; /* of this program */
};

static int setup(void **state)
{
	struct copy *c = calloc(1, sizeof(*c));
	int fd;

	strcpy(c->path, "/tmp/programs.XXXXXX");
	fd = mkstemp(c->path);
	if (fd < 0 || close(fd) != 0 || file_read("/proc/self/exe", &c->bytes) != 0)
		return -1;
	programs_build_id("/proc/self/exe", c->id);
	*state = c;
	return 0;
}

static int teardown(void **state)
{
	struct copy *c = *state;

	unlink(c->path);
	buf_deinit(&c->bytes);
	free(c);
	return 0;
}

static const char *id_of(struct copy *c)
{
	static char id[KERNEL_BUILD_ID_SIZE];
	FILE *f = fopen(c->path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(c->bytes.s, 1, c->bytes.len, f), c->bytes.len);
	assert_int_equal(fclose(f), 0);
	programs_build_id(c->path, id);
	return id;
}

static void drop_segments(struct copy *c)
{
	const Elf64_Ehdr *head = (const void *)c->bytes.s;
	Elf64_Phdr *it = (void *)(c->bytes.s + head->e_phoff);

	for (unsigned i = 0; i < head->e_phnum; i++)
		if (it[i].p_type == PT_NOTE)
			it[i].p_type = PT_NULL;
}

TEST_WITH(segments, setup, teardown)
{
	struct copy *c = *state;
	Elf64_Ehdr *head = (void *)c->bytes.s;

	assert_int_equal(strlen(c->id), 40);
	head->e_shnum = 0;
	assert_string_equal(id_of(c), c->id);
}

/* As the linker of Go writes it. */
TEST_WITH(section, setup, teardown)
{
	struct copy *c = *state;

	drop_segments(c);
	assert_string_equal(id_of(c), c->id);
}

TEST_WITH(none, setup, teardown)
{
	struct copy *c = *state;
	Elf64_Ehdr *head = (void *)c->bytes.s;

	drop_segments(c);
	head->e_shnum = 0;
	assert_string_equal(id_of(c), "");
	/* Headers that are not in the file. */
	head->e_shnum = 100;
	head->e_shoff = c->bytes.len - 10;
	assert_string_equal(id_of(c), "");
}
