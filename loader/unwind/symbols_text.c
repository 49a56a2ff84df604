/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The names of symbols as users see them. A short name of C++ or Rust can stand for one of any
 * length, because it says "as before" for parts of itself: decoding ends when that length is
 * reached, and the name is shown as it is.
 */
#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "shared/memory.h"
#include "unwind/symbols_private.h"

struct decoded {
	size_t n;
	jmp_buf too_long;
	char text[SYMBOLS_NAME_MAX];
};

static void append(const char *text, size_t n, void *arg)
{
	struct decoded *d = arg;

	if (n > sizeof(d->text) - d->n)
		longjmp(d->too_long, 1);
	memcpy(d->text + d->n, text, n);
	d->n += n;
}

/* false: it is not the name of a function of C++ or Rust, or too long. */
static bool decode(const char *name, struct decoded *d)
{
	const int options = DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP;

	d->n = 0;
	if (setjmp(d->too_long))
		return false;
	/* Rust's older names are valid names of C++, but not the other way round. */
	if (rust_demangle_callback(name, options, append, d) && d->n)
		return true;
	d->n = 0;
	return cplus_demangle_v3_callback(name, options, append, d) && d->n;
}

static size_t length_of(const char *name, enum symbols_origin origin)
{
	size_t n = strnlen(name, SYMBOLS_NAME_MAX);
	const char *at = n && origin != OF_MAP ? memchr(name + 1, '@', n - 1) : NULL;

	return at ? (size_t)(at - name) : n;
}

char *symbols_text(const char *name, enum symbols_origin origin)
{
	const char *end = origin == OF_IMPORT ? "@plt" : "", *from;
	size_t n = length_of(name, origin);
	struct decoded *d = NULL;
	char *plain = memory_zeroed(1, n + 1), *text;
	bool same;

	memcpy(plain, name, n);
	from = plain;
	if (plain[0] == '_' && (plain[1] == 'Z' || plain[1] == 'R')) {
		d = memory_zeroed(1, sizeof(*d));
		if (decode(plain, d)) {
			from = d->text;
			n = d->n;
		}
	}
	text = memory_zeroed(1, n + strlen(end) + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = iscntrl((unsigned char)from[i]) ? '?' : from[i];
	strcpy(text + n, end);
	same = strcmp(text, name) == 0;
	free(plain);
	free(d);
	if (!same)
		return text;
	free(text);
	return NULL;
}
