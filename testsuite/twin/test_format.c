/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the formatter with the C library's printf, one conversion at a time, with random flags,
 * widths and precisions. Where the meanings differ (%s of bytes with NULs, %c of nothing, %p of 0,
 * %b, %H), a rule written here is the judge. Output that does not fit is cut, and nothing is
 * written behind the buffer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "abi/format.h"
#include "machine.h"
#include "twin.h"

enum { PIECES = 6, ROOM = 1 << 16 };

struct buf {
	char s[ROOM];
	u32 len;
};

struct fixture {
	struct buf fmt, want;
	char types[64];
	u32 ntypes;
	_Alignas(8) char args[ROOM];
	u32 args_len;
};

static void add(struct buf *t, const char *s, u32 len)
{
	CHECK(t->len + len <= ROOM, "the test's text is too long");
	memcpy(t->s + t->len, s, len);
	t->len += len;
}

static void add_str(struct buf *t, const char *s)
{
	add(t, s, strlen(s));
}

static void fill(struct buf *t, char c, s64 n)
{
	while (n-- > 0)
		add(t, &c, 1);
}

static void arg_long(struct fixture *f, s64 v)
{
	f->types[f->ntypes++] = 'l';
	prt_put_long(f->args + f->args_len, v);
	f->args_len += 8;
}

static void arg_str(struct fixture *f, struct prt_str s)
{
	f->types[f->ntypes++] = 's';
	prt_put_str(f->args + f->args_len, s);
	f->args_len += prt_str_room(s);
}

struct spec {
	char flags[8];
	int width, precision; /* -1: none */
	bool left, zero;
};

/* Adds a number to the format, literally or as an argument. */
static void add_number(struct fixture *f, int n, int as_star)
{
	char digits[16];

	if (as_star) {
		add_str(&f->fmt, "*");
		arg_long(f, n);
	} else {
		snprintf(digits, sizeof(digits), "%d", n);
		add_str(&f->fmt, digits);
	}
}

static struct spec random_spec(struct fixture *f)
{
	struct spec s = { .width = -1, .precision = -1 };
	u32 n = 0, i;

	for (i = 0; i < 5; i++)
		if (twin_below(4) == 0)
			s.flags[n++] = "-+ 0#"[i];
	s.left = strchr(s.flags, '-');
	s.zero = strchr(s.flags, '0') && !s.left;
	add_str(&f->fmt, "%");
	add_str(&f->fmt, s.flags);
	if (twin_below(2)) {
		s.width = 1 + (int)twin_below(twin_below(8) ? 30 : 600);
		if (twin_below(4) == 0) {
			bool minus = twin_below(2);

			add_number(f, minus ? -s.width : s.width, 1);
			s.left |= minus;
			s.zero &= !s.left;
		} else {
			add_number(f, s.width, 0);
		}
	}
	if (twin_below(2)) {
		s.precision = (int)twin_below(twin_below(8) ? 25 : 600);
		add_str(&f->fmt, ".");
		add_number(f, s.precision, twin_below(4) == 0);
	}
	return s;
}

static void padded(struct fixture *f, const struct spec *s, const char *text, u32 len)
{
	if (!s->left)
		fill(&f->want, ' ', (s64)s->width - len);
	add(&f->want, text, len);
	if (s->left)
		fill(&f->want, ' ', (s64)s->width - len);
}

/* Formats a number by the C library, with flags, width and precision in its own notation. */
static void number(struct fixture *f)
{
	static const char convs[] = "diuxXo";
	struct spec s = random_spec(f);
	char conv = convs[twin_below(6)], theirs[64], text[2048];
	s64 v = twin_value();

	add(&f->fmt, &conv, 1);
	arg_long(f, v);
	if (s.precision >= 0)
		snprintf(theirs, sizeof(theirs), "%%%s%s*.*ll%c", s.flags, s.left ? "-" : "", conv);
	else
		snprintf(theirs, sizeof(theirs), "%%%s%s*ll%c", s.flags, s.left ? "-" : "", conv);
	s.width = s.width < 0 ? 0 : s.width;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	add(&f->want, text, s.precision >= 0 ?
	    snprintf(text, sizeof(text), theirs, s.width, s.precision, v) :
	    snprintf(text, sizeof(text), theirs, s.width, v));
#pragma GCC diagnostic pop
}

/* %p prints 0x and the digits, with as many zeros as precision or width ask for. */
static void pointer(struct fixture *f)
{
	struct spec s = random_spec(f);
	u64 v = (u64)twin_value();
	char digits[32];
	struct buf t = { .len = 0 };
	s64 zeros;

	add_str(&f->fmt, "p");
	arg_long(f, (s64)v);
	snprintf(digits, sizeof(digits), "%llx", v);
	if (!v)
		digits[0] = 0;
	zeros = (s.precision < 0 ? 1 : s.precision) - (s64)strlen(digits);
	if (s.zero && s.precision < 0 && s.width - 2 - (s64)strlen(digits) > zeros)
		zeros = s.width - 2 - (s64)strlen(digits);
	add_str(&t, "0x");
	fill(&t, '0', zeros);
	add_str(&t, digits);
	padded(f, &s, t.s, t.len);
}

static void string(struct fixture *f)
{
	struct spec s = random_spec(f);
	char bytes[300];
	u32 len = twin_length(sizeof(bytes));

	twin_bytes(bytes, len);
	add_str(&f->fmt, "s");
	arg_str(f, (struct prt_str){ bytes, len });
	padded(f, &s, bytes, s.precision >= 0 && s.precision < (int)len ? s.precision : len);
}

/* With the flag #, bytes that have an escape in C, and bytes that are not printable ASCII, are
 * escaped. */
static void character(struct fixture *f)
{
	static const char *const escapes[256] = {
		['\a'] = "\\a", ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\v'] = "\\v",
		['\f'] = "\\f", ['\r'] = "\\r", ['\''] = "\\'", ['\\'] = "\\\\",
	};
	struct spec s = random_spec(f);
	s64 v = twin_value();
	unsigned char c = (unsigned char)v;
	char text[8] = { (char)c };

	add_str(&f->fmt, "c");
	arg_long(f, v);
	if (!strchr(s.flags, '#'))
		padded(f, &s, text, 1);
	else if (escapes[c])
		padded(f, &s, escapes[c], 2);
	else if (c < 0x20 || c > 0x7e)
		padded(f, &s, text, (u32)snprintf(text, sizeof(text), "\\%03o", c));
	else
		padded(f, &s, text, 1);
}

static void binary(struct fixture *f)
{
	struct spec s = random_spec(f);
	s64 v = twin_value();
	int n = s.precision >= 0 ? s.precision : s.width >= 0 ? s.width : 8;

	n = n == 1 || n == 2 || n == 4 ? n : 8;
	add_str(&f->fmt, "b");
	arg_long(f, v);
	if (!s.left)
		fill(&f->want, 0, s.width - n);
	add(&f->want, (char *)&v, n);
	if (s.left)
		fill(&f->want, 0, s.width - n);
}

/* Bytes without a %, and invalid conversions, are printed unchanged. */
static void plain(struct fixture *f)
{
	char bytes[40];
	u32 len = (u32)twin_below(sizeof(bytes)), i;

	twin_bytes(bytes, len);
	for (i = 0; i < len; i++)
		bytes[i] = bytes[i] == '%' ? '.' : bytes[i];
	add(&f->fmt, bytes, len);
	add(&f->want, bytes, len);
	if (twin_below(2)) {
		add_str(&f->fmt, "%%");
		add_str(&f->want, "%");
	} else if (twin_below(2)) {
		add_str(&f->fmt, "%5.2q");
		add_str(&f->want, "%5.2q");
	}
}

static void check(struct fixture *f)
{
	u32 room = (u32)twin_below(2) ? f->want.len : (u32)twin_below(f->want.len + 1), i;
	char *buf = malloc(room), *fmt = malloc(f->fmt.len), *args = malloc(f->args_len);
	long n;

	f->types[f->ntypes] = 0;
	memcpy(fmt, f->fmt.s, f->fmt.len);
	memcpy(args, f->args, f->args_len);
	n = prt_format(NULL, 0, fmt, f->fmt.len, f->types, args, f->args_len);
	CHECK(n == f->want.len, "%ld bytes, not %u, of '%.*s'", n, f->want.len, (int)f->fmt.len,
	      fmt);
	n = prt_format(buf, room, fmt, f->fmt.len, f->types, args, f->args_len);
	CHECK(n == f->want.len, "%ld bytes when cut", n);
	for (i = 0; i < room; i++)
		CHECK(buf[i] == f->want.s[i], "byte %u of '%.*s': '%.*s', not '%.*s'", i,
		      (int)f->fmt.len, fmt, (int)room, buf, (int)room, f->want.s);
	/* A block of arguments that is cut is detected for all types. */
	if (f->args_len)
		CHECK(prt_format(buf, room, fmt, f->fmt.len, f->types, args, f->args_len - 8) == -1,
		      "a cut block is taken");
	free(buf);
	free(fmt);
	free(args);
}

TWIN_TEST(format)
{
	static void (*const kinds[])(struct fixture *) = { number, number, pointer, string,
							   character, binary, plain };
	struct fixture *f = malloc(sizeof(*f));
	u64 i;
	u32 n;

	for (i = 0; i < twin_rounds(20000); i++) {
		f->fmt.len = f->want.len = f->ntypes = f->args_len = 0;
		for (n = (u32)twin_below(PIECES); n--;)
			kinds[twin_below(sizeof(kinds) / sizeof(kinds[0]))](f);
		check(f);
	}
	free(f);
}

/* ---- histograms ---- */

static void label_of(const struct prt_stat_type *t, u32 i, char *buf, size_t size)
{
	__int128 one = 1;

	if (t->ops & PRT_STAT_HIST_LOG)
		snprintf(buf, size, "%lld", i == 64 ? 0 : i > 64 ? (s64)(one << (i - 65)) :
							      (s64)-(one << (63 - i)));
	else if (i == 0)
		snprintf(buf, size, "<%lld", t->low);
	else if (i == t->buckets - 1)
		snprintf(buf, size, ">=%lld", t->high);
	else
		snprintf(buf, size, "%lld", t->low + (s64)(i - 1) * t->width);
}

/* Every bucket that counts something has its row, in order, with its count and a bar of whole
 * columns; each column stands for as few counts as let the longest bar fit. No other row shows a
 * count. */
static void check_rows(const struct prt_stat *st, const struct prt_stat_type *t, char *text)
{
	u32 i, bars;
	char label[32], *line, *save, *bar, *end;
	u64 most = 0, each = 1, n;

	for (i = 0; i < t->buckets; i++)
		most = st->hist[i] > most ? st->hist[i] : most;
	if (most > 50)
		each = most / 50 + !!(most % 50);
	line = strtok_r(text, "\n", &save);
	CHECK(line && strstr(line, "value") && strstr(line, "count"), "the head");
	line = strtok_r(NULL, "\n", &save);
	for (i = 0; i < t->buckets; i++) {
		if (!st->hist[i])
			continue;
		/* Skip rows with a count of 0, and the mark that stands for more of them. */
		while (line && (!(bar = strchr(line, '|')) || strtoull(bar + 51, NULL, 10) == 0))
			line = strtok_r(NULL, "\n", &save);
		CHECK(line, "no row of bucket %u", i);
		label_of(t, i, label, sizeof(label));
		*bar++ = 0;
		CHECK(strstr(line, label), "row '%s' is not that of %s", line, label);
		bars = (u32)strspn(bar, "@");
		n = strtoull(bar + 50, &end, 10);
		CHECK(n == st->hist[i] && !*end, "row %s counts %llu, not %llu", label, n,
		      st->hist[i]);
		CHECK(bars == n / each, "a bar of %u for %llu of %llu", bars, n, most);
		line = strtok_r(NULL, "\n", &save);
	}
	for (; line; line = strtok_r(NULL, "\n", &save))
		if ((bar = strchr(line, '|')))
			CHECK(strtoull(bar + 51, NULL, 10) == 0, "a row too many: %s", line);
}

TWIN_TEST(hist)
{
	static union { struct prt_stat st; char room[2048]; } u;
	static char args[4096], text[65536];
	struct prt_stat_type t;
	u64 round;
	u32 i;
	long n;

	for (round = 0; round < twin_rounds(3000); round++) {
		t = (struct prt_stat_type){ .ops = PRT_STAT_HIST_LOG,
					    .buckets = PRT_HIST_LOG_BUCKETS };
		if (twin_below(2)) {
			t.ops = PRT_STAT_HIST_LINEAR;
			t.buckets = 3 + (u32)twin_below(PRT_HIST_LINEAR_MAX);
			t.low = (s64)twin_below(1000) - 500;
			t.width = 1 + (s64)twin_below(100);
			t.high = t.low + t.width * (t.buckets - 2);
		}
		memset(&u, 0, sizeof(u));
		u.st.hist = (u64 *)(&u.st + 1);
		for (i = 0; i < 1 + twin_below(20); i++) {
			u.st.count++;
			u.st.hist[twin_below(t.buckets)] = twin_random() >> twin_below(64);
		}
		n = prt_put_hist(args, &u.st, &t, 0) - args;
		n = prt_format(text, sizeof(text) - 1, "%H", 2, "H", args, (size_t)n);
		CHECK(n > 0 && n < (long)sizeof(text), "%ld bytes", n);
		text[n] = 0;
		check_rows(&u.st, &t, text);
	}
}
