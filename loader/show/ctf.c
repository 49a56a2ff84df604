/* SPDX-License-Identifier: GPL-2.0 */
/* The packets of a trace. Each number is stored at the next byte, in this machine's order. */
#include "show/ctf.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "common/utf8.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "show/ctf_metadata.h"
#include "show/show.h"

enum { MAGIC = 0xc1fc1fc1u, PACKET_BYTES = 1 << 20 };

/* The beginning of each packet. */
struct packet_head {
	uint32_t magic;
	unsigned char uuid[CTF_UUID];
	uint32_t stream_class;
	uint64_t begin, end;         /* ns since 1970 */
	uint64_t content, size;      /* bits */
	uint64_t discarded;          /* up to the end of the packet */
	uint32_t cpu;                /* not in packets of the session's thread */
} __attribute__((packed));

struct stream {
	int fd;            /* -1: not open */
	struct buf packet; /* head included; empty: none has begun */
	uint64_t begin, end;
	uint64_t dropped, told; /* hits without output: up to now, up to the last packet */
};

struct ctf {
	int dir;
	const struct meta *m;
	unsigned char uuid[CTF_UUID];
	struct stream *streams; /* by the number of the processor + 1 */
	size_t n, capacity;
	int err;                /* -errno of a packet that was written between two flushes */
};

static int write_metadata(struct ctf *t, const char *host)
{
	int fd = openat(t->dir, "metadata", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			0666), err;
	struct buf text = { 0 };
	struct utsname u;

	if (fd < 0)
		return -errno;
	uname(&u);
	ctf_metadata(&text, t->m, host ? host : u.nodename, t->uuid);
	err = file_write_all(fd, text.s, text.len);
	if (close(fd) != 0 && !err)
		err = -errno;
	buf_deinit(&text);
	return err;
}

int ctf_create(int dir, const struct meta *m, const char *host, struct ctf **ret)
{
	struct ctf *t = memory_zeroed(1, sizeof(*t));
	int err = 0;

	t->dir = dir;
	t->m = m;
	if (getrandom(t->uuid, sizeof(t->uuid), 0) != sizeof(t->uuid))
		err = -EIO;
	/* A random one is of version 4. */
	t->uuid[6] = (t->uuid[6] & 0x0f) | 0x40;
	t->uuid[8] = (t->uuid[8] & 0x3f) | 0x80;
	if (!err)
		err = write_metadata(t, host);
	if (err) {
		ctf_destroy(t);
		return err;
	}
	*ret = t;
	return 0;
}

void ctf_destroy(struct ctf *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++) {
		if (t->streams[i].fd >= 0)
			close(t->streams[i].fd);
		buf_deinit(&t->streams[i].packet);
	}
	free(t->streams);
	free(t);
}

/* ---- packets ---- */

static struct stream *stream_of(struct ctf *t, int cpu)
{
	while (t->n <= (size_t)(cpu + 1)) {
		memory_grow(t->streams, t->n, t->capacity, 8);
		t->streams[t->n++] = (struct stream){ .fd = -1 };
	}
	return &t->streams[cpu + 1];
}

static size_t head_bytes(int cpu)
{
	return cpu < 0 ? offsetof(struct packet_head, cpu) : sizeof(struct packet_head);
}

static void begin_packet(struct stream *s, int cpu, uint64_t time)
{
	static const struct packet_head none;

	if (s->packet.len)
		return;
	buf_write(&s->packet, &none, head_bytes(cpu));
	s->begin = time;
	s->end = time;
}

/* A session that was killed is continued by another process, so a file may be there. */
static int open_stream(struct ctf *t, struct stream *s, int cpu)
{
	char name[32];

	if (cpu < 0)
		strcpy(name, "session");
	else
		snprintf(name, sizeof(name), "cpu%d", cpu);
	s->fd = openat(t->dir, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
	return s->fd < 0 ? -errno : 0;
}

static int end_packet(struct ctf *t, struct stream *s)
{
	int cpu = (int)(s - t->streams) - 1, err = 0;
	struct packet_head head = {
		.magic = MAGIC,
		.stream_class = cpu < 0 ? CTF_SESSION : CTF_PROCESSOR,
		.begin = s->begin, .end = s->end,
		.content = s->packet.len * 8, .size = s->packet.len * 8,
		.discarded = s->dropped,
		.cpu = (uint32_t)cpu,
	};

	if (!s->packet.len)
		return 0;
	memcpy(head.uuid, t->uuid, sizeof(head.uuid));
	memcpy(s->packet.s, &head, head_bytes(cpu));
	if (s->fd < 0)
		err = open_stream(t, s, cpu);
	if (!err)
		err = file_write_all(s->fd, s->packet.s, s->packet.len);
	s->told = s->dropped;
	s->packet.len = 0;
	return err;
}

int ctf_flush(void *ctf)
{
	struct ctf *t = ctf;
	int err = t->err;

	for (size_t i = 0; i < t->n && !err; i++)
		err = end_packet(t, &t->streams[i]);
	return err;
}

void ctf_dropped(struct ctf *t, int cpu, uint64_t hits, uint64_t time)
{
	struct stream *s;

	if (!hits)
		return;
	s = stream_of(t, cpu);
	s->dropped = hits;
	if (hits == s->told)
		return;
	begin_packet(s, cpu, time > s->end ? time : s->end);
	s->end = time > s->end ? time : s->end;
}

/* ---- events ---- */

/* Strings end with a NUL and are UTF-8: other bytes become U+FFFD, as in JSON. */
static void put_string(struct buf *to, const char *s, size_t len)
{
	for (size_t i = 0, n; i < len; i += n ? n : 1) {
		n = s[i] ? utf8_sequence(s + i, len - i) : 0;
		if (n)
			buf_write(to, s + i, n);
		else
			buf_puts(to, "\xef\xbf\xbd");
	}
	buf_write(to, "", 1);
}

/* The bounds of a bucket that is open at an end are the least and the greatest number. */
static void put_histogram(struct buf *to, const struct arg *a)
{
	size_t length_at = to->len;
	struct args_bucket b;
	uint32_t at = 0, n = 0;

	buf_write(to, &n, sizeof(n));
	while (args_next_bucket(a, &at, &b)) {
		int64_t low = b.has_low ? b.low : INT64_MIN, high = b.has_high ? b.high : INT64_MAX;

		buf_write(to, &low, sizeof(low));
		buf_write(to, &high, sizeof(high));
		buf_write(to, &b.count, sizeof(b.count));
		n++;
	}
	memcpy(to->s + length_at, &n, sizeof(n));
}

static void put_value(struct buf *to, const struct arg *a)
{
	if (a->type == 's')
		put_string(to, a->s, a->len);
	else if (a->type == 'H')
		put_histogram(to, a);
	else
		buf_write(to, &a->number, sizeof(a->number));
}

static bool put_fields(struct buf *to, const struct meta_print *p, struct args args,
		       const struct buf *text)
{
	struct arg a;

	if (ctf_metadata_has_text(p))
		put_string(to, text->s ? text->s : "", text->len);
	for (unsigned i = 0; *args.types; i++) {
		if (args_next(&args, &a) || !a.type)
			return false;
		if (ctf_metadata_has(p, i))
			put_value(to, &a);
	}
	return true;
}

bool ctf_print(struct ctf *t, const struct show_hit *hit, const struct meta_print *p,
	       struct args args, const struct buf *text)
{
	struct stream *s = stream_of(t, hit->cpu);
	uint64_t time = hit->time > s->end ? hit->time : s->end;
	uint16_t probe = (uint16_t)hit->number;
	uint32_t id = (uint32_t)(p - t->m->prints);
	bool begun = s->packet.len != 0;
	size_t before;

	begin_packet(s, hit->cpu, time);
	before = s->packet.len;
	buf_write(&s->packet, &id, sizeof(id));
	buf_write(&s->packet, &time, sizeof(time));
	buf_write(&s->packet, &probe, sizeof(probe));
	if (!put_fields(&s->packet, p, args, text)) {
		s->packet.len = begun ? before : 0;
		return false;
	}
	s->end = time;
	if (s->packet.len >= PACKET_BYTES && !t->err)
		t->err = end_packet(t, s);
	return true;
}
