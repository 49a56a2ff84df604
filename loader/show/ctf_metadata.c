/* SPDX-License-Identifier: GPL-2.0 */
/* The metadata of a trace. A name of a field begins with "_", which readers take away, so that none
 * is a word of the language. */
#include "show/ctf_metadata.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "module/meta.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "shared/memory.h"

enum { NAME = 64, NAMES = 256 };

bool ctf_metadata_has_text(const struct meta_print *p)
{
	return !p->global;
}

bool ctf_metadata_has(const struct meta_print *p, unsigned i)
{
	return p->global || !meta_literal(p, i);
}

/* Control characters would end the literal, or the line. */
static void put_literal(struct buf *to, const char *s)
{
	buf_puts(to, "\"");
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_puts(to, "\\");
		buf_putc(to, (unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s);
	}
	buf_puts(to, "\"");
}

static void put_uuid(struct buf *to, const unsigned char uuid[CTF_UUID])
{
	buf_puts(to, "\"");
	for (int i = 0; i < CTF_UUID; i++)
		buf_printf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid[i]);
	buf_puts(to, "\"");
}

static void put_head(struct buf *to, const unsigned char uuid[CTF_UUID])
{
	buf_puts(to, "/* CTF 1.8 */\n\n"
		 "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
		 "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
		 "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
		 "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
		 "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
		 "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } "
		 ":= double;\n\n"
		 "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = ");
	put_uuid(to, uuid);
	buf_puts(to, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ";\n\tbyte_order = le;\n" :
								  ";\n\tbyte_order = be;\n");
	buf_puts(to, "\tpacket.header := struct {\n\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n"
		 "\t\tuint32_t stream_id;\n\t};\n};\n\n");
}

static void put_environment(struct buf *to, const struct meta *m, const char *host)
{
	int major = 0, minor = 0;

	sscanf(PROBEC_VERSION, "%d.%d", &major, &minor);
	buf_puts(to, "env {\n\thostname = ");
	put_literal(to, host);
	buf_printf(to, ";\n\ttracer_name = \"probec\";\n\ttracer_major = %d;\n"
		   "\ttracer_minor = %d;\n\tkernel_release = ", major, minor);
	put_literal(to, m->release);
	buf_puts(to, ";\n\tscript = ");
	put_literal(to, m->script);
	buf_puts(to, ";\n};\n\n"
		 "clock {\n\tname = realtime;\n\tdescription = \"nanoseconds since 1970, UTC\";\n"
		 "\tfreq = 1000000000;\n\tprecision = 1;\n\toffset_s = 0;\n\toffset = 0;\n"
		 "\tabsolute = TRUE;\n};\n\n"
		 "typealias integer { size = 64; align = 8; signed = false; "
		 "map = clock.realtime.value; } := timestamp_t;\n\n");
}

static void put_probes(struct buf *to, const struct meta *m)
{
	buf_puts(to, "typealias enum : uint16_t {\n");
	for (uint32_t i = 0; i < m->nprobes; i++) {
		buf_puts(to, "\t");
		put_literal(to, m->probes[i].pp);
		buf_printf(to, " = %u,\n", i);
	}
	buf_puts(to, "} := probe_t;\n\n");
}

static void put_streams(struct buf *to)
{
	for (int i = 0; i < CTF_STREAM_CLASSES; i++)
		buf_printf(to, "stream {\n\tid = %d;\n\tpacket.context := struct {\n"
			   "\t\ttimestamp_t timestamp_begin;\n\t\ttimestamp_t timestamp_end;\n"
			   "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
			   "\t\tuint64_t events_discarded;\n%s\t};\n"
			   "\tevent.header := struct {\n\t\tuint32_t id;\n"
			   "\t\ttimestamp_t timestamp;\n\t};\n"
			   "\tevent.context := struct {\n\t\tprobe_t _probe;\n\t};\n};\n\n",
			   i, i == CTF_PROCESSOR ? "\t\tuint32_t cpu_id;\n" : "");
}

/* ---- events ---- */

/* Makes an identifier of the expression that an argument is in the script. */
static void make_name(char name[NAME], const char *s, size_t len, unsigned i)
{
	size_t n = 0;

	for (size_t at = 0; s && at < len && n < NAME - 16; at++) {
		if (isalnum((unsigned char)s[at]))
			name[n++] = s[at];
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	}
	while (n && name[n - 1] == '_')
		n--;
	name[n] = '\0';
	if (!n || isdigit((unsigned char)*name))
		snprintf(name, NAME, "arg%u", i + 1);
}

/* Fields of an event have different names. */
static void make_different(char names[][NAME], unsigned n)
{
	size_t len = strlen(names[n]);
	unsigned number = 1;

	for (unsigned i = 0; i < n; i++)
		if (strcmp(names[i], names[n]) == 0) {
			snprintf(names[n] + len, NAME - len, "_%u", ++number);
			i = UINT32_MAX; /* from the first one on */
		}
}

static void put_field(struct buf *to, char type, const char *name)
{
	if (type == 'H')
		buf_printf(to, "\t\tuint32_t __%s_length;\n"
			   "\t\tstruct { int64_t _low; int64_t _high; uint64_t _count; }"
			   " _%s[__%s_length];\n", name, name, name);
	else
		buf_printf(to, "\t\t%s _%s;\n", type == 'l' ? "int64_t" :
			   type == 'd' ? "double" : "string", name);
}

static void put_fields(struct buf *to, const struct meta_print *p)
{
	size_t size = strlen(p->types) + 1, len;
	char (*names)[NAME] = memory_zeroed(size, sizeof(*names));
	unsigned n = 0;

	if (ctf_metadata_has_text(p)) {
		strcpy(names[n], "text");
		put_field(to, 's', names[n++]);
	}
	for (unsigned i = 0; p->types[i]; i++) {
		if (!ctf_metadata_has(p, i))
			continue;
		make_name(names[n], meta_name(p, i, &len), meta_name(p, i, &len) ? len : 0, i);
		make_different(names, n);
		put_field(to, p->types[i], names[n++]);
	}
	free(names);
}

/* Names an event after its place in the script, or after the function of tapsets/timeline.kp. */
static void put_event_name(struct buf *to, const struct meta *m, const struct meta_print *p)
{
	static const char *const functions[] = { "trace_begin", "trace_end", "trace_context",
						 "trace_counter" };
	char place[256];

	if (p->global) {
		put_literal(to, p->global);
		return;
	}
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		size_t len = strlen(functions[i]);

		if (strncmp(p->format, functions[i], len) == 0 && p->format[len] == ' ') {
			put_literal(to, functions[i]);
			return;
		}
	}
	if (p->srcloc < m->nsrclocs)
		snprintf(place, sizeof(place), "%s:%u", file_name(m->srclocs[p->srcloc].file),
			 m->srclocs[p->srcloc].line);
	else
		snprintf(place, sizeof(place), "print");
	put_literal(to, place);
}

static void put_event(struct buf *to, const struct meta *m, const struct meta_print *p,
		      uint32_t number)
{
	for (int i = 0; i < CTF_STREAM_CLASSES; i++) {
		buf_puts(to, "event {\n\tname = ");
		put_event_name(to, m, p);
		buf_printf(to, ";\n\tid = %u;\n\tstream_id = %d;\n\tfields := struct {\n", number,
			   i);
		put_fields(to, p);
		buf_puts(to, "\t};\n};\n\n");
	}
}

static bool is_metric(const struct meta *m, uint32_t number)
{
	for (uint32_t i = 0; i < m->nmetrics; i++)
		if (m->metrics[i].print == number)
			return true;
	return m->snapshot_n && (number == m->snapshot_begin || number == m->snapshot_end);
}

void ctf_metadata(struct buf *to, const struct meta *m, const char *host,
		  const unsigned char uuid[CTF_UUID])
{
	put_head(to, uuid);
	put_environment(to, m, host);
	put_probes(to, m);
	put_streams(to);
	for (uint32_t i = 0; i < m->nprints; i++)
		if (m->prints[i].format && m->prints[i].edge == META_NO_EDGE && !is_metric(m, i))
			put_event(to, m, &m->prints[i], i);
}
