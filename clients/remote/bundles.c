/* SPDX-License-Identifier: GPL-2.0 */
/* One bundle for each kernel, built by a child while the loop goes on. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "remote/private.h"
#include "state.h"

static const struct range nowhere;

enum { SAID_MAX = 1 << 20 };

/* Runs in the child. The signals of the terminal end it as they end this process. */
static void build_in_child(struct state *s, const struct remote_bundle *b, remote_build *build,
			   const int out[2])
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	close(out[0]);
	_exit(build(s, b->release, b->path, out[1]));
}

static void begin(struct state *s, struct remote_bundle *b, remote_build *build)
{
	int out[2];

	if (pipe2(out, O_CLOEXEC)) {
		b->failed = true;
		diag_error(s->diag, nowhere, E_IO, "can't make a pipe: %s", strerror(errno));
		return;
	}
	b->pid = fork();
	if (b->pid == 0)
		build_in_child(s, b, build, out);
	close(out[1]);
	b->fd = out[0];
	if (b->pid > 0)
		return;
	diag_error(s->diag, nowhere, E_IO, "can't start a process: %s", strerror(errno));
	close(b->fd);
	*b = (struct remote_bundle){ .release = b->release, .fd = -1, .failed = true };
}

struct remote_bundle *bundles_find(struct state *s, remote_bundles *all, const char *release,
				   remote_build *build)
{
	struct remote_bundle *b;

	vec_each(it, all)
		if (!(*it)->release || (release && strcmp((*it)->release, release) == 0))
			return *it;
	b = NEW(s->arena, struct remote_bundle);
	b->release = release;
	b->path = arena_printf(s->arena, "%s/%zu.run", s->tmp_dir, all->n);
	b->fd = -1;
	buf_init(&b->said);
	vec_push(s->arena, all, b);
	begin(s, b, build);
	return b;
}

/* The file is not needed any more, and is gone even if this process is killed. */
static bool map_file(struct state *s, struct remote_bundle *b)
{
	int fd = open(b->path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *image = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0)
		image = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image == MAP_FAILED) {
		diag_error(s->diag, nowhere, E_IO, "can't read '%s': %s", b->path, strerror(errno));
	} else {
		b->image = image;
		b->size = (size_t)st.st_size;
	}
	if (fd >= 0)
		close(fd);
	if (!s->opt.keep)
		unlink(b->path);
	return b->image != NULL;
}

void bundles_read(struct state *s, struct remote_bundle *b)
{
	char chunk[4096];
	ssize_t n = read(b->fd, chunk, sizeof(chunk));

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0 && b->said.len < SAID_MAX) {
		buf_write(&b->said, chunk, (size_t)n);
		return;
	}
	close(b->fd);
	b->fd = -1;
	while (b->pid && waitpid(b->pid, &b->status, 0) < 0 && errno == EINTR)
		;
	b->pid = 0;
	b->done = b->status == 0 && map_file(s, b);
	b->failed = !b->done;
}

void bundles_reaped(const remote_bundles *all, pid_t pid, int status)
{
	vec_each(it, all) {
		if ((*it)->pid != pid)
			continue;
		(*it)->pid = 0;
		(*it)->status = status;
	}
}

const char *bundles_lacks(struct state *s, const struct remote_bundle *b,
			  const struct host_answer *a)
{
	const char *line = b->said.s ? b->said.s : "", *end;
	bool release = false;

	if (b->failed)
		return arena_printf(s->arena, "the script could not be built for its kernel %s",
				    a->release);
	for (; (end = strchr(line, '\n')); line = end + 1) {
		const char *build_id = memchr(line, ' ', (size_t)(end - line));
		size_t len = build_id ? (size_t)(build_id - line) : 0;
		bool same = len == strlen(a->release) && memcmp(line, a->release, len) == 0;

		if (!build_id)
			continue;
		build_id++;
		len = (size_t)(end - build_id);
		if (a->build_id && *build_id != '-' ? len == strlen(a->build_id) &&
		    memcmp(build_id, a->build_id, len) == 0 : same)
			return NULL;
		release |= same;
	}
	if (release)
		return arena_printf(s->arena, "its kernel is a different build of %s from the one "
					      "here",
				    a->release);
	return arena_printf(s->arena, "no -r is for its kernel %s", a->release);
}

void bundles_stop(const remote_bundles *all)
{
	vec_each(it, all) {
		if ((*it)->pid > 0) {
			kill((*it)->pid, SIGTERM);
			waitpid((*it)->pid, NULL, 0);
		}
		if ((*it)->image)
			munmap((void *)(*it)->image, (*it)->size);
		buf_deinit(&(*it)->said);
	}
}
