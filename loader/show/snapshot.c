/* SPDX-License-Identifier: GPL-2.0 */
#include "show/snapshot.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "common/escape.h"
#include "common/say.h"
#include "shared/buf.h"
#include "show/json.h"
#include "show/output.h"
#include "show/show.h"

#define NS_IN_S 1000000000ULL

/* @format: of strftime(), down to the second. */
static void add_time(struct buf *t, const char *format, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_IN_S);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), format, localtime_r(&seconds, &tm));
	buf_puts(t, text);
	buf_printf(t, ".%03u", (unsigned)(ns % NS_IN_S / 1000000));
}

static void add_plural(struct buf *t, uint64_t n, const char *what)
{
	buf_printf(t, "%llu %s%s", (unsigned long long)n, what, n == 1 ? "" : "s");
}

/* The head is one line, whatever a program has put into the text. */
static void add_reason(struct buf *t, const char *s)
{
	size_t len = strcspn(s, "\n");

	escape_add(t, s, len);
	for (s += len; *s; s += len) {
		buf_puts(t, "\\x0a");
		len = strcspn(++s, "\n");
		escape_add(t, s, len);
	}
}

static void add_line(struct buf *t, const char *host, const struct show_snapshot *h)
{
	buf_printf(t, "--- snapshot %u on ", h->number);
	escape_add(t, host, strlen(host));
	buf_puts(t, ": ");
	add_reason(t, h->reason);
	if (h->hits) {
		buf_printf(t, ": the last %.3f s, from ", (double)(h->to - h->from) / NS_IN_S);
		add_time(t, "%F %T", h->from);
		buf_puts(t, ", ");
	} else {
		buf_puts(t, ": ");
	}
	add_plural(t, h->hits, "hit");
	if (h->whole) {
		buf_puts(t, ", complete from ");
		add_time(t, "%T", h->whole);
	}
	if (h->overwritten)
		buf_printf(t, ", %llu KiB of older ones overwritten meanwhile",
			   (unsigned long long)(h->overwritten + 1023) / 1024);
	if (h->lost) {
		buf_puts(t, ", without the output of ");
		add_plural(t, h->lost, "hit");
		buf_puts(t, " for which there was no room");
	}
	if (h->missed)
		buf_puts(t, ", without a hit that is still running");
	if (h->suppressed) {
		buf_puts(t, "; before it, ");
		add_plural(t, h->suppressed, "snapshot");
		buf_puts(t, h->suppressed == 1 ? " was" : " were");
		buf_puts(t, " asked for too soon");
	}
	buf_puts(t, " ---\n");
}

static void show_object(struct show *s, const char *host, const struct show_snapshot *h)
{
	struct buf *t = show_begin(s, "snapshot");

	json_text(t, "host", host);
	json_unsigned(t, "number", h->number);
	json_text(t, "reason", h->reason);
	json_unsigned(t, "hits", h->hits);
	if (h->hits) {
		json_seconds(t, "from", h->from);
		json_seconds(t, "to", h->to);
	}
	if (h->whole)
		json_seconds(t, "complete_from", h->whole);
	json_unsigned(t, "overwritten", h->overwritten);
	json_unsigned(t, "lost", h->lost);
	json_unsigned(t, "suppressed", h->suppressed);
	if (h->missed)
		json_unsigned(t, "running", 1);
	show_end(s);
}

void show_snapshot(struct show *s, const struct show_snapshot *h)
{
	struct buf line = { 0 };
	struct utsname u;

	uname(&u);
	if (s->format == SHOW_JSON) {
		show_object(s, h->host ? h->host : u.nodename, h);
		return;
	}
	add_line(&line, h->host ? h->host : u.nodename, h);
	if (s->format == SHOW_TEXT)
		output_write(s->out, line.s, line.len);
	else
		say_text(line.s, line.len);
	buf_deinit(&line);
}

void show_snapshot_whole(struct show *s)
{
	static const char line[] = "--- complete from here on ---\n";

	if (s->format == SHOW_TEXT)
		output_write(s->out, line, sizeof(line) - 1);
}
