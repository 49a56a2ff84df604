/* SPDX-License-Identifier: GPL-2.0 */
/* Compares functions on strings and readable memory with loops over bytes and with the C
 * library. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>

#include "machine.h"
#include "twin.h"

enum { LEN = 600, MOST = 511, SRCLOC = 9 };

/* Copies to heap memory of exactly its length, so that sanitizers see a read behind it. */
static struct prt_str random_str(u32 max)
{
	u32 len = twin_length(max);
	char *s = malloc(len);

	twin_bytes(s, len);
	return (struct prt_str){ s, len };
}

static void drop(struct prt_str s)
{
	free((char *)s.s);
}

static void same(struct prt_str got, const char *want, u32 len, const char *what)
{
	u32 i;

	CHECK(got.len == len, "%s: %u bytes, not %u", what, got.len, len);
	for (i = 0; i < len; i++)
		CHECK(got.s[i] == want[i], "%s: byte %u of %u", what, i, len);
}

static u32 cut(u32 len)
{
	return len < MOST ? len : MOST;
}

static void copies(struct prt_str a, struct prt_str b)
{
	char *buf = malloc(MOST), want[2 * LEN];
	union { struct prt_strbuf b; char room[4 + MOST + 1]; } kept;
	s64 start = twin_value(), len = twin_value();
	u32 i, n = 0, at;

	same(prt_str_copy(buf, a), a.s, cut(a.len), "copy");
	memcpy(want, a.s, a.len);
	memcpy(want + a.len, b.s, b.len);
	same(prt_str_concat(buf, a, b), want, cut(a.len + b.len), "concat");
	for (i = 0; i < a.len && start >= 0; i++)
		if (i >= start && n < len)
			want[n++] = a.s[i];
	same(prt_substr(buf, a, start, len), want, cut(n), "substr");
	prt_str_set(&kept.b, a);
	same(prt_str_get(&kept.b), a.s, cut(a.len), "set");
	/* Set a string to a part of itself. */
	memcpy(want, kept.b.s, kept.b.len);
	at = (u32)twin_below(kept.b.len + 1);
	prt_str_set(&kept.b, (struct prt_str){ kept.b.s + at, kept.b.len - at });
	same(prt_str_get(&kept.b), want + at, cut(a.len) - at, "set over itself");
	free(buf);
}

/* Escapes the first character of @from as in a literal: its length goes to *@n, the text to @to,
 * which has 16 bytes. Returns the length of the text. */
static u32 escape_one(char *to, struct prt_str from, u32 *n)
{
	static const char names[] = "abtnvfr";
	u32 c = (u8)from.s[0], want = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 1;
	u32 value = want == 1 ? c : c & ((1u << (7 - want)) - 1), i;

	for (i = 1; i < want && i < from.len && ((u8)from.s[i] >> 6) == 2; i++)
		value = value * 64 + ((u8)from.s[i] & 63);
	*n = want;
	if (want > 1 && i == want && c < 0xf8 && value < 0x110000 &&
	    value >= (want == 3 ? 0x800u : 0x80u) && (want < 4 || value >= 0x10000) &&
	    value >> 11 != 27)
		return (u32)sprintf(to, value > 0xffff ? "\\U%08X" : "\\u%04X", value);
	*n = 1;
	if (c == '"' || c == '\\')
		return (u32)sprintf(to, "\\%c", (int)c);
	if (c >= 7 && c <= 13)
		return (u32)sprintf(to, "\\%c", names[c - 7]);
	if (c >= 32 && c < 127)
		return (u32)sprintf(to, "%c", (int)c);
	return (u32)sprintf(to, "\\%03o", c);
}

/* Mixes characters of several bytes, whole and damaged, with random bytes. */
static struct prt_str random_text(void)
{
	static const char *const some[] = {
		"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\xa7", "\xc0\x80",
		"\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80", "\"", "a",
	};
	struct prt_str s = random_str(LEN);
	u32 at = 0;

	while (at + 4 <= s.len && twin_below(3)) {
		const char *one = some[twin_below(9)];

		memcpy((char *)s.s + at, one, strlen(one));
		at += (u32)strlen(one) + (u32)twin_below(2);
	}
	return s;
}

/* Escapes the whole text and then cuts it, as SystemTap's reference describes text_strn(). */
static void quoted(struct prt_str a)
{
	char *buf = malloc(MOST), want[10 * LEN + 16], one[16];
	s64 room = twin_below(3) ? (s64)twin_below(40) - 2 : twin_value();
	bool quotes = twin_below(2), all = true;
	u32 limit = room <= 0 || room > MOST ? MOST : (u32)room, i, n, size, at = 0, kept = 0;

	if (quotes)
		limit = (limit < 5 ? 5 : limit) - 2;
	for (i = 0; i < a.len; i += n) {
		size = escape_one(one, (struct prt_str){ a.s + i, a.len - i }, &n);
		all = at + size <= limit;
		if (!all)
			break;
		memcpy(want + quotes + at, one, size);
		at += size;
		kept = at + 3 <= limit ? at : kept;
	}
	if (quotes) {
		want[0] = '"';
		at = all ? at : kept;
		memcpy(want + 1 + at, "\"...", 4);
		at += all ? 2 : 5;
	}
	same(prt_quoted(buf, a, room, quotes), want, at, "quoted");
	free(buf);
}

static void replaced(struct prt_ctx *c, struct prt_str s, struct prt_str what, struct prt_str to)
{
	char *buf = malloc(MOST), want[LEN * LEN + LEN];
	u32 i = 0, n = 0;

	while (i < s.len) {
		if (what.len && i + what.len <= s.len && memcmp(s.s + i, what.s, what.len) == 0) {
			memcpy(want + n, to.s, to.len);
			n += to.len;
			i += what.len;
		} else {
			want[n++] = s.s[i++];
		}
	}
	same(prt_replace(c, buf, s, what, to, SRCLOC), want, cut(n), "replaced");
	free(buf);
}

static void contains(struct prt_ctx *c, struct prt_str s, struct prt_str part)
{
	u32 at = (u32)twin_below(s.len + 1), len = (u32)twin_below(s.len - at + 1);
	struct prt_str inside = { s.s + at, len };

	CHECK(prt_contains(c, s, inside, SRCLOC) == 1, "%u of %u bytes", len, s.len);
	CHECK(prt_contains(c, s, part, SRCLOC) == (memmem(s.s, s.len, part.s, part.len) != NULL),
	      "%u in %u bytes", part.len, s.len);
}

static void contains_step(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str part)
{
	prt_contains(c, s, part, SRCLOC);
}

static void replace_step(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str part)
{
	prt_replace(c, buf, s, part, s, SRCLOC);
}

static void tokenize_step(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str part)
{
	prt_tokenize(c, buf, s, (struct prt_str){ part.s + 1, part.len - 1 }, SRCLOC);
}

/* Searches that compare much for little, as often as a hit may: each costs what it compares. */
static void spends(void)
{
	static void (*const step[])(struct prt_ctx *c, char *buf, struct prt_str s,
				    struct prt_str part) = {
		contains_step, replace_step, tokenize_step,
	};
	char s[MOST], part[MOST / 2], buf[MOST];
	u32 i, n;

	memset(s, 'a', sizeof(s));
	memset(part, 'a', sizeof(part));
	for (i = 0; i < 3; i++) {
		struct prt_ctx *c = machine_context(0, 10000);

		part[sizeof(part) - 1] = 'b';
		if (step[i] == tokenize_step)
			memset(part, 'b', sizeof(part));
		for (n = 0; n < 1000 && !c->err; n++)
			step[i](c, buf, (struct prt_str){ s, sizeof(s) },
				(struct prt_str){ part, sizeof(part) });
		CHECK(c->err == PRT_E_STEPS && c->err_srcloc == SRCLOC && n > 10,
		      "kind %u: error %u after %u calls", i, c->err, n);
		c->err = 0;
	}
}

static void compares(struct prt_str a, struct prt_str b)
{
	u32 i = 0;
	int want;
	s64 got = prt_str_cmp(a, b);

	while (i < a.len && i < b.len && a.s[i] == b.s[i])
		i++;
	if (i < a.len && i < b.len)
		want = (u8)a.s[i] < (u8)b.s[i] ? -1 : 1;
	else
		want = a.len < b.len ? -1 : a.len > b.len;
	CHECK((got > 0) - (got < 0) == want, "order %lld, not %d", got, want);
	CHECK(prt_str_eq(a, b) == !want, "equality");
}

/* The kernel's simple_strtol(), by strchr() and powers. */
static s64 naive_strtol(const char *text, u32 base)
{
	static const char digits[] = "00112233445566778899aAbBcCdDeEfF";
	bool minus = *text == '-', is_hex;
	u64 power = 1, sum = 0;
	size_t n = 0;

	text += minus;
	is_hex = strncasecmp(text, "0x", 2) == 0;
	if (!base)
		base = is_hex && isxdigit((u8)text[2]) ? 16 : *text == '0' ? 8 : 10;
	text += base == 16 && is_hex ? 2 : 0;
	while (text[n] && strchr(digits, text[n]) && (strchr(digits, text[n]) - digits) / 2 < base)
		n++;
	for (; n; power *= base)
		sum += power * ((strchr(digits, text[--n]) - digits) / 2);
	return minus ? -sum : sum;
}

static void numbers(void)
{
	static const char set[] = "0012789aAfFxXzZ-+ \t\ng";
	char text[24], *copy;
	u32 len = (u32)twin_below(sizeof(text)), i;
	s64 base = twin_below(4) ? (s64)twin_below(37) : twin_value(), want;

	for (i = 0; i < len; i++)
		text[i] = set[twin_below(i || !twin_below(4) ? sizeof(set) - 1 : 6)];
	text[len] = 0;
	want = naive_strtol(text, (u32)base);
	/* It agrees with C about what both accept. */
	errno = 0;
	if (isxdigit((u8)text[0]) && (base == 0 || (base >= 2 && base <= 16)) &&
	    strtoll(text, NULL, (int)base) != want && !errno)
		CHECK(false, "the naive twin reads '%s' to base %lld as %lld", text, base, want);
	copy = malloc(len);
	memcpy(copy, text, len);
	CHECK(prt_strtol((struct prt_str){ copy, len }, base) == want,
	      "'%s' to base %lld is not %lld", text, base, want);
	free(copy);
}

static void tokens(struct prt_ctx *c, struct prt_str input, struct prt_str delim)
{
	bool is_delim[256] = { false };
	char buf[MOST];
	u32 i = 0, from, end = cut(input.len);

	for (from = 0; from < delim.len; from++)
		is_delim[(u8)delim.s[from]] = true;
	for (from = 0;; from = i) {
		while (from < end && is_delim[(u8)input.s[from]])
			from++;
		for (i = from; i < end && !is_delim[(u8)input.s[i]];)
			i++;
		if (input.len)
			same(prt_tokenize(c, buf, i == 0 || from == 0 || !c->err_srcloc ? input :
					  (struct prt_str){ NULL, 0 }, delim, SRCLOC),
			     input.s + from, i - from, "token");
		c->err_srcloc = 1;
		if (from == i)
			break;
	}
}

static void times(struct prt_ctx *c)
{
	static const s64 first = -62135596800ll, end = 253402300800ll;
	s64 t = twin_below(2) ? first + (s64)twin_below((u64)(end - first)) :
				(s64)twin_below(8000000000u) - 4000000000ll;
	char buf[MOST], want[64];
	struct tm tm;

	gmtime_r(&(time_t){ t }, &tm);
	/* The C library writes the year 7 as 7. */
	sprintf(want + strftime(want, sizeof(want), "%a %b %e %H:%M:%S ", &tm), "%04d",
		tm.tm_year + 1900);
	same(prt_ctime(c, buf, t, SRCLOC), want, 24, "ctime");
	CHECK(!c->err, "ctime of %lld", t);
	t = twin_below(2) ? end + (s64)twin_below(100) : first - 1 - (s64)twin_below(100);
	same(prt_ctime(c, buf, t, SRCLOC), "", 0, "ctime");
	CHECK(c->err == PRT_E_BAD_VALUE && c->err_srcloc == SRCLOC, "ctime of %lld", t);
	c->err = 0;
}

/* Names of bits and of two bits together, the latter first as in tables of tapsets. */
static void words(void)
{
	static const struct prt_word table[] = {
		{ 0x11, "BOTH" }, { 0x1, "ONE" }, { 0, "NONE" }, { 0x10, "HIGH" },
		{ 0x8000000000000000ull, "TOP" },
	};
	u64 flags = 0, rest;
	char want[128] = "", *buf = malloc(MOST);
	struct prt_str got;
	u32 i;

	for (i = twin_below(6); i > 0; i--)
		flags |= 1ull << (twin_below(2) ? twin_below(6) : twin_below(64));
	rest = flags;
	if ((flags & 0x11) == 0x11)
		strcat(want, "|BOTH");
	else if (flags & 0x11)
		strcat(want, flags & 1 ? "|ONE" : "|HIGH");
	if (flags >> 63)
		strcat(want, "|TOP");
	rest &= ~0x8000000000000011ull;
	if (rest)
		sprintf(want + strlen(want), "|%#llx", (unsigned long long)rest);
	if (!flags)
		strcpy(want, "|NONE");
	got = prt_flags_str(buf, flags, table, PRT_COUNT(table));
	same(got, want + 1, strlen(want + 1), "flags");
	got = prt_flags_str(buf, 0, table, 1);
	same(got, "0", 1, "no flags");
	got = prt_word_str(buf, twin_below(2) ? 0x10 : 0x20, table, PRT_COUNT(table));
	CHECK(got.len == 4 && (memcmp(got.s, "HIGH", 4) == 0 || memcmp(got.s, "0x20", 4) == 0),
	      "word");
	free(buf);
}

TWIN_TEST(text)
{
	static struct prt_probe probe;
	u64 i;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	spends();
	for (i = 0; i < twin_rounds(20000); i++) {
		struct prt_ctx *c = machine_context(0, 100000);
		struct prt_str a = random_text(), b = random_str(twin_below(2) ? LEN : 3);

		copies(a, b);
		quoted(a);
		contains(c, a, (struct prt_str){ b.s, b.len < 2 ? b.len : twin_below(3) });
		replaced(c, a, (struct prt_str){ b.s, b.len < 2 ? b.len : twin_below(3) }, b);
		compares(a, b);
		compares(a, a);
		numbers();
		words();
		c->err_srcloc = 0;
		tokens(c, a, b);
		times(c);
		drop(a);
		drop(b);
	}
	machine_close();
}

/* A readable page before one that is not. */
TWIN_TEST(read)
{
	static struct prt_probe probe;
	char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	u64 i;

	twin_script.probes = &probe;
	twin_script.nprobes = 1;
	CHECK(machine_open(PRT_RING_MIN) == 0, "no session");
	mprotect(page + 4096, 4096, PROT_NONE);
	machine_readable(page, 4096);
	for (i = 0; i < twin_rounds(20000); i++) {
		struct prt_ctx *c = machine_context(0, 0);
		u32 at = 4096 - (u32)twin_below(twin_below(2) ? 4097 : 80), end;
		u32 size = 1u << twin_below(4);
		char *buf = malloc(MOST), hex[32];
		bool is_signed = twin_below(2);
		struct prt_str s;
		s64 v, want = 0;

		twin_bytes(page, 4096);
		for (end = at; end < 4096 && page[end]; end++)
			;
		s = twin_below(2) ? prt_read_kernel_str(c, buf, (u64)page + at, SRCLOC) :
				    prt_read_user_str(c, buf, (u64)page + at, SRCLOC);
		if (end < 4096 || at + MOST <= 4096) {
			same(s, page + at, cut(end - at), "string");
			CHECK(!c->err, "error %u", c->err);
		} else {
			snprintf(hex, sizeof(hex), "0x%llx", (u64)page + 4096);
			CHECK(c->err == PRT_E_BAD_ADDRESS && s.len == 0, "no error");
			same((struct prt_str){ c->err_text, c->err_len }, hex, strlen(hex),
			     "address");
		}
		c->err = 0;
		v = prt_read(c, (u64)page + at, size, is_signed, SRCLOC);
		memcpy(&want, page + (at <= 4096 - size ? at : 0), size);
		if (is_signed && size < 8 && want >> (8 * size - 1))
			want |= (s64)(~0ull << (8 * size));
		if (at + size <= 4096)
			CHECK(v == want && !c->err, "%lld, not %lld", v, want);
		else
			CHECK(v == 0 && c->err == PRT_E_BAD_ADDRESS, "error %u", c->err);
		free(buf);
	}
	machine_readable(NULL, 0);
	munmap(page, 8192);
	machine_close();
}
