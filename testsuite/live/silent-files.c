/* SPDX-License-Identifier: GPL-2.0 */
/*
 * silent FILE FOLDER USER: mounts a file system on FOLDER whose only file, "file", has the bytes of
 * FILE and is a program. It is as fusermount would have mounted it for USER with allow_other. It
 * prints a line when it is mounted. From SIGUSR1 on it takes requests and answers none.
 *
 * With -DLOOP: the program. It makes system calls in a loop, and has code that it has made itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef LOOP
int main(void)
{
	int (*made)(void) = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*(unsigned char *)made = 0xc3; /* ret */
	for (int i = 0;; i++) {
		made();
		getppid();
		usleep(10000);
		if (i != 20)
			continue;
		puts("loops");
		fflush(stdout);
	}
}
#else
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>

enum { FILE_NODE = 2, READ_MOST = 1 << 17 };

static int device, file;
static struct stat st;
static volatile sig_atomic_t silent;

static void be_silent(int signal)
{
	silent = 1;
}

static void answer(const struct fuse_in_header *in, int error, const void *data, size_t size)
{
	struct fuse_out_header out = {
		.len = (uint32_t)(sizeof(out) + size), .error = error, .unique = in->unique,
	};
	struct iovec parts[] = { { &out, sizeof(out) }, { (void *)data, size } };

	if (writev(device, parts, 2) < 0 && errno != ENOENT)
		exit(1);
}

static struct fuse_attr attributes(uint64_t node)
{
	bool is_file = node == FILE_NODE;

	return (struct fuse_attr){
		.ino = node, .mode = is_file ? S_IFREG | 0755 : S_IFDIR | 0755, .nlink = 1,
		.size = is_file ? (uint64_t)st.st_size : 0, .blksize = 4096,
	};
}

static void begin(const struct fuse_in_header *in, const struct fuse_init_in *asked)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION, .minor = asked->minor, .max_readahead = READ_MOST,
		.max_write = READ_MOST, .time_gran = 1,
	};

	answer(in, 0, &out, sizeof(out));
}

/* The kernel may keep no answer, so it asks again each time. */
static void look_up(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = { .nodeid = FILE_NODE, .attr = attributes(FILE_NODE) };

	if (strcmp(name, "file") == 0)
		answer(in, 0, &out, sizeof(out));
	else
		answer(in, -ENOENT, NULL, 0);
}

static void read_file(const struct fuse_in_header *in, const struct fuse_read_in *asked)
{
	static char bytes[READ_MOST];
	size_t size = asked->size < READ_MOST ? asked->size : READ_MOST;
	ssize_t n = pread(file, bytes, size, (off_t)asked->offset);

	answer(in, n < 0 ? -EIO : 0, bytes, n < 0 ? 0 : (size_t)n);
}

static void serve(const struct fuse_in_header *in, const void *arg)
{
	struct fuse_attr_out attr = { .attr = attributes(in->nodeid) };
	struct fuse_open_out opened = { .fh = 1, .open_flags = FOPEN_KEEP_CACHE };

	switch (in->opcode) {
	case FUSE_INIT: begin(in, arg); break;
	case FUSE_LOOKUP: look_up(in, arg); break;
	case FUSE_GETATTR: answer(in, 0, &attr, sizeof(attr)); break;
	case FUSE_OPEN:
	case FUSE_OPENDIR: answer(in, 0, &opened, sizeof(opened)); break;
	case FUSE_READ: read_file(in, arg); break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET: break;
	case FUSE_FLUSH:
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR: answer(in, 0, NULL, 0); break;
	default: answer(in, -ENOSYS, NULL, 0);
	}
}

static int mount_it(const char *folder, const char *user)
{
	char options[128];

	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=%s,group_id=0,allow_other", device, user);
	return mount("source,user_id=0", folder, "fuse.silent", 0, options);
}

int main(int argc, char **argv)
{
	static _Alignas(8) char request[READ_MOST + 4096];
	const struct sigaction action = { .sa_handler = be_silent };

	if (argc != 4 || (file = open(argv[1], O_RDONLY)) < 0 || fstat(file, &st) != 0)
		return 1;
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (device < 0 || mount_it(argv[2], argv[3]) != 0) {
		perror("silent");
		return 1;
	}
	sigaction(SIGUSR1, &action, NULL);
	puts("mounted");
	fflush(stdout);
	for (;;) {
		ssize_t n = read(device, request, sizeof(request));

		if (n < 0 && errno == ENODEV)
			return 0;
		/* The kernel lets a process that waits for a request be interrupted only until the
		 * request is taken. */
		if (n >= (ssize_t)sizeof(struct fuse_in_header) && !silent)
			serve((const void *)request, request + sizeof(struct fuse_in_header));
	}
}
#endif
