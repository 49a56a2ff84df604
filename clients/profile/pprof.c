/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a profile for pprof. The numbers of the fields are those of its profile.proto. */
#include "profile/pprof.h"

#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "base/arena.h"
#include "shared/buf.h"
#include "shared/protobuf.h"

enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION,
       PROFILE_FUNCTION, PROFILE_STRING, PROFILE_TIME = 9, PROFILE_DURATION,
       PROFILE_COMMENT = 13, PROFILE_DEFAULT_TYPE };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_TEXT };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_HAS_FUNCTIONS = 7 };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1 };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME, FUNCTION_FILE };

struct pprof {
	struct arena *a;
	struct buf out;
	struct map strings, mappings, locations; /* -> struct number */
	struct map functions;                    /* by number of the frame */
};

struct number {
	uint64_t v;
};

/* ---- the wire format ---- */

static void put_varint(struct buf *b, uint64_t v)
{
	char bytes[PROTOBUF_VARINT_MAX];

	buf_write(b, bytes, protobuf_varint(bytes, v));
}

/* A field that is missing is 0 for the reader. */
static void put_number(struct buf *b, unsigned field, uint64_t v)
{
	if (!v)
		return;
	put_varint(b, protobuf_tag(field, PROTOBUF_VARINT));
	put_varint(b, v);
}

static void put_bytes(struct buf *b, unsigned field, const char *s, size_t len)
{
	put_varint(b, protobuf_tag(field, PROTOBUF_BYTES));
	put_varint(b, len);
	buf_write(b, s, len);
}

/* Appends @message as a field, and empties it. */
static void put_message(struct buf *b, unsigned field, struct buf *message)
{
	put_bytes(b, field, message->s ? message->s : "", message->len);
	message->len = 0;
}

/* ---- tables ---- */

/* The number of @key in @m, counted from @first; *@added: whether it is new. */
static uint64_t number_of(struct pprof *p, struct map *m, const char *key, uint64_t first,
			  bool *added)
{
	struct number *n = map_get(m, key);

	*added = !n;
	if (n)
		return n->v;
	n = NEW(p->a, struct number);
	n->v = first + m->n;
	map_set(m, arena_strdup(p->a, key), n);
	return n->v;
}

static uint64_t string(struct pprof *p, const char *s)
{
	bool added;
	uint64_t n = number_of(p, &p->strings, s, 0, &added);

	if (added)
		put_bytes(&p->out, PROFILE_STRING, s, strlen(s));
	return n;
}

static uint64_t mapping(struct pprof *p, const struct profile_frame *f)
{
	const char *module = f->kind == FRAME_SCRIPT ? "[script]" : f->module ? f->module :
			     f->kind == FRAME_KERNEL ? "[kernel]" :
			     f->kind == FRAME_USER ? "[unknown]" : "[none]";
	struct buf m = { 0 };
	bool added;
	uint64_t n = number_of(p, &p->mappings, module, 1, &added);

	if (!added)
		return n;
	put_number(&m, MAPPING_ID, n);
	put_number(&m, MAPPING_FILE, string(p, module));
	put_number(&m, MAPPING_HAS_FUNCTIONS, 1);
	put_message(&p->out, PROFILE_MAPPING, &m);
	buf_deinit(&m);
	return n;
}

static void put_function(struct pprof *p, const struct profile_frame *f)
{
	struct buf m = { 0 };

	if (map_get_number(&p->functions, f->number))
		return;
	map_set_number(&p->functions, f->number, (void *)f);
	put_number(&m, FUNCTION_ID, f->number);
	put_number(&m, FUNCTION_NAME, string(p, f->name));
	put_number(&m, FUNCTION_SYSTEM_NAME, string(p, f->name));
	if (f->kind == FRAME_SCRIPT && f->module)
		put_number(&m, FUNCTION_FILE, string(p, f->module));
	put_message(&p->out, PROFILE_FUNCTION, &m);
	buf_deinit(&m);
}

static uint64_t location(struct pprof *p, const struct profile_step *s)
{
	const char *key = arena_printf(p->a, "%" PRIu32 " %" PRIx64, s->frame->number, s->address);
	struct buf m = { 0 }, line = { 0 };
	bool added;
	uint64_t n = number_of(p, &p->locations, key, 1, &added);

	if (!added)
		return n;
	put_function(p, s->frame);
	put_number(&line, LINE_FUNCTION, s->frame->number);
	put_number(&m, LOCATION_ID, n);
	put_number(&m, LOCATION_MAPPING, mapping(p, s->frame));
	put_number(&m, LOCATION_ADDRESS, s->address);
	put_message(&m, LOCATION_LINE, &line);
	put_message(&p->out, PROFILE_LOCATION, &m);
	buf_deinit(&m);
	buf_deinit(&line);
	return n;
}

/* ---- the profile ---- */

/* Units by the names that pprof can scale. */
static const char *full_unit(const char *unit)
{
	static const char *const names[][2] = {
		{ "ns", "nanoseconds" }, { "us", "microseconds" }, { "ms", "milliseconds" },
		{ "s", "seconds" },
	};

	for (size_t i = 0; unit && i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(unit, names[i][0]) == 0)
			return names[i][1];
	return unit ? unit : "count";
}

static void put_type(struct pprof *p, const char *type, const char *unit)
{
	struct buf m = { 0 };

	put_number(&m, TYPE_TYPE, string(p, type));
	put_number(&m, TYPE_UNIT, string(p, unit));
	put_message(&p->out, PROFILE_SAMPLE_TYPE, &m);
	buf_deinit(&m);
}

static void put_label(struct pprof *p, struct buf *sample, unsigned number, const char *text)
{
	struct buf m = { 0 };

	put_number(&m, LABEL_KEY, string(p, arena_printf(p->a, "key%u", number)));
	put_number(&m, LABEL_TEXT, string(p, text));
	put_message(sample, SAMPLE_LABEL, &m);
	buf_deinit(&m);
}

/* Locations are innermost first. */
static void put_sample(struct pprof *p, const struct profile_set *set,
		       const struct profile_stack *s)
{
	struct buf m = { 0 }, list = { 0 };
	unsigned keys = 0;

	for (size_t i = s->n; i--;)
		if (s->steps[i].frame->kind != FRAME_KEY)
			put_varint(&list, location(p, &s->steps[i]));
	put_message(&m, SAMPLE_LOCATION, &list);
	if (set->aggregate)
		put_varint(&list, s->count);
	put_varint(&list, s->sum);
	put_message(&m, SAMPLE_VALUE, &list);
	for (size_t i = 0; i < s->n; i++)
		if (s->steps[i].frame->kind == FRAME_KEY)
			put_label(p, &m, ++keys, s->steps[i].frame->name);
	put_message(&p->out, PROFILE_SAMPLE, &m);
	buf_deinit(&m);
	buf_deinit(&list);
}

static void put_profile(struct pprof *w, const struct profile *p, const struct profile_set *set,
			const char *unit)
{
	const char *type = !set->aggregate && !unit ? "samples" : *set->name ? set->name : "value";

	string(w, "");
	if (set->aggregate)
		put_type(w, "samples", "count");
	put_type(w, type, full_unit(unit));
	put_number(&w->out, PROFILE_DEFAULT_TYPE, string(w, type));
	vec_each(s, &set->stacks)
		put_sample(w, set, s);
	if (p->complete) {
		put_number(&w->out, PROFILE_TIME, (uint64_t)(p->start * 1e9));
		put_number(&w->out, PROFILE_DURATION, (uint64_t)(p->seconds * 1e9));
	}
	if (p->script)
		put_number(&w->out, PROFILE_COMMENT, string(w, p->script));
	if (p->lost)
		put_number(&w->out, PROFILE_COMMENT,
			   string(w, arena_printf(w->a, "%" PRIu64 " hits or elements were lost",
						  p->lost)));
}

/* Writes @b as a gzip file without a name and a time, so that equal profiles give equal files. */
static bool put_gzip(FILE *to, const struct buf *b)
{
	z_stream z = { .next_in = (Bytef *)b->s, .avail_in = (uInt)b->len };
	unsigned char chunk[16384];
	int status;

	if (b->len > UINT32_MAX ||
	    deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	do {
		z.next_out = chunk;
		z.avail_out = sizeof(chunk);
		status = deflate(&z, Z_FINISH);
		fwrite(chunk, 1, sizeof(chunk) - z.avail_out, to);
	} while (status == Z_OK);
	deflateEnd(&z);
	return status == Z_STREAM_END && !ferror(to);
}

bool pprof_write(struct arena *a, FILE *to, const struct profile *p, const struct profile_set *set,
		 const char *unit)
{
	struct pprof w = { .a = a };
	bool good;

	buf_init(&w.out);
	map_init(&w.strings, a);
	map_init(&w.mappings, a);
	map_init(&w.locations, a);
	map_init(&w.functions, a);
	put_profile(&w, p, set, unit);
	good = put_gzip(to, &w.out);
	buf_deinit(&w.out);
	return good;
}
