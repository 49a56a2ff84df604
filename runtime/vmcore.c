/* SPDX-License-Identifier: GPL-2.0 */
/* Lists are linked when they are complete, so that a crash at any moment leaves valid ones. */
#include <linux/delay.h> /* loops_per_jiffy */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/utsname.h>

#include "clock.h"
#include "limits.h"
#include "memory.h"
#include "vmcore.h"

struct prt_vmcore *probec_flight_recorder;

enum { IN_PAGE = (PAGE_SIZE - sizeof(struct prt_vmcore_pages)) / sizeof(u64) };

static void *new_page(void)
{
	return prt_fails() ? NULL : (void *)__get_free_page(PRT_GFP);
}

static u64 address(void *page)
{
	return page ? virt_to_phys(page) : 0;
}

static void *page_at(u64 address)
{
	return address ? phys_to_virt(address) : NULL;
}

static void free_list(struct prt_vmcore_pages *l)
{
	while (l) {
		struct prt_vmcore_pages *next = page_at(l->next);

		free_page((unsigned long)l);
		l = next;
	}
}

/* Lists @n pages, from the last one to the first. NULL: there is no memory. */
static struct prt_vmcore_pages *make_list(struct page *const *pages, u32 n)
{
	struct prt_vmcore_pages *list = NULL, *l;

	while (n) {
		u32 first = (n - 1) / IN_PAGE * IN_PAGE, i;

		l = new_page();
		if (!l) {
			free_list(list);
			return NULL;
		}
		for (i = first; i < n; i++)
			l->page[i - first] = page_to_phys(pages[i]);
		l->n = n - first;
		l->next = address(list);
		list = l;
		n = first;
	}
	return list;
}

int prt_vmcore_setup(void)
{
	struct prt_vmcore *core = new_page();

	if (!core)
		return -ENOMEM;
	core->abi = PRT_ABI_VERSION;
	core->page_size = PAGE_SIZE;
	core->clock_khz = prt_clock.khz;
	core->epoch_ns = prt_clock.epoch_ns;
	core->epoch_clock = prt_clock.epoch;
	core->loops_per_jiffy = (unsigned long)&loops_per_jiffy;
	strscpy(core->module, THIS_MODULE->name, sizeof(core->module));
	strscpy(core->host, init_utsname()->nodename, sizeof(core->host));
	strscpy(core->release, init_utsname()->release, sizeof(core->release));
	memcpy(core->magic, PRT_VMCORE_MAGIC, sizeof(core->magic));
	smp_wmb();
	core->self = address(core);
	probec_flight_recorder = core;
	return 0;
}

int prt_vmcore_add(const struct prt_ring *r, u32 cpu)
{
	struct prt_vmcore *core = probec_flight_recorder;
	struct prt_vmcore_pages *list = make_list(prt_ring_pages(r),
						  1 + r->size / PAGE_SIZE);

	if (!list)
		return -ENOMEM;
	list->cpu = cpu;
	list->sibling = core->rings;
	smp_store_release(&core->rings, address(list));
	return 0;
}

u64 prt_vmcore_memory(u32 size)
{
	return DIV_ROUND_UP(1 + size / PAGE_SIZE, IN_PAGE) * PAGE_SIZE;
}

/* ---- the self-description ---- */

static void free_text_pages(struct page **pages, u32 n)
{
	u32 i;

	for (i = 0; i < n && pages[i]; i++)
		__free_page(pages[i]);
}

/* Copies @len bytes of the caller into @n new pages. On failure, the caller frees them. */
static int copy_text(struct page **pages, u32 n, const char __user *from, u64 len)
{
	u32 i;

	for (i = 0; i < n; i++) {
		u64 at = (u64)i * PAGE_SIZE;
		void *page = new_page();

		if (!page)
			return -ENOMEM;
		pages[i] = virt_to_page(page);
		if (copy_from_user(page, from + at, min_t(u64, len - at, PAGE_SIZE)))
			return -EFAULT;
	}
	return 0;
}

static int set_about(struct prt_vmcore *core, const char __user *from, u64 len)
{
	u32 n = DIV_ROUND_UP(len, PAGE_SIZE);
	struct page **pages = prt_alloc(n, sizeof(*pages), NUMA_NO_NODE);
	struct prt_vmcore_pages *list = NULL;
	int err = pages ? copy_text(pages, n, from, len) : -ENOMEM;

	if (!err) {
		list = make_list(pages, n);
		err = list ? 0 : -ENOMEM;
	}
	if (err && pages)
		free_text_pages(pages, n);
	kvfree(pages);
	if (err)
		return err;
	core->about_len = len;
	smp_store_release(&core->about, address(list));
	return 0;
}

int prt_vmcore_about(const struct prt_vmcore_about __user *from)
{
	struct prt_vmcore *core = probec_flight_recorder;
	struct prt_vmcore_about about;

	if (copy_from_user(&about, from, sizeof(about)))
		return -EFAULT;
	if (!core || !about.len || about.len > PRT_VMCORE_ABOUT)
		return -EINVAL;
	return core->about ? -EEXIST : set_about(core, u64_to_user_ptr(about.text), about.len);
}

static void free_about(struct prt_vmcore_pages *list)
{
	struct prt_vmcore_pages *l;
	u32 i;

	for (l = list; l; l = page_at(l->next))
		for (i = 0; i < l->n; i++)
			free_page((unsigned long)page_at(l->page[i]));
	free_list(list);
}

/* A freed page keeps its bytes until it is used again. */
void prt_vmcore_free(void)
{
	struct prt_vmcore *core = probec_flight_recorder;
	struct prt_vmcore_pages *l, *sibling;

	if (!core)
		return;
	probec_flight_recorder = NULL;
	core->self = 0;
	free_about(page_at(core->about));
	for (l = page_at(core->rings); l; l = sibling) {
		sibling = page_at(l->sibling);
		free_list(l);
	}
	free_page((unsigned long)core);
}
