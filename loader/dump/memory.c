/* SPDX-License-Identifier: GPL-2.0 */
#include "dump/memory.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/say.h"
#include "common/signals.h"
#include "shared/clock.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/search.h"

enum { SMALLEST_PAGE = 4096, PIECE = 1 << 20, SEGMENTS_MAX = 1 << 20 };
#define PROGRESS_NS 1000000000LL

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { OUR_ORDER = ELFDATA2LSB };
#else
enum { OUR_ORDER = ELFDATA2MSB };
#endif

static int no_dump(const char *path, const char *hint, const char *why)
{
	say_error("E_VMCORE", hint, "'%s' %s", path, why);
	return -1;
}

/* Dumps of other formats than ELF begin so. */
static bool is_compressed(const char *head)
{
	return memcmp(head, "KDUMP   ", 8) == 0 || memcmp(head, "makedumpfile", 12) == 0 ||
	       memcmp(head, "DISKDUMP", 8) == 0;
}

static int check_head(const struct dump_memory *m, const Elf64_Ehdr *head, int err)
{
	static const char make_elf[] = "makedumpfile -E -d 31 /proc/vmcore FILE writes one that is "
				       "ELF, and so does dump-guest-memory of QEMU";

	if (err == 0 && is_compressed((const char *)head))
		return no_dump(m->path, make_elf, "is a dump that is compressed or flattened");
	if (err || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_type != ET_CORE)
		return no_dump(m->path, make_elf, "is not a dump of a machine");
	if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != OUR_ORDER ||
	    head->e_phentsize != sizeof(Elf64_Phdr))
		return no_dump(m->path, NULL, "is a dump of another kind of machine");
	return 0;
}

/* ELF, "Number of Program Headers": it is in the first section if it does not fit. */
static int count_segments(const struct dump_memory *m, const Elf64_Ehdr *head, size_t *n)
{
	Elf64_Shdr first;

	*n = head->e_phnum;
	if (head->e_phnum == PN_XNUM) {
		if (file_read_at(m->fd, &first, sizeof(first), head->e_shoff))
			return -1;
		*n = first.sh_info;
	}
	return *n && *n <= SEGMENTS_MAX ? 0 : -1;
}

static void take_segment(struct dump_memory *m, const Elf64_Phdr *p)
{
	uint64_t len = p->p_filesz;

	if (p->p_type != PT_LOAD || p->p_offset >= m->size || p->p_paddr == UINT64_MAX)
		return;
	if (len > m->size - p->p_offset)
		len = m->size - p->p_offset;
	if (len > UINT64_MAX - p->p_paddr)
		return;
	m->v[m->n++] = (struct dump_segment){ .at = p->p_paddr, .end = p->p_paddr + len,
					      .offset = p->p_offset };
}

static int by_address(const void *a, const void *b)
{
	const struct dump_segment *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static int read_segments(struct dump_memory *m)
{
	Elf64_Ehdr head = { 0 };
	Elf64_Phdr *table;
	uint64_t reach = 0;
	size_t n;

	if (check_head(m, &head, file_read_at(m->fd, &head, sizeof(head), 0)))
		return -1;
	if (count_segments(m, &head, &n) || n > m->size / sizeof(*table))
		return no_dump(m->path, NULL, "is damaged: its list of segments");
	table = memory_zeroed(n, sizeof(*table));
	m->v = memory_zeroed(n, sizeof(*m->v));
	if (file_read_at(m->fd, table, n * sizeof(*table), head.e_phoff)) {
		free(table);
		return no_dump(m->path, "copy it once more", "ends within its list of segments");
	}
	for (size_t i = 0; i < n; i++)
		take_segment(m, &table[i]);
	free(table);
	qsort(m->v, m->n, sizeof(*m->v), by_address);
	for (size_t i = 0; i < m->n; i++) {
		reach = m->v[i].end > reach ? m->v[i].end : reach;
		m->v[i].reach = reach;
	}
	return 0;
}

int dump_open(struct dump_memory *ret, const char *path)
{
	struct stat st;

	*ret = (struct dump_memory){ .path = path, .fd = open(path, O_RDONLY | O_CLOEXEC) };
	if (ret->fd < 0 || fstat(ret->fd, &st)) {
		say_error("E_IO", NULL, "can't read '%s': %s", path, strerror(errno));
		dump_close(ret);
		return -1;
	}
	if (!S_ISREG(st.st_mode)) {
		dump_close(ret);
		return no_dump(path, "copy it to a file", "is not a regular file");
	}
	ret->size = (uint64_t)st.st_size;
	if (read_segments(ret) == 0)
		return 0;
	dump_close(ret);
	return -1;
}

/* Returns the segment that has the address, or NULL. */
static const struct dump_segment *segment_of(const struct dump_memory *m, uint64_t at)
{
	size_t i;

	search_first(i, m->n, m->v[i].at <= at);
	for (; i > 0 && m->v[i - 1].reach > at; i--)
		if (at < m->v[i - 1].end)
			return &m->v[i - 1];
	return NULL;
}

bool dump_read(const struct dump_memory *m, uint64_t at, void *to, size_t len)
{
	char *p = to;

	while (len) {
		const struct dump_segment *s = segment_of(m, at);
		size_t part;

		if (!s)
			return false;
		part = s->end - at < len ? (size_t)(s->end - at) : len;
		if (file_read_at(m->fd, p, part, s->offset + (at - s->at)))
			return false;
		p += part;
		at += part;
		len -= part;
	}
	return true;
}

/* ---- searching ---- */

struct dump_search_state {
	const struct dump_memory *m;
	const void *what;
	size_t len;
	void (*found)(void *arg, uint64_t at);
	void *arg;
	char *piece;
	uint64_t done;    /* bytes */
	int64_t report;   /* ns: when progress is shown next */
};

static void show_progress(struct dump_search_state *s)
{
	int64_t now = clock_ns();

	if (now < s->report || (!isatty(STDERR_FILENO) && !say_is_verbose()))
		return;
	fprintf(stderr, "proberun: %s: searched %llu of %llu MB\n", s->m->path,
		(unsigned long long)s->done >> 20, (unsigned long long)s->m->size >> 20);
	s->report = now + PROGRESS_NS;
}

static void look_through(struct dump_search_state *s, uint64_t at, size_t len)
{
	for (size_t i = 0; i + SMALLEST_PAGE <= len; i += SMALLEST_PAGE)
		if (memcmp(s->piece + i, s->what, s->len) == 0)
			s->found(s->arg, at + i);
}

static int search_segment(struct dump_search_state *s, const struct dump_segment *seg)
{
	uint64_t at = (seg->at + SMALLEST_PAGE - 1) / SMALLEST_PAGE * SMALLEST_PAGE;

	for (; at >= seg->at && at < seg->end; at += PIECE) {
		size_t len = seg->end - at < PIECE ? (size_t)(seg->end - at) : PIECE;
		int err = file_read_at(s->m->fd, s->piece, len, seg->offset + (at - seg->at));

		if (err) {
			say_error("E_IO", NULL, "can't read '%s': %s", s->m->path, strerror(-err));
			return -1;
		}
		look_through(s, at, len);
		s->done += len;
		show_progress(s);
		if (signals_count())
			return -1;
	}
	return 0;
}

int dump_search(const struct dump_memory *m, const void *what, size_t len,
		void (*found)(void *arg, uint64_t at), void *arg)
{
	struct dump_search_state s = {
		.m = m, .what = what, .len = len, .found = found, .arg = arg,
		.piece = memory_zeroed(PIECE, 1), .report = clock_ns() + PROGRESS_NS,
	};
	int err = 0;

	for (size_t i = 0; i < m->n && !err; i++)
		err = search_segment(&s, &m->v[i]);
	free(s.piece);
	return err;
}

void dump_close(struct dump_memory *m)
{
	if (m->fd >= 0)
		close(m->fd);
	free(m->v);
	*m = (struct dump_memory){ .fd = -1 };
}
