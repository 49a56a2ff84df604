/* SPDX-License-Identifier: GPL-2.0 */
/* Files that appear whole or not at all, and running tools. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "build/build.h"
#include "session.h"

static const struct range nowhere;

int build_files_read(const char *path, struct buf *b)
{
	char chunk[16384];
	ssize_t n;
	int err, fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	while ((n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_write(b, chunk, n);
	err = n < 0 ? -errno : 0;
	close(fd);
	return err;
}

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno != EINTR)
			return -errno;
		if (done > 0) {
			p += done;
			n -= done;
		}
	}
	return 0;
}

int build_files_write(const char *path, const void *data, size_t n)
{
	char tmp[4096];
	int err, fd;

	if ((size_t)snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= sizeof(tmp))
		return -ENAMETOOLONG;
	fd = mkostemp(tmp, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_all(fd, data, n);
	if (!err && fchmod(fd, 0644))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	if (!err && rename(tmp, path))
		err = -errno;
	if (err)
		unlink(tmp);
	return err;
}

int build_files_copy(const char *src, const char *dst)
{
	struct buf b;
	int err;

	buf_init(&b);
	err = build_files_read(src, &b);
	if (!err)
		err = build_files_write(dst, b.s, b.len);
	buf_deinit(&b);
	return err;
}

void build_files_word(struct session *s, struct build_words *w, const char *word)
{
	vec_push(s->arena, &w->w, word);
}

/* The words and a NULL. */
static const char *const *words_argv(struct session *s, const struct build_words *w)
{
	const char **argv = arena_alloc(s->arena, (w->w.n + 1) * sizeof(*argv));

	for (size_t i = 0; i < w->w.n; i++)
		argv[i] = w->w.v[i];
	return argv;
}

int build_files_run(struct session *s, const struct build_words *w, const char *dir,
		    struct buf *log)
{
	const char *const *argv = words_argv(s, w);
	int status;

	if (s->opt.verbose >= 3) {
		for (size_t i = 0; i < w->w.n; i++)
			fprintf(stderr, "%s%c", argv[i], i + 1 < w->w.n ? ' ' : '\n');
	}
	status = subprocess_run(argv, dir, log, log);
	if (status >= 0)
		return status ? 1 : 0;
	diag_error(s->diag, nowhere, E_NO_COMPILER, "can't start '%s': %s", argv[0],
		   strerror(-status));
	if (status == -ENOENT)
		diag_hint(s->diag, "building modules needs gcc, make and binutils: "
			  "sudo apt-get install gcc make binutils");
	return -1;
}
