/* SPDX-License-Identifier: GPL-2.0 */
/* Strings: comparing, copying, cutting, and what tapsets make of them. Any context. */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time.h>

#include "context.h"
#include "abi/format.h"

static __always_inline u32 most(void)
{
	return prt_script.maxstringlen - 1;
}

s64 prt_str_cmp(struct prt_str a, struct prt_str b)
{
	int order = memcmp(a.s, b.s, min(a.len, b.len));

	return order ? order : (s64)a.len - (s64)b.len;
}
NOKPROBE_SYMBOL(prt_str_cmp);

void prt_str_set(struct prt_strbuf *dst, struct prt_str src)
{
	u32 len = min(src.len, most());

	memmove(dst->s, src.s, len);
	dst->len = len;
}
NOKPROBE_SYMBOL(prt_str_set);

struct prt_str prt_str_copy(char *buf, struct prt_str src)
{
	u32 len = min(src.len, most());

	memmove(buf, src.s, len);
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(prt_str_copy);

struct prt_str prt_str_concat(char *buf, struct prt_str a, struct prt_str b)
{
	u32 first = min(a.len, most()), second = min(b.len, most() - first);

	memcpy(buf, a.s, first);
	memcpy(buf + first, b.s, second);
	return (struct prt_str){ buf, first + second };
}
NOKPROBE_SYMBOL(prt_str_concat);

struct prt_str prt_sprintf(char *buf, struct prt_str fmt, const char *types, const void *args,
			   u32 args_len)
{
	long len = prt_format(buf, most(), fmt.s, fmt.len, types, args, args_len);

	return (struct prt_str){ buf, clamp_t(long, len, 0, most()) };
}
NOKPROBE_SYMBOL(prt_sprintf);

struct prt_str prt_substr(char *buf, struct prt_str s, s64 start, s64 len)
{
	if (start < 0 || start >= s.len || len <= 0)
		return (struct prt_str){ buf, 0 };
	s.s += start;
	s.len = min_t(s64, s.len - start, len);
	return prt_str_copy(buf, s);
}
NOKPROBE_SYMBOL(prt_substr);

static int digit_of(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 0x20;
	return ch >= 'a' && ch <= 'z' ? ch - 'a' + 10 : 99;
}

/* As C's strtol, without an error: what is no digit ends the number, one that does not fit wraps;
 * to a base that there is not, it is 0. */
s64 prt_strtol(struct prt_str s, s64 base)
{
	const char *p = s.s, *end = p + s.len;
	bool minus = false;
	u64 v = 0;

	if (base < 0 || base == 1 || base > 36)
		return 0;
	while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r')))
		p++;
	if (p < end && (*p == '-' || *p == '+'))
		minus = *p++ == '-';
	if ((base == 0 || base == 16) && end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x' &&
	    digit_of(p[2]) < 16) {
		p += 2;
		base = 16;
	} else if (base == 0) {
		base = p < end && *p == '0' ? 8 : 10;
	}
	for (; p < end && digit_of(*p) < base; p++)
		v = v * base + digit_of(*p);
	return (s64)(minus ? 0 - v : v);
}
NOKPROBE_SYMBOL(prt_strtol);

/* An @input that is not empty is remembered in this context; each call cuts the next token that
 * is not empty off it. */
struct prt_str prt_tokenize(struct prt_ctx *c, char *buf, struct prt_str input,
			    struct prt_str delim)
{
	struct prt_cpu *cpu = prt_cpu_of(c);
	u32 from, to;

	if (input.len) {
		cpu->token_at = 0;
		cpu->token_end = prt_str_copy(cpu->token, input).len;
	}
	from = cpu->token_at;
	while (from < cpu->token_end && memchr(delim.s, cpu->token[from], delim.len))
		from++;
	to = from;
	while (to < cpu->token_end && !memchr(delim.s, cpu->token[to], delim.len))
		to++;
	cpu->token_at = min(to + 1, cpu->token_end);
	return prt_str_copy(buf, (struct prt_str){ cpu->token + from, to - from });
}
NOKPROBE_SYMBOL(prt_tokenize);

/* How C writes @ch in a string literal, into @to: 1 to 4 bytes; the length. */
static u32 put_escaped(char *to, unsigned char ch)
{
	static const char plain[] = "\"\\\n\t\r\a\b\f\v", letters[] = "\"\\ntrabfv";
	const char *known = memchr(plain, ch, sizeof(plain) - 1);

	if (ch >= ' ' && ch < 127 && !known) {
		to[0] = ch;
		return 1;
	}
	to[0] = '\\';
	if (known) {
		to[1] = letters[known - plain];
		return 2;
	}
	to[1] = '0' + (ch >> 6);
	to[2] = '0' + (ch >> 3 & 7);
	to[3] = '0' + (ch & 7);
	return 4;
}

struct prt_str prt_quoted(char *buf, struct prt_str from, s64 want, bool quotes)
{
	u32 len = 0, room = most() - 3 - 2 * quotes, i, n;
	bool cut = want < from.len;
	char one[4];

	if (cut)
		from.len = max_t(s64, 0, want);
	if (quotes)
		buf[len++] = '"';
	for (i = 0; i < from.len; i++, len += n) {
		n = put_escaped(one, from.s[i]);
		if (len + n > room + quotes) {
			cut = true;
			break;
		}
		memcpy(buf + len, one, n);
	}
	if (quotes)
		buf[len++] = '"';
	if (cut) {
		memcpy(buf + len, "...", 3);
		len += 3;
	}
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(prt_quoted);

struct prt_str prt_replace(char *buf, struct prt_str s, struct prt_str what, struct prt_str to)
{
	u32 i = 0, len = 0;

	while (i < s.len && len < most()) {
		bool here = what.len && what.len <= s.len - i && !memcmp(s.s + i, what.s, what.len);
		struct prt_str piece = { s.s + i, 1 };

		if (here)
			piece = to;
		piece.len = min(piece.len, most() - len);
		memcpy(buf + len, piece.s, piece.len);
		len += piece.len;
		i += here ? what.len : 1;
	}
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(prt_replace);

static char *put_digits(char *p, u32 v, u32 width, char pad)
{
	u32 i;

	for (i = width; i--; v /= 10)
		p[i] = v || i == width - 1 ? '0' + v % 10 : pad;
	return p + width;
}

/* "Thu Jan  1 00:00:00 1970", UTC. */
struct prt_str prt_ctime(char *buf, s64 seconds)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char text[32], *p = text;
	struct tm tm;

	if (seconds < 0)
		return prt_str_copy(buf, PRT_LIT("a long, long time ago..."));
	if (seconds > 253402300799ll)
		return prt_str_copy(buf, PRT_LIT("far far in the future..."));
	time64_to_tm(seconds, 0, &tm);
	memcpy(p, days + 3 * tm.tm_wday, 3);
	p[3] = ' ';
	memcpy(p + 4, months + 3 * tm.tm_mon, 3);
	p[7] = ' ';
	p = put_digits(p + 8, tm.tm_mday, 2, ' ');
	*p++ = ' ';
	p = put_digits(p, tm.tm_hour, 2, '0');
	*p++ = ':';
	p = put_digits(p, tm.tm_min, 2, '0');
	*p++ = ':';
	p = put_digits(p, tm.tm_sec, 2, '0');
	*p++ = ' ';
	p = put_digits(p, tm.tm_year + 1900, 4, '0');
	return prt_str_copy(buf, (struct prt_str){ text, p - text });
}
NOKPROBE_SYMBOL(prt_ctime);
