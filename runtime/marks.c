/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table is replaced as a whole. Whoever reads it has interrupts off, so that an old one is
 * freed after an interrupt on each processor: prt_global_grace().
 */
#include "marks.h"

#include <linux/compiler.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "abi/mark_names.h"
#include "abi/script.h"
#include "global.h"
#include "grow.h"
#include "memory.h"

struct marks {
	u32 n;
	struct prt_mark_row rows[];
};

static struct marks *marks;
static bool marks_missed;

/* ---- the loader's side ---- */

static bool marks_valid(const struct marks *m)
{
	u32 i;

	for (i = 0; i < m->n; i++) {
		const struct prt_mark_row *row = &m->rows[i];

		if (strnlen(row->id, sizeof(row->id)) == sizeof(row->id) ||
		    strnlen(row->name, sizeof(row->name)) == sizeof(row->name) ||
		    (i && strcmp(row[-1].id, row->id) >= 0))
			return false;
	}
	return true;
}

static void marks_replace(struct marks *by)
{
	struct marks *old = marks;

	smp_store_release(&marks, by);
	if (!old)
		return;
	prt_global_grace();
	kvfree(old);
}

long prt_marks_set(const void __user *from)
{
	struct prt_marks_set set;
	struct marks *m;
	size_t size;

	if (copy_from_user(&set, from, sizeof(set)))
		return -EFAULT;
	if (set.n > PRT_MARK_ROWS_MAX)
		return -E2BIG;
	size = set.n * sizeof(m->rows[0]);
	/* The memory of the old table is not given back: a new one is longer, as a rule. */
	if (size > (marks ? marks->n * sizeof(m->rows[0]) : 0) && !prt_grow_may(size))
		return -ENOMEM;
	m = prt_alloc(1, sizeof(*m) + size, NUMA_NO_NODE);
	if (!m)
		return -ENOMEM;
	m->n = set.n;
	if (copy_from_user(m->rows, u64_to_user_ptr(set.rows), size)) {
		kvfree(m);
		return -EFAULT;
	}
	if (!marks_valid(m)) {
		kvfree(m);
		return -EINVAL;
	}
	marks_replace(m);
	return 0;
}

long prt_marks_wanted(void)
{
	return xchg(&marks_missed, false);
}

void prt_marks_free(void)
{
	kvfree(marks);
	marks = NULL;
	marks_missed = false;
}

/* ---- the handlers' side ---- */

/* Compares an id that is no C string with one that is. */
static int mark_order(struct prt_str id, const char *with)
{
	u32 i;

	for (i = 0; i < id.len && with[i]; i++)
		if (id.s[i] != with[i])
			return (u8)id.s[i] - (u8)with[i];
	return i < id.len ? 1 : -(u8)with[i];
}
NOKPROBE_SYMBOL(mark_order);

/* The name of KIND ID; the id if there is none. Interrupts off. */
static struct prt_str mark_name(struct prt_str id)
{
	const struct marks *m = smp_load_acquire(&marks);
	u32 from = 0, to = m ? m->n : 0;

	while (from < to) {
		u32 mid = from + (to - from) / 2;
		int by = mark_order(id, m->rows[mid].id);

		if (!by)
			return (struct prt_str){ m->rows[mid].name, strlen(m->rows[mid].name) };
		if (by < 0)
			to = mid;
		else
			from = mid + 1;
	}
	WRITE_ONCE(marks_missed, true);
	return (struct prt_str){ id.s + 1, id.len - 1 };
}
NOKPROBE_SYMBOL(mark_name);

static u32 mark_find(struct prt_str s, u32 from)
{
	while (from < s.len && s.s[from] != PRT_MARK)
		from++;
	return from;
}
NOKPROBE_SYMBOL(mark_find);

static u32 mark_append(char *buf, u32 len, const char *s, u32 n)
{
	n = min(n, prt_script.maxstringlen - 1 - len);
	memcpy(buf + len, s, n);
	return len + n;
}
NOKPROBE_SYMBOL(mark_append);

/* A mark that was cut has no end. */
static struct prt_str marks_expand(char *buf, struct prt_str s, u32 at)
{
	u32 len = 0, from = 0;

	for (; at < s.len; at = mark_find(s, from)) {
		u32 end = mark_find(s, at + 1);
		struct prt_str id = { s.s + at + 1, end - at - 1 }, name = { "", 0 };

		if (id.len)
			name = mark_name(id);
		len = mark_append(buf, len, s.s + from, at - from);
		len = mark_append(buf, len, name.s, name.len);
		from = min(end + 1, s.len);
	}
	return (struct prt_str){ buf, mark_append(buf, len, s.s + from, s.len - from) };
}
NOKPROBE_SYMBOL(marks_expand);

struct prt_str prt_named(char *buf, struct prt_str s)
{
	u32 at = mark_find(s, 0);
	unsigned long flags;

	if (likely(at == s.len))
		return s;
	raw_local_irq_save(flags);
	s = marks_expand(buf, s, at);
	raw_local_irq_restore(flags);
	return s;
}
NOKPROBE_SYMBOL(prt_named);
