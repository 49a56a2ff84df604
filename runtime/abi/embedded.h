/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of SystemTap's runtime that the embedded C of users may call. The script unit
 * includes this file after the kernel's headers, before the script's own C.
 *
 * They have no context parameter, so they use the context of the handler that runs on this CPU. If
 * none runs, for example in a kernel timer that the embedded C has set up, they do nothing. Their
 * output is cut at MAXSTRINGLEN - 1 bytes like a string of the script; if it does not fit into the
 * ring, it is lost and counted like other prints.
 */
#ifndef PRT_EMBEDDED_H
#define PRT_EMBEDDED_H

#define MAXSTRINGLEN PRT_MAXSTRINGLEN
#define MAXMAPENTRIES PRT_MAXMAPENTRIES
#define MAXACTION PRT_MAXACTION
#define MAXNESTING PRT_MAXNESTING
#define MAXERRORS PRT_MAXERRORS
/* An unknown source location: the error is reported at the probe. */
#define PRT_EMBEDDED_SRCLOC 0xffffffff
typedef long intptr_t; /* the kernel's own, which newer ones have, is the same */
#define STAP_VERSION(major, minor) (((major) << 8) + (minor))

/*
 * Memory of the kernel (k) and of the current process (u), in a function of the script: @c is its
 * context. An error is set where an address can't be read or written; since it does not end the
 * handler at once, what is read is then 0.
 */
#define kderef(size, addr) prt_read(c, (u64)(addr), size, false, PRT_EMBEDDED_SRCLOC)
#define uderef(size, addr) prt_read_user(c, (u64)(addr), size, false, PRT_EMBEDDED_SRCLOC)
#define store_kderef(size, addr, v) \
	prt_write(c, (u64)(addr), size, (s64)(v), PRT_EMBEDDED_SRCLOC)
#define store_uderef(size, addr, v) \
	prt_write_user(c, (u64)(addr), size, (s64)(v), PRT_EMBEDDED_SRCLOC)
#define kread(ptr) ((typeof(*(ptr)))kderef(sizeof(*(ptr)), ptr))
#define uread(ptr) ((typeof(*(ptr)))uderef(sizeof(*(ptr)), ptr))
#define kwrite(ptr, v) store_kderef(sizeof(*(ptr)), ptr, v)
#define uwrite(ptr, v) store_uderef(sizeof(*(ptr)), ptr, v)
#define CATCH_DEREF_FAULT() do { } while (0)

/** prt_embedded_begin - the context to print on; NULL if there is none, or if its handler has
 * failed. */
static inline struct prt_ctx *prt_embedded_begin(void)
{
	struct prt_ctx *c = prt_here();

	return c && !c->err ? c : NULL;
}

/** prt_embedded_format - format into c->err_text, the buffer for the detail of an error, which is
 * unused while no error is set. */
static __maybe_unused __printf(2, 0)
struct prt_str prt_embedded_format(struct prt_ctx *c, const char *fmt, va_list ap)
{
	return (struct prt_str){ c->err_text, vscnprintf(c->err_text, MAXSTRINGLEN, fmt, ap) };
}

#ifdef PRT_EMBEDDED_PRINT /* number of the print statement, which is printf("%s") */
static __maybe_unused void prt_embedded_print(struct prt_ctx *c, struct prt_str s)
{
	char *to = prt_out_begin(c, PRT_EMBEDDED_PRINT, 8 + prt_str_room(s));

	if (to)
		prt_put_str(to, s);
}

static __maybe_unused __printf(1, 2) void _stp_printf(const char *fmt, ...)
{
	struct prt_ctx *c = prt_embedded_begin();
	va_list ap;

	if (!c)
		return;
	va_start(ap, fmt);
	prt_embedded_print(c, prt_embedded_format(c, fmt, ap));
	va_end(ap);
}
#define STAP_PRINTF(...) _stp_printf(__VA_ARGS__)

static __maybe_unused void _stp_print(const char *s)
{
	struct prt_ctx *c = prt_embedded_begin();

	if (c)
		prt_embedded_print(c, (struct prt_str){ s, strnlen(s, MAXSTRINGLEN - 1) });
}

static __maybe_unused void _stp_print_char(char byte)
{
	struct prt_ctx *c = prt_embedded_begin();

	if (c)
		prt_embedded_print(c, (struct prt_str){ &byte, 1 });
}
#endif

/* Nothing to do: output is published when the handler ends. */
static inline void _stp_print_flush(void) { }

static __maybe_unused __printf(2, 0) void
prt_embedded_say(bool debug, const char *fmt, va_list ap)
{
	struct prt_ctx *c = prt_embedded_begin();
	struct prt_str text;

	if (!c)
		return;
	text = prt_embedded_format(c, fmt, ap);
	if (text.len && text.s[text.len - 1] == '\n')
		text.len--;
	if (debug)
		prt_debug(c, text);
	else
		prt_warn(c, text);
}

static __maybe_unused __printf(1, 2) void _stp_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prt_embedded_say(false, fmt, ap);
	va_end(ap);
}

static __maybe_unused __printf(1, 2) void prt_embedded_debug(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	prt_embedded_say(true, fmt, ap);
	va_end(ap);
}

static __maybe_unused void _stp_exit(void)
{
	struct prt_ctx *c = prt_here();

	if (c)
		prt_exit(c);
}

/* Reports an error and ends the session, whatever MAXERRORS is. */
static __maybe_unused __printf(1, 2) void _stp_error(const char *fmt, ...)
{
	struct prt_ctx *c = prt_embedded_begin();
	char text[128];
	va_list ap;
	int n;

	if (!c)
		return;
	va_start(ap, fmt);
	n = vscnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (n && text[n - 1] == '\n')
		n--;
	prt_error(c, PRT_E_SCRIPT, PRT_EMBEDDED_SRCLOC, (struct prt_str){ text, n });
	prt_exit(c);
}

#define _stp_dbug(function, line, format, ...) \
	prt_embedded_debug("%s:%d: " format, function, line, ##__VA_ARGS__)
#define _stp_snprintf scnprintf
#define _stp_vsnprintf vscnprintf
#define _stp_gettimeofday_ns() prt_time_ns(NULL)
#define _stp_target ((int)prt_target(NULL))

#endif
