/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Nothing that the dump says is believed: lists end where they are longer than what they list can
 * be, and rings have together no more bytes than the file.
 */
#include "dump/recorder.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "dump/memory.h"
#include "shared/memory.h"

enum { PAGE_MIN = 4096, PAGE_MAX_BYTES = 65536, RING_MIN = 64 << 10, RING_MAX = 1 << 30,
       RINGS_MAX = 1 << 16 };

/* ---- anchors ---- */

static bool has_end(const char *text, size_t size)
{
	return memchr(text, 0, size) != NULL;
}

static bool is_power_of_2(uint64_t n)
{
	return n && (n & (n - 1)) == 0;
}

static void take_anchor(void *arg, uint64_t at)
{
	struct recorders *r = arg;
	struct prt_vmcore a;

	if (!dump_read(r->m, at, &a, sizeof(a)) || a.self != at ||
	    memcmp(a.magic, PRT_VMCORE_MAGIC, sizeof(a.magic)) != 0)
		return;
	/* Segments may overlap. */
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].self == at)
			return;
	r->v = memory_resized(r->v, r->n + 1, sizeof(*r->v));
	r->v[r->n++] = a;
}

int recorders_find(struct recorders *ret, const struct dump_memory *m)
{
	*ret = (struct recorders){ .m = m };
	return dump_search(m, PRT_VMCORE_MAGIC, sizeof(PRT_VMCORE_MAGIC), take_anchor, ret);
}

void recorders_deinit(struct recorders *r)
{
	free(r->v);
	*r = (struct recorders){ 0 };
}

/* ---- lists of pages ---- */

struct page_list {
	uint64_t *page;           /* addresses */
	size_t n;
	struct prt_vmcore_pages first; /* without its addresses */
};

/* Reads the list that begins at @at, of at most @most pages of @size bytes. false: it is damaged,
 * or the dump lacks a part of it. */
static bool read_list(const struct dump_memory *m, uint64_t at, uint32_t size, size_t most,
		      struct page_list *ret)
{
	uint32_t room = (uint32_t)((size - sizeof(ret->first)) / sizeof(*ret->page));
	struct prt_vmcore_pages head = { 0 };

	*ret = (struct page_list){ 0 };
	while (at) {
		if (!dump_read(m, at, &head, sizeof(head)) || !head.n || head.n > room ||
		    head.n > most - ret->n)
			return false;
		if (!ret->n)
			ret->first = head;
		ret->page = memory_resized(ret->page, ret->n + head.n, sizeof(*ret->page));
		if (!dump_read(m, at + sizeof(head), ret->page + ret->n,
			       head.n * sizeof(*ret->page)))
			return false;
		ret->n += head.n;
		at = head.next;
	}
	return true;
}

/* Reads @len bytes from byte @from on of the pages. */
static bool read_pages(const struct dump_memory *m, const uint64_t *pages, uint32_t size,
		       uint64_t from, char *to, size_t len)
{
	while (len) {
		uint64_t within = from % size;
		size_t part = size - within < len ? (size_t)(size - within) : len;

		if (!dump_read(m, pages[from / size] + within, to, part))
			return false;
		to += part;
		from += part;
		len -= part;
	}
	return true;
}

/* ---- what an anchor leads to ---- */

static int damaged(const struct prt_vmcore *of, const char *what)
{
	say_error("E_VMCORE", "makedumpfile keeps it with -d 31; was the dump copied completely?",
		  "%s of the session '%s' is damaged, or not in the dump", what, of->module);
	return -1;
}

static int check_anchor(const struct prt_vmcore *of)
{
	if (!has_end(of->module, sizeof(of->module)) || !has_end(of->host, sizeof(of->host)) ||
	    !has_end(of->release, sizeof(of->release)) || !is_power_of_2(of->page_size) ||
	    of->page_size < PAGE_MIN || of->page_size > PAGE_MAX_BYTES) {
		say_error("E_VMCORE", NULL, "a flight recorder in the dump is damaged");
		return -1;
	}
	if (of->abi == PRT_ABI_VERSION)
		return 0;
	say_error("E_VMCORE", "use the probec that started the session",
		  "the session '%s' is from another version of probec: its format is %u, but this "
		  "one reads %u", of->module, of->abi, PRT_ABI_VERSION);
	return -1;
}

char *recorder_about(const struct dump_memory *m, const struct prt_vmcore *of, size_t *len)
{
	static const char what[] = "the description";
	char *text = NULL;
	struct page_list list;

	if (check_anchor(of))
		return NULL;
	if (!of->about_len || of->about_len > PRT_VMCORE_ABOUT || of->about_len > m->size) {
		damaged(of, what);
		return NULL;
	}
	*len = of->about_len;
	if (read_list(m, of->about, of->page_size, *len / of->page_size + 1, &list) &&
	    list.n * (uint64_t)of->page_size >= *len) {
		text = memory_zeroed(*len, 1);
		if (!read_pages(m, list.page, of->page_size, 0, text, *len)) {
			free(text);
			text = NULL;
		}
	}
	free(list.page);
	if (!text)
		damaged(of, what);
	return text;
}

/* Reads the ring whose pages are listed, unless it is damaged or has more than @most bytes. */
static bool read_ring(const struct dump_memory *m, uint32_t size, const struct page_list *list,
		      uint64_t most, struct ring *ret)
{
	struct prt_ring_head head;
	uint64_t len, at, part;
	char *data;

	if (!list->n || !dump_read(m, list->page[0], &head, sizeof(head)) ||
	    head.magic != PRT_MAGIC || !is_power_of_2(head.size) || head.size < RING_MIN ||
	    head.size > RING_MAX || list->n != 1 + (uint64_t)head.size / size)
		return false;
	len = head.head - head.tail;
	if (len > head.size || len > most)
		return false;
	at = head.tail & (head.size - 1);
	part = head.size - at < len ? head.size - at : len;
	data = memory_zeroed(len + 1, 1);
	if (!read_pages(m, list->page + 1, size, at, data, part) ||
	    !read_pages(m, list->page + 1, size, 0, data + part, len - part)) {
		free(data);
		return false;
	}
	*ret = (struct ring){ .data = data, .size = head.size, .end = len,
			      .open = head.open ? head.open : RING_NOT_OPEN,
			      .cpu = (int)list->first.cpu, .is_overwritten = head.tail != 0,
			      .lost_at = head.dropped_at };
	return true;
}

static int by_cpu(const void *a, const void *b)
{
	const struct ring *x = a, *y = b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

int recorder_rings(const struct dump_memory *m, const struct prt_vmcore *of, struct rings *ret)
{
	uint64_t left = m->size, at = of->rings;
	size_t pages = m->size / of->page_size;
	bool whole = true;

	*ret = (struct rings){ 0 };
	for (uint32_t i = 0; at && i < RINGS_MAX; i++) {
		struct page_list list;
		struct ring ring;

		whole &= read_list(m, at, of->page_size, pages, &list);
		at = list.first.sibling;
		pages -= list.n;
		if (read_ring(m, of->page_size, &list, left, &ring)) {
			ret->ring = memory_resized(ret->ring, ret->n + 1, sizeof(ring));
			ret->ring[ret->n++] = ring;
			left -= ring.end;
		} else {
			whole = false;
		}
		free(list.page);
	}
	if (!ret->n)
		return damaged(of, "what was recorded");
	if (!whole || at)
		say_warn("E_VMCORE", "makedumpfile keeps them with -d 31",
			 "the dump lacks rings of the session '%s'", of->module);
	qsort(ret->ring, ret->n, sizeof(*ret->ring), by_cpu);
	return 0;
}
