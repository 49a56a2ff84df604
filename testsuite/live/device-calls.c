/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes random invalid calls and mappings on a session's device from several threads, and closes it
 * or dies at any moment. The test passes if the kernel reports nothing.
 *
 *   device-calls /sys/class/misc/NAME/dev SEED
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "records.h"

enum { THREADS = 3, CALLS = 300 };

static int fd;
static struct prt_hello hello;

struct thread {
	pthread_t id;
	unsigned seed;
};

static uint64_t some(unsigned *seed)
{
	static const uint64_t odd[] = { 0, 1, 2, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff,
					1ULL << 32, ~0ULL, ~0ULL >> 1, 1ULL << 63,
					0xffff888000000000, 4096, 65536, 1 << 20 };
	unsigned r = (unsigned)rand_r(seed);

	return r % 3 ? odd[r / 3 % (sizeof(odd) / sizeof(odd[0]))] : r / 3 % 64;
}

/* Makes a valid SETUP most of the time: no other call would get far without it. */
static void setup(unsigned *seed)
{
	struct prt_setup s = { .ring_size = 65536, .session_ring_size = 65536, .threads = 100 };

	if (rand_r(seed) % 3 == 0)
		s.ring_size = (uint32_t)some(seed);
	if (rand_r(seed) % 5 == 0)
		s.session_ring_size = (uint32_t)some(seed);
	if (s.ring_size > 1 << 20)
		s.ring_size |= 1;
	if (s.session_ring_size > 1 << 20)
		s.session_ring_size |= 1;
	if (rand_r(seed) % 4 == 0)
		s.threads = (uint32_t)some(seed);
	ioctl(fd, PRT_IOC_SETUP, &s);
}

static void set_global(unsigned *seed)
{
	static const char *const names[] = { "size", "text", "seen", "n", "none", "" };
	struct prt_global_set set;

	memset(&set, 'x', sizeof(set));
	if (rand_r(seed) % 2)
		strcpy(set.name, names[(unsigned)rand_r(seed) % 6]);
	if (rand_r(seed) % 2)
		strcpy(set.value, rand_r(seed) % 2 ? "-9223372036854775808" :
						     "99999999999999999999");
	ioctl(fd, PRT_IOC_GLOBAL, &set);
}

/* Passes invalid addresses (0, user space, data) and numbers of sites that do not exist. */
static void sites(unsigned *seed)
{
	static uint64_t addresses[4096];
	struct prt_sites_set set = { .n = hello.nsites, .addresses = (uintptr_t)addresses };

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
		addresses[i] = some(seed);
	if (rand_r(seed) % 2)
		set.first = (uint32_t)some(seed);
	if (rand_r(seed) % 2)
		set.n = (uint32_t)some(seed);
	if (rand_r(seed) % 4 == 0)
		set.addresses = some(seed);
	ioctl(fd, PRT_IOC_SITES, &set);
}

static void get(unsigned *seed)
{
	static char room[1 << 16];
	struct prt_sites_get g = { .first = (uint32_t)some(seed), .n = (uint32_t)some(seed) };

	g.status = rand_r(seed) % 2 ? (uintptr_t)room : some(seed);
	ioctl(fd, rand_r(seed) % 2 ? PRT_IOC_SITE_STATUS : PRT_IOC_PROBES, &g);
}

/* Maps pages of a ring, perhaps too many, perhaps writable, and then accesses and changes the
 * mapping. */
static void map(unsigned *seed)
{
	uint64_t page = 4096, ring = (unsigned)rand_r(seed) % (hello.nrings + 2);
	uint64_t from = rand_r(seed) % 2 ? 0 : some(seed) % 64;
	size_t len = (size_t)(1 + some(seed) % 70) * page;
	int prot = PROT_READ | (rand_r(seed) % 2 ? PROT_WRITE : 0);
	char *p = mmap(NULL, len, prot, rand_r(seed) % 4 ? MAP_SHARED : MAP_PRIVATE, fd,
		       (off_t)((ring * PRT_RING_MMAP_PAGES + from) * page));

	if (p == MAP_FAILED)
		return;
	*(volatile char *)p;
	if (prot & PROT_WRITE && len == page)
		for (int i = 0; i < 20; i++)
			((volatile uint64_t *)p)[(unsigned)rand_r(seed) % 16] = some(seed);
	switch (rand_r(seed) % 6) {
	case 0: mprotect(p, len, PROT_READ | PROT_WRITE); break;
	case 1: mprotect(p, len, PROT_EXEC); break;
	case 2: mremap(p, len, len + page, MREMAP_MAYMOVE); break;
	case 3: madvise(p, page, MADV_DONTNEED); break;
	case 4: return;
	}
	munmap(p, len);
}

static void *abuse(void *arg)
{
	unsigned *seed = &((struct thread *)arg)->seed;
	struct pollfd pfd = { .fd = fd, .events = POLLIN };
	struct prt_status st;

	for (int i = 0; i < CALLS; i++) {
		switch ((unsigned)rand_r(seed) % 16) {
		case 0: case 1: setup(seed); break;
		case 2: set_global(seed); break;
		case 3: case 4: sites(seed); break;
		case 5: case 6: case 7: map(seed); break;
		case 8: get(seed); break;
		case 9: ioctl(fd, PRT_IOC_STATUS, &st); break;
		case 10: poll(&pfd, 1, 1); break;
		case 11: ioctl(fd, PRT_IOC_START); break;
		case 12: if (rand_r(seed) % 8 == 0) ioctl(fd, PRT_IOC_STOP); break;
		case 13: ioctl(fd, PRT_IOC_STATUS, some(seed)); break;
		case 14:
			ioctl(fd, _IOWR('p', (unsigned)rand_r(seed) % 20, char[64]), some(seed));
			break;
		default: usleep((unsigned)rand_r(seed) % 2000);
		}
	}
	return NULL;
}

static int open_device(const char *path)
{
	unsigned maj, min;
	FILE *f = fopen(path, "r");

	if (!f || fscanf(f, "%u:%u", &maj, &min) != 2)
		return -1;
	fclose(f);
	unlink("/tmp/device-calls.node");
	if (mknod("/tmp/device-calls.node", S_IFCHR | 0600, makedev(maj, min)) != 0)
		return -1;
	return open("/tmp/device-calls.node", O_RDWR);
}

int main(int argc, char **argv)
{
	struct thread t[THREADS];
	unsigned seed;

	if (argc != 3)
		return 2;
	seed = (unsigned)atoi(argv[2]);
	fd = open_device(argv[1]);
	if (fd < 0 || open("/tmp/device-calls.node", O_RDWR) >= 0 ||
	    ioctl(fd, PRT_IOC_HELLO, &hello))
		return 1;
	unlink("/tmp/device-calls.node");
	for (int i = 0; i < THREADS; i++) {
		t[i].seed = seed * THREADS + (unsigned)i;
		pthread_create(&t[i].id, NULL, abuse, &t[i]);
	}
	if (seed % 3 == 0) {
		usleep(rand_r(&seed) % 100000);
		_exit(0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i].id, NULL);
	return 0;
}
