/* SPDX-License-Identifier: GPL-2.0 */
/* Strings: comparing, copying, cutting, and the functions of tapsets. Any context. */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time.h>

#include "bytes.h"
#include "context.h"
#include "abi/format.h"

/* The number of compared bytes that cost one step. */
enum { COMPARED_PER_STEP = 1024 };

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

	if (!prt_copy_short(dst->s, src.s, len))
		memmove(dst->s, src.s, len);
	dst->len = len;
}
NOKPROBE_SYMBOL(prt_str_set);

struct prt_str prt_str_copy(char *buf, struct prt_str src)
{
	u32 len = min(src.len, most());

	if (!prt_copy_short(buf, src.s, len))
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

/* A character as a digit; 16 or more if it is none in base 16. */
static u32 digit_of(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	ch |= 0x20;
	return ch >= 'a' && ch <= 'f' ? ch - 'a' + 10 : 16;
}

/* The kernel's simple_strtol(), which SystemTap's strtol() calls, for strings that are not
 * terminated. */
s64 prt_strtol(struct prt_str s, s64 base)
{
	const char *p = s.s, *end = p + s.len;
	u32 digit, radix = (u32)base;
	bool minus, is_hex;
	u64 v = 0;

	minus = p < end && *p == '-';
	p += minus;
	is_hex = end - p > 1 && p[0] == '0' && (p[1] | 0x20) == 'x';
	if (radix == 0 && p < end && *p == '0')
		radix = is_hex && end - p > 2 && digit_of(p[2]) < 16 ? 16 : 8;
	else if (radix == 0)
		radix = 10;
	if (radix == 16 && is_hex)
		p += 2;
	for (; p < end; p++) {
		digit = digit_of(*p);
		if (digit >= 16 || digit >= radix)
			break;
		v = v * radix + digit;
	}
	return (s64)(minus ? 0 - v : v);
}
NOKPROBE_SYMBOL(prt_strtol);

/* A call can compare as many bytes as the product of two lengths, so it is charged for them:
 * otherwise, a loop of such calls could keep interrupts off for minutes. */
static void spend_compared(struct prt_ctx *c, u64 bytes, u32 srcloc)
{
	PRT_STEPS(c, bytes / COMPARED_PER_STEP, srcloc, out);
out:
	return;
}
NOKPROBE_SYMBOL(spend_compared);

/* Whether @part is at @at of @s; adds the number of bytes compared to @compared. */
static bool is_at(struct prt_str s, u32 at, struct prt_str part, u64 *compared)
{
	if (part.len > s.len - at)
		return false;
	(*compared)++;
	if (part.len && s.s[at] != part.s[0])
		return false;
	*compared += part.len;
	return memcmp(s.s + at, part.s, part.len) == 0;
}
NOKPROBE_SYMBOL(is_at);

s64 prt_contains(struct prt_ctx *c, struct prt_str s, struct prt_str part, u32 srcloc)
{
	u64 compared = 0;
	bool found = false;
	u32 i;

	for (i = 0; i <= s.len && part.len <= s.len - i && !found; i++)
		found = is_at(s, i, part, &compared);
	spend_compared(c, compared, srcloc);
	return found;
}
NOKPROBE_SYMBOL(prt_contains);

/* A non-empty @input is stored in this context; each call takes the next non-empty token from
 * it. */
struct prt_str prt_tokenize(struct prt_ctx *c, char *buf, struct prt_str input,
			    struct prt_str delim, u32 srcloc)
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
	spend_compared(c, (u64)(to - cpu->token_at) * delim.len, srcloc);
	cpu->token_at = min(to + 1, cpu->token_end);
	return prt_str_copy(buf, (struct prt_str){ cpu->token + from, to - from });
}
NOKPROBE_SYMBOL(prt_tokenize);

/* Decodes the UTF-8 character at @s (@left bytes, at least one) into *@ch; returns its length. A
 * byte that begins no character, or an overlong one, is a character of its own. */
static u32 get_utf8(const char *s, u32 left, u32 *ch)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = s[0];
	u32 n = first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 1, i;

	*ch = first;
	if (n == 1 || n > left)
		return 1;
	*ch &= 0x7f >> n;
	for (i = 1; i < n && ((unsigned char)s[i] & 0xc0) == 0x80; i++)
		*ch = *ch << 6 | (s[i] & 0x3f);
	if (i == n && *ch >= least[n] && *ch <= 0x10ffff && (*ch < 0xd800 || *ch > 0xdfff))
		return n;
	*ch = first;
	return 1;
}

/* Writes @ch, which had @n bytes of UTF-8, into @to as C does in a string literal; returns its
 * length, 1 to 10. */
static u32 put_escaped(char *to, u32 ch, u32 n)
{
	static const char plain[] = "\"\\\n\t\r\a\b\f\v", letters[] = "\"\\ntrabfv";
	static const char hex[] = "0123456789ABCDEF";
	const char *known = n == 1 ? memchr(plain, ch, sizeof(plain) - 1) : NULL;
	u32 len = 2, shift;

	if (ch >= ' ' && ch < 127 && !known) {
		to[0] = ch;
		return 1;
	}
	to[0] = '\\';
	if (known) {
		to[1] = letters[known - plain];
		return 2;
	}
	if (n == 1) {
		to[1] = '0' + (ch >> 6);
		to[2] = '0' + (ch >> 3 & 7);
		to[3] = '0' + (ch & 7);
		return 4;
	}
	to[1] = ch > 0xffff ? 'U' : 'u';
	for (shift = ch > 0xffff ? 32 : 16; shift; shift -= 4)
		to[len++] = hex[ch >> (shift - 4) & 15];
	return len;
}

/* Whether all 8 bytes are the same in a string literal of C: none is above 126, below a space, '"'
 * or '\\'. A borrow can also set the high bit of the byte above such a byte, but of no other. */
static __always_inline bool is_plain(u64 word)
{
	const u64 ones = ~0ull / 255;
	u64 quote = word ^ ones * '"', slash = word ^ ones * '\\';

	return !((word | (word + ones) | (word - ones * ' ') | ((quote - ones) & ~quote) |
		  ((slash - ones) & ~slash)) & ones * 128);
}

/* Copies @len bytes to @to, which has room for at least 8. false: not all of them are plain, and
 * some were copied. */
static __always_inline bool copy_plain(char *to, const char *from, u32 len)
{
	u64 word;
	u32 i = 0;

	if (len < 8) {
		word = prt_load_short(from, len) | ~0ull / 255 * ' ' << 8 * len;
		__builtin_memcpy(to, &word, 8);
		return is_plain(word);
	}
	for (;;) {
		word = prt_load8(from + i);
		__builtin_memcpy(to + i, &word, 8);
		if (!is_plain(word))
			return false;
		if (i + 8 == len)
			return true;
		i = min(i + 8, len - 8);
	}
}

static noinline struct prt_str quoted(char *buf, struct prt_str from, u32 room, bool quotes)
{
	u32 len = 0, kept = 0, i = 0, n, ch, size;
	bool cut = false;
	char one[10];

	/* The quotes take two bytes. If the text is cut, three dots follow the closing quote, in
	 * the place of the last bytes. */
	room = quotes ? max(room, 5u) - 1 : room;
	if (quotes)
		buf[len++] = '"';
	for (kept = len; i < from.len; i += n) {
		n = get_utf8(from.s + i, from.len - i, &ch);
		size = put_escaped(one, ch, n);
		if (len + size > room) {
			cut = true;
			break;
		}
		memcpy(buf + len, one, size);
		len += size;
		if (len + 3 <= room)
			kept = len;
	}
	if (quotes && cut) {
		memcpy(buf + kept, "\"...", 4);
		len = kept + 4;
	} else if (quotes) {
		buf[len++] = '"';
	}
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(quoted);

struct prt_str prt_quoted(char *buf, struct prt_str from, s64 most_bytes, bool quotes)
{
	u32 room = most_bytes <= 0 || most_bytes > most() ? most() : most_bytes;

	/* The usual case: the string is plain, and it fits with the quotes, as do 8 bytes. */
	if (unlikely(max(from.len, 8u) + 2 > room || !copy_plain(buf + quotes, from.s, from.len)))
		return quoted(buf, from, room, quotes);
	if (quotes)
		buf[0] = buf[from.len + 1] = '"';
	return (struct prt_str){ buf, from.len + 2 * quotes };
}
NOKPROBE_SYMBOL(prt_quoted);

struct prt_str prt_replace(struct prt_ctx *c, char *buf, struct prt_str s, struct prt_str what,
			   struct prt_str to, u32 srcloc)
{
	u64 compared = 0;
	u32 i = 0, len = 0;

	while (i < s.len && len < most()) {
		bool here = what.len && is_at(s, i, what, &compared);
		struct prt_str piece = { s.s + i, 1 };

		if (here)
			piece = to;
		piece.len = min(piece.len, most() - len);
		memcpy(buf + len, piece.s, piece.len);
		len += piece.len;
		i += here ? what.len : 1;
	}
	spend_compared(c, compared, srcloc);
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

/* The first seconds of the years 1 and 10000: years between them have up to four digits. */
#define TIME_MIN (-62135596800ll)
#define TIME_END 253402300800ll

struct prt_str prt_ctime(struct prt_ctx *c, char *buf, s64 seconds, u32 srcloc)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	char text[32], *p = text;
	struct tm tm;

	if (seconds < TIME_MIN || seconds >= TIME_END) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, seconds < 0 ?
			  PRT_LIT("a time too far in the past for a date") :
			  PRT_LIT("a time too far in the future for a date"));
		return (struct prt_str){ buf, 0 };
	}
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

/* ---- names of numbers ---- */

static struct prt_str word_name(const struct prt_word *word)
{
	u32 len = 0;

	while (word->name[len])
		len++;
	return (struct prt_str){ word->name, len };
}
NOKPROBE_SYMBOL(word_name);

static struct prt_str hexadecimal(char *buf, u64 value)
{
	return prt_sprintf(buf, PRT_LIT("%#x"), "l", &value, sizeof(value));
}
NOKPROBE_SYMBOL(hexadecimal);

struct prt_str prt_word_str(char *buf, s64 value, const struct prt_word *words, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		if (words[i].value == (u64)value)
			return prt_str_copy(buf, word_name(&words[i]));
	return hexadecimal(buf, value);
}
NOKPROBE_SYMBOL(prt_word_str);

/* Adds @name to the @len bytes in @buf, after a "|" unless @len is 0. Returns the new length. */
static u32 add_name(char *buf, u32 len, struct prt_str name)
{
	u32 room;

	if (len && len < most())
		buf[len++] = '|';
	room = min(name.len, most() - len);
	memcpy(buf + len, name.s, room);
	return len + room;
}
NOKPROBE_SYMBOL(add_name);

struct prt_str prt_flags_str(char *buf, s64 flags, const struct prt_word *words, u32 n)
{
	u64 rest = flags;
	char number[24];
	u32 len = 0, i;
	long digits;

	if (!flags)
		return prt_word_str(buf, 0, words, n);
	for (i = 0; i < n; i++) {
		if ((flags & words[i].value) != words[i].value || !(rest & words[i].value))
			continue;
		rest &= ~words[i].value;
		len = add_name(buf, len, word_name(&words[i]));
	}
	if (rest) {
		digits = prt_format(number, sizeof(number), "%#x", 3, "l", &rest, sizeof(rest));
		len = add_name(buf, len, (struct prt_str){ number, digits });
	}
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(prt_flags_str);
