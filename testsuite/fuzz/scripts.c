/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Finds and names frames of scripts. The first byte of the input tells what the rest is: a
 * program or library, whose table must be one that the kernel half takes and whose program must
 * end, with the same bytes for the memory of the process; or the description of an object in the
 * language of the second byte, whose name has no control characters. */
#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/script_check.h"
#include "runtime/script_step.h"
#include "common/utf8.h"
#include "scripts/language.h"
#include "scripts/private.h"
#include "scripts/scripts.h"

enum { EVENTS = 1 << 16, POSITIONS = 64 };

struct memory {
	const uint8_t *data;
	size_t size;
};

static bool read_word(void *arg, prt_u64 address, unsigned size, prt_u64 *ret)
{
	const struct memory *m = arg;

	if (m->size < 8)
		return false;
	*ret = 0;
	memcpy(ret, m->data + address % (m->size - 7), 1u << size);
	return true;
}

/* Runs the program of a table to its end, and describes the objects that it finds. */
static void run(const struct prt_script_table *t, struct memory *m)
{
	struct prt_script_run run, describing;
	unsigned end, i = 0;

	prt_script_begin(&run, t, 0x10000, 0x1000, 0x310 | PRT_KEYS_BLOCKS);
	for (; i < EVENTS; i++) {
		enum prt_script_event event = prt_script_next(&run, read_word, m, &end);

		if (event == PRT_SCRIPT_IS_END)
			break;
		if (event != PRT_SCRIPT_IS_FRAME)
			continue;
		describing = prt_script_describing(&run);
		for (unsigned k = 0; k < EVENTS; k++)
			if (prt_script_next(&describing, read_word, m, &end) != PRT_SCRIPT_IS_PIECE)
				break;
	}
	FUZZ_MUST(i < EVENTS && end < PRT_SCRIPT_ENDS);
}

static void read_file(const uint8_t *data, size_t size)
{
	static int fd = -1;
	char refused[SCRIPT_VERSION_MAX];
	struct prt_script_table *t;
	struct memory m = { data, size };

	if (fd < 0)
		fd = memfd_create("interpreter", 0);
	FUZZ_MUST(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	script_keys(fd);
	t = script_table(fd, refused);
	FUZZ_MUST(strlen(refused) < SCRIPT_VERSION_MAX && (!t || !*refused));
	if (!t)
		return;
	FUZZ_MUST(prt_script_ok(t, t->size));
	run(t, &m);
	free(t);
}

static void check_text(const char *s)
{
	size_t left = strlen(s), n;

	for (; left; s += n, left -= n) {
		n = utf8_sequence(s, left);
		FUZZ_MUST(n && (unsigned char)*s >= 0x20 && *s != 0x7f);
		FUZZ_MUST(n != 2 || (unsigned char)*s != 0xc2 || (unsigned char)s[1] >= 0xa0);
	}
}

static void read_object(const uint8_t *data, size_t size)
{
	const struct script_language *l = script_language_of(1 + data[0] % 8u);
	struct script_object o;
	uint32_t position;

	if (!l)
		return;
	script_object_read(data + 1, size - 1, l, &o);
	FUZZ_MUST(*o.function);
	check_text(o.function);
	check_text(o.file);
	for (uint32_t i = 0; i < POSITIONS; i++)
		l->line(&o, i);
	for (size_t i = 1; i + 4 <= size && i < 4096; i += 4) {
		memcpy(&position, data + i, 4);
		FUZZ_MUST(l->line(&o, position) == l->line(&o, position));
	}
	script_object_free(&o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (data[0] % 2)
		read_object(data + 1, size - 1);
	else
		read_file(data + 1, size - 1);
	return 0;
}
