/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading memory without faults, any context. Strings of the kernel are read in aligned pieces,
 * which lie in one page each, so that a string that ends before a page that can't be read is read
 * whole.
 */
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "arch/arch.h"
#include "bytes.h"
#include "compat/uaccess.h"
#include "context.h"
#include "user_read.h"

#define PIECE 64u

void prt_bad_address(struct prt_ctx *c, u64 addr, u32 srcloc)
{
	static const char digits[] = "0123456789abcdef";
	char text[18] = "0x";
	u32 n = 2;
	int shift = 60;

	while (shift > 0 && !(addr >> shift))
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		text[n++] = digits[(addr >> shift) & 15];
	prt_error(c, PRT_E_BAD_ADDRESS, srcloc, (struct prt_str){ text, n });
}
NOKPROBE_SYMBOL(prt_bad_address);

long prt_fetch_kernel(void *to, u64 addr, u32 n)
{
	if (unlikely(!prt_arch_may_fetch(addr, n)))
		return -EFAULT;
	return copy_from_kernel_nofault(to, (const void *)addr, n);
}
NOKPROBE_SYMBOL(prt_fetch_kernel);

/* Reads what READ_FUNCTION() leaves to it. */
static noinline u64 read_other(struct prt_ctx *c, u64 addr, u32 srcloc, u32 size)
{
	u64 v = 0;

	if (likely(!prt_fetch_kernel(&v, addr, size)))
		return v;
	prt_bad_address(c, addr, srcloc);
	return 0;
}
NOKPROBE_SYMBOL(read_other);

/* Defines prt_read_SIZE. Most pointers lead to memory of the kernel itself, where
 * copy_from_kernel_nofault() takes about 100 instructions for one value. */
#define READ_FUNCTION(size, type)                                                              \
	u64 prt_read_##size(struct prt_ctx *c, u64 addr, u32 srcloc)                           \
	{                                                                                      \
		type v;                                                                        \
											       \
		if (unlikely(!prt_arch_plain_address(addr)))                                   \
			goto other;                                                            \
		prt_compat_get_kernel(&v, (const void *)addr, type, other);                    \
		return v;                                                                      \
other:                                                                                         \
		return read_other(c, addr, srcloc, size);                                      \
	}                                                                                      \
	NOKPROBE_SYMBOL(prt_read_##size)

READ_FUNCTION(1, u8);
READ_FUNCTION(2, u16);
READ_FUNCTION(4, u32);
READ_FUNCTION(8, u64);

s64 prt_read(struct prt_ctx *c, u64 addr, u32 size, bool is_signed, u32 srcloc)
{
	switch (size) {
	case 1: return prt_read_sized(c, addr, 1, is_signed, srcloc);
	case 2: return prt_read_sized(c, addr, 2, is_signed, srcloc);
	case 4: return prt_read_sized(c, addr, 4, is_signed, srcloc);
	default: return prt_read_sized(c, addr, 8, is_signed, srcloc);
	}
}
NOKPROBE_SYMBOL(prt_read);

u64 prt_arg_stack(struct prt_ctx *c, unsigned int n, u32 srcloc)
{
	return prt_read(c, (u64)prt_arch_slot(c->regs, n), 8, false, srcloc);
}
NOKPROBE_SYMBOL(prt_arg_stack);

u64 prt_arg_stack_user(struct prt_ctx *c, unsigned int n, u32 srcloc)
{
	return prt_read_user(c, (u64)prt_arch_slot(c->regs, n), 8, false, srcloc);
}
NOKPROBE_SYMBOL(prt_arg_stack_user);

void prt_absent(struct prt_ctx *c, u64 addr, u32 size, bool written)
{
	struct prt_cpu *cpu = prt_cpu_of(c);

	cpu->absent = addr;
	c->absent_size = size;
	cpu->absent_written = written;
}
NOKPROBE_SYMBOL(prt_absent);

/* At a place in a program, the process itself reports the hit. */
static __always_inline bool user_is_mapped(const struct prt_ctx *c)
{
	return likely(c->probe->kind == PRT_USER) || prt_arch_user_mapped();
}

static long read_user(struct prt_ctx *c, void *to, u64 addr, u32 n)
{
	long err = prt_user_copy(to, addr, n, user_is_mapped(c));

	if (unlikely(err))
		prt_absent(c, addr, n, false);
	return err;
}
NOKPROBE_SYMBOL(read_user);

long prt_fetch(struct prt_ctx *c, void *to, u64 addr, u32 n, bool user)
{
	return user ? read_user(c, to, addr, n) : prt_fetch_kernel(to, addr, n);
}
NOKPROBE_SYMBOL(prt_fetch);

/* The number of bytes before the first NUL of the @n bytes at @s. */
static __always_inline u32 length(const char *s, u32 n)
{
	u32 i = 0, before;

	for (; i + 8 <= n; i += 8) {
		before = prt_word_strlen(prt_load8(s + i));
		if (before < 8)
			return i + before;
	}
	while (i < n && s[i])
		i++;
	return i;
}

static struct prt_str read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 most, u32 srcloc)
{
	u32 len = 0, n, got;

	do {
		n = min(most - len, PIECE - (u32)((addr + len) & (PIECE - 1)));
		if (prt_fetch_kernel(buf + len, addr + len, n)) {
			prt_bad_address(c, addr + len, srcloc);
			return (struct prt_str){ buf, 0 };
		}
		got = length(buf + len, n);
		len += got;
	} while (got == n && len < most);
	return (struct prt_str){ buf, len };
}
NOKPROBE_SYMBOL(read_kernel_str);

static noinline struct prt_str user_str_bad(struct prt_ctx *c, char *buf, u64 bad, u32 srcloc)
{
	prt_absent(c, bad, 1, false);
	prt_bad_address(c, bad, srcloc);
	return (struct prt_str){ buf, 0 };
}
NOKPROBE_SYMBOL(user_str_bad);

static struct prt_str read_user_str(struct prt_ctx *c, char *buf, u64 addr, u32 most, u32 srcloc)
{
	u64 bad;
	long len = prt_user_string(buf, addr, most, user_is_mapped(c), &bad);

	if (likely(len >= 0))
		return (struct prt_str){ buf, len };
	return user_str_bad(c, buf, bad, srcloc);
}
NOKPROBE_SYMBOL(read_user_str);

void prt_save(struct prt_ctx *c, void *to, u64 addr, u32 size, u32 srcloc)
{
	if (prt_fetch_kernel(to, addr, size))
		prt_bad_address(c, addr, srcloc);
}
NOKPROBE_SYMBOL(prt_save);

struct prt_str prt_read_bytes(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc)
{
	long err;

	if (n < 0 || n >= prt_script.maxstringlen) {
		prt_error(c, PRT_E_BAD_VALUE, srcloc, PRT_LIT("that many bytes are not a string: "
							     "MAXSTRINGLEN is the limit"));
		return (struct prt_str){ buf, 0 };
	}
	err = prt_fetch(c, buf, addr, n, user);
	if (err) {
		prt_bad_address(c, addr, srcloc);
		return (struct prt_str){ buf, 0 };
	}
	return (struct prt_str){ buf, n };
}
NOKPROBE_SYMBOL(prt_read_bytes);

struct prt_str prt_read_kernel_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc)
{
	return read_kernel_str(c, buf, addr, prt_script.maxstringlen - 1, srcloc);
}
NOKPROBE_SYMBOL(prt_read_kernel_str);

struct prt_str prt_read_user_str(struct prt_ctx *c, char *buf, u64 addr, u32 srcloc)
{
	return read_user_str(c, buf, addr, prt_script.maxstringlen - 1, srcloc);
}
NOKPROBE_SYMBOL(prt_read_user_str);

struct prt_str prt_read_str_n(struct prt_ctx *c, char *buf, u64 addr, s64 n, bool user, u32 srcloc)
{
	u32 most = clamp_t(s64, n, 0, prt_script.maxstringlen - 1);

	return user ? read_user_str(c, buf, addr, most, srcloc) :
		      read_kernel_str(c, buf, addr, most, srcloc);
}
NOKPROBE_SYMBOL(prt_read_str_n);
