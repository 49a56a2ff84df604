/* SPDX-License-Identifier: GPL-2.0 */
/* The mappings of the rings (runtime/abi/records.h, "Rings"). */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/device.h"
#include "device/private.h"
#include "shared/memory.h"

/* Returns where ring @i begins among the device's offsets. */
static off_t offset_of(uint32_t i)
{
	return (off_t)i * PRT_RING_MMAP_PAGES * sysconf(_SC_PAGESIZE);
}

static uint32_t number_of(const struct device *d, const struct ring *r)
{
	return r->cpu < 0 ? d->hello.nrings - 1 : (uint32_t)r->cpu;
}

static uint32_t size_of(const struct ring *r)
{
	return __atomic_load_n(&r->head->size, __ATOMIC_ACQUIRE);
}

/* Maps the data of the ring anew, in the size that it has. 0 or -errno. */
static int map_data(const struct device *d, struct ring *r)
{
	off_t at = offset_of(number_of(d, r)) + sysconf(_SC_PAGESIZE);
	uint32_t size;
	void *data;

	do {
		size = size_of(r);
		if (size < 8 || (size & (size - 1)) || size < r->size)
			return -EPROTO;
		data = mmap(NULL, 2 * (size_t)size, PROT_READ, MAP_SHARED, d->fd, at);
		if (data == MAP_FAILED)
			return -errno;
		if (r->data)
			munmap((void *)(uintptr_t)r->data, 2 * r->size);
		r->data = data;
		r->size = size;
	} while (size_of(r) != size);
	return 0;
}

static int map_ring(struct device *d, struct ring *r, uint32_t i)
{
	void *head = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED,
			  d->fd, offset_of(i));
	int err;

	*r = (struct ring){ .cpu = i == d->hello.nrings - 1 ? -1 : (int)i };
	r->is_recorded = d->records && r->cpu >= 0;
	if (head == MAP_FAILED)
		return -errno;
	r->head = head;
	if (r->head->magic != PRT_MAGIC)
		return -EPROTO;
	err = map_data(d, r);
	if (err)
		return err;
	r->end = r->tail = r->head->tail;
	return 0;
}

int device_map(struct device *d)
{
	if (!d->mapped) {
		d->rings.ring = memory_zeroed(d->hello.nrings, sizeof(*d->rings.ring));
		d->mapped = memory_zeroed(d->hello.nrings, sizeof(*d->mapped));
	}
	for (uint32_t i = 0; i < d->hello.nrings; i++) {
		int err = d->mapped[i] ? -ENXIO : map_ring(d, &d->rings.ring[d->rings.n], i);

		if (err == -ENXIO)
			continue;
		d->rings.n++;
		if (err)
			return device_failed("mapping the rings", err);
		d->mapped[i] = true;
	}
	return 0;
}

int device_map_grown(struct device *d)
{
	for (uint32_t i = 0; i < d->rings.n; i++) {
		struct ring *r = &d->rings.ring[i];
		int err = size_of(r) == r->size ? 0 : map_data(d, r);

		if (err)
			return device_failed("mapping the rings", err);
	}
	return 0;
}

void device_unmap(struct device *d)
{
	for (uint32_t i = 0; i < d->rings.n; i++) {
		struct ring *r = &d->rings.ring[i];

		if (r->data)
			munmap((void *)(uintptr_t)r->data, 2 * r->size);
		if (r->head)
			munmap(r->head, (size_t)sysconf(_SC_PAGESIZE));
	}
	free(d->rings.ring);
	free(d->mapped);
	d->mapped = NULL;
	d->rings = (struct rings){ 0 };
}
