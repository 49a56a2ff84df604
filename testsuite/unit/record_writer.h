/* SPDX-License-Identifier: GPL-2.0 */
/* The values of a print statement as the kernel half stores them in a record, made by hand. */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include <stdint.h>
#include <string.h>

#include "records.h"

struct record {
	char bytes[4096];
	size_t len;
};

static inline void put(struct record *r, const void *data, size_t n)
{
	memcpy(r->bytes + r->len, data, n);
	r->len += n;
}

static inline void put_long(struct record *r, int64_t v)
{
	put(r, &v, sizeof(v));
}

static inline void put_string(struct record *r, const char *s, uint32_t len)
{
	put(r, &len, sizeof(len));
	put(r, s, len);
	while (r->len % 8)
		r->bytes[r->len++] = 0;
}

static inline void put_text(struct record *r, const char *s)
{
	put_string(r, s, (uint32_t)strlen(s));
}

static inline void put_hist(struct record *r, const struct prt_hist_data *h, const uint64_t *counts)
{
	put(r, h, sizeof(*h));
	put(r, counts, h->n * sizeof(*counts));
}

static inline void put_stack(struct record *r, uint32_t style, const struct prt_stack_part *part,
			     const uint64_t *frames)
{
	struct prt_stack_data data = { .len = sizeof(*part) + part->n * sizeof(*frames),
				       .style = style };

	put(r, &data, sizeof(data));
	put(r, part, sizeof(*part));
	put(r, frames, part->n * sizeof(*frames));
}

#endif
