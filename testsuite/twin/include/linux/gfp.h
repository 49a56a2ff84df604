/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TWIN_LINUX_GFP_H
#define TWIN_LINUX_GFP_H

#include <linux/types.h>

/* Only __GFP_ZERO has an effect here; memory that is not zeroed is filled with 0xa5. */
#define GFP_KERNEL           0u
#define __GFP_ZERO           1u
#define __GFP_RETRY_MAYFAIL  0u
#define __GFP_NOWARN         0u
#define NUMA_NO_NODE         (-1)

struct page;
struct page *alloc_pages_node(int node, unsigned int gfp, unsigned int order);
void __free_page(struct page *p);
void *page_address(struct page *p);

#endif
