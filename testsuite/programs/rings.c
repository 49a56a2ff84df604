/* SPDX-License-Identifier: GPL-2.0 */
/* Submits requests by io_uring, without its library, and prints for each operation how many were
 * completed, how many of them with an error, and the longest time in microseconds. */
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 8, OPS = 64 };

static struct io_uring_params p;
static char *sq, *cq;
static struct io_uring_sqe *sqes;
static struct io_uring_cqe *cqes;
static int ring;
static unsigned count[OPS], failed[OPS];
static long longest[OPS];

static unsigned *word(char *base, unsigned offset)
{
	return (unsigned *)(base + offset);
}

static long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void setup(void)
{
	size_t size;

	ring = (int)syscall(SYS_io_uring_setup, ENTRIES, &p);
	if (ring < 0) {
		perror("io_uring_setup");
		exit(77);
	}
	size = p.cq_off.cqes + p.cq_entries * sizeof(struct io_uring_cqe);
	sq = mmap(NULL, p.sq_off.array + p.sq_entries * 4, PROT_READ | PROT_WRITE,
		  MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQ_RING);
	cq = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring,
		  IORING_OFF_CQ_RING);
	sqes = mmap(NULL, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_POPULATE, ring, IORING_OFF_SQES);
	cqes = (struct io_uring_cqe *)(cq + p.cq_off.cqes);
}

/* Submits one request and, if @wait, takes its result. */
static void request(struct io_uring_sqe sqe, int wait)
{
	unsigned tail = *word(sq, p.sq_off.tail), i = tail & *word(sq, p.sq_off.ring_mask);
	unsigned op = sqe.opcode, head;
	struct io_uring_cqe *cqe;
	long from = now_us(), took;

	sqes[i] = sqe;
	word(sq, p.sq_off.array)[i] = i;
	__atomic_store_n(word(sq, p.sq_off.tail), tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring, 1, wait, wait ? IORING_ENTER_GETEVENTS : 0, NULL,
		    0) != 1) {
		perror("io_uring_enter");
		exit(1);
	}
	if (!wait)
		return;
	head = *word(cq, p.cq_off.head);
	cqe = &cqes[head & *word(cq, p.cq_off.ring_mask)];
	took = now_us() - from;
	count[op]++;
	failed[op] += cqe->res < 0;
	longest[op] = took > longest[op] ? took : longest[op];
	__atomic_store_n(word(cq, p.cq_off.head), head + 1, __ATOMIC_RELEASE);
}

int main(void)
{
	static char room[100];
	struct __kernel_timespec wait = { .tv_nsec = 30000000 };
	static const char *const names[OPS] = {
		[IORING_OP_NOP] = "NOP", [IORING_OP_READ] = "READ",
		[IORING_OP_TIMEOUT] = "TIMEOUT", [IORING_OP_OPENAT] = "OPENAT",
	};
	int fd = open("/etc/passwd", O_RDONLY), ends[2];

	setup();
	for (int i = 0; i < 100; i++)
		request((struct io_uring_sqe){ .opcode = IORING_OP_NOP }, 1);
	for (int i = 0; i < 47; i++)
		request((struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = i < 40 ? fd : 9999,
					       .addr = (unsigned long)room, .len = sizeof(room) },
			1);
	for (int i = 0; i < 5; i++)
		request((struct io_uring_sqe){ .opcode = IORING_OP_TIMEOUT, .fd = -1,
					       .addr = (unsigned long)&wait, .len = 1 }, 1);
	for (int i = 0; i < 3; i++)
		request((struct io_uring_sqe){ .opcode = IORING_OP_OPENAT, .fd = AT_FDCWD,
					       .addr = (unsigned long)"/nonexistent/file" }, 1);
	for (int i = 0; i < OPS; i++)
		if (names[i])
			printf("%s %u %u %ld\n", names[i], count[i], failed[i], longest[i]);
	/* These stay open: nobody writes to the pipe. */
	if (pipe(ends))
		return 1;
	for (int i = 0; i < 2; i++)
		request((struct io_uring_sqe){ .opcode = IORING_OP_READ, .fd = ends[0],
					       .addr = (unsigned long)room, .len = 1 }, 0);
	fflush(stdout);
	/* The session ends while they are open. */
	pause();
	return 0;
}
