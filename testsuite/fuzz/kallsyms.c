/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Resolves the sites of a module. The input is a .probec text, a NUL, and the content of
 * /proc/kallsyms. A site must have an address exactly if a line of its name has one. */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "machine/kallsyms.h"
#include "module/meta.h"
#include "version.h"

static const char *symbols_file(const uint8_t *data, size_t size)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("kallsyms", 0);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	FUZZ_MUST(ftruncate(fd, 0) == 0 && pwrite(fd, data, size, 0) == (ssize_t)size);
	return path;
}

static int mentions(const uint8_t *data, size_t size, const char *symbol)
{
	return !*symbol || memmem(data, size, symbol, strlen(symbol)) != NULL;
}

/* @text is a self-description, @symbols the content of /proc/kallsyms. */
static void resolve(const char *text, size_t len, const uint8_t *symbols, size_t size)
{
	struct kallsyms k;
	struct meta m;
	char why[64];

	if (meta_parse(text, len, &m, why, sizeof(why)))
		return;
	if (kallsyms_resolve(symbols_file(symbols, size), NULL, &m, &k) == 0) {
		for (uint32_t i = 0; i < m.nsites; i++)
			FUZZ_MUST(!k.addresses[i] ||
				  mentions(symbols, size, m.sites[i].symbol));
		kallsyms_report(&k, &m);
	}
	kallsyms_deinit(&k);
	meta_deinit(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, 0, size);
	size_t len = nul ? (size_t)(nul - data) : size;

	if (nul) {
		char *text = fuzz_with_version(data, len);

		resolve(text, len, nul + 1, size - len - 1);
		free(text);
	}
	return 0;
}
