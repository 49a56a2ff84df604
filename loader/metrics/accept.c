/* SPDX-License-Identifier: GPL-2.0 */
/* The format that a client of HTTP wants (RFC 9110, section 12.5.1). */
#include <string.h>
#include <strings.h>

#include "metrics/private.h"

#define SPACES " \t"

/* A word of the list, without spaces around it. */
struct word {
	const char *s;
	size_t len;
};

/* Takes the next word off *@at, up to a comma or a semicolon, which is left. */
static struct word next_word(const char **at)
{
	struct word ret;

	*at += strspn(*at, SPACES);
	ret.s = *at;
	ret.len = strcspn(*at, ",;");
	*at += ret.len;
	while (ret.len && strchr(SPACES, ret.s[ret.len - 1]))
		ret.len--;
	return ret;
}

static bool is(const struct word *w, const char *text)
{
	return w->len == strlen(text) && strncasecmp(w->s, text, w->len) == 0;
}

/* A quality from 0 to 1, in thousandths. */
static unsigned quality(const char *s)
{
	unsigned ret = *s == '1' ? 1000 : 0, scale = 100;

	if (*s == '0' && s[1] == '.')
		for (s += 2; *s >= '0' && *s <= '9' && scale; s++, scale /= 10)
			ret += (unsigned)(*s - '0') * scale;
	return ret;
}

/* Reads one entry of the list: a type, and its parameters. The format, or -1. */
static int read_entry(const char **at, unsigned *q)
{
	bool is_family = false, is_delimited = false, is_protobuf;
	struct word type = next_word(at), w;

	*q = 1000;
	while (**at == ';') {
		++*at;
		w = next_word(at);
		is_family |= is(&w, "proto=io.prometheus.client.MetricFamily");
		is_delimited |= is(&w, "encoding=delimited");
		if (w.len > 2 && strncasecmp(w.s, "q=", 2) == 0)
			*q = quality(w.s + 2);
	}
	is_protobuf = is(&type, "application/vnd.google.protobuf");
	if (is_protobuf && is_family && is_delimited)
		return METRICS_PROTOBUF;
	if (is(&type, "application/openmetrics-text"))
		return METRICS_OPENMETRICS;
	return is(&type, "text/plain") || is(&type, "text/*") || is(&type, "*/*") ?
	       METRICS_PROMETHEUS : -1;
}

enum metrics_format accept_format(const char *accept)
{
	enum metrics_format ret = METRICS_PROMETHEUS;
	unsigned best = 0, q;
	int format;

	while (accept && *accept) {
		format = read_entry(&accept, &q);
		if (format >= 0 && q > best) {
			ret = (enum metrics_format)format;
			best = q;
		}
		accept += *accept == ',';
	}
	return ret;
}
