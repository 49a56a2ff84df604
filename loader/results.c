/* SPDX-License-Identifier: GPL-2.0 */
#include "results.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/say.h"
#include "options.h"
#include "show/ctf.h"

static int failed(const struct options *o, int err)
{
	say_error("E_IO", NULL, "can't write '%s': %s", o->output, strerror(-err));
	return -1;
}

static int check_empty(int fd)
{
	DIR *d = fdopendir(dup(fd));
	struct dirent *e;
	int n = 0;

	if (!d)
		return -errno;
	while ((e = readdir(d)) != NULL)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	closedir(d);
	return n ? -ENOTEMPTY : 0;
}

/* A trace is a directory, which is new or empty. */
static int open_directory(struct results *r, const struct options *o)
{
	int err;

	if (mkdir(o->output, 0777) && errno != EEXIST)
		return failed(o, -errno);
	r->fd = open(o->output, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	err = r->fd < 0 ? -errno : check_empty(r->fd);
	if (err)
		return failed(o, err);
	output_init(&r->out, -1);
	return 0;
}

int results_open(struct results *r, const struct options *o)
{
	int err = 0;

	*r = (struct results){ .fd = STDOUT_FILENO };
	if (o->format == SHOW_CTF)
		return open_directory(r, o);
	if (o->rotate_bytes) {
		err = rotate_open(&r->rotate, o->output, o->rotate_bytes, o->rotate_files);
	} else if (o->output) {
		r->fd = open(o->output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		err = r->fd < 0 ? -errno : 0;
	}
	if (err)
		return failed(o, err);
	output_init(&r->out, r->fd);
	if (o->rotate_bytes) {
		output_to(&r->out, rotate_write, &r->rotate);
		r->out.heading = rotate_heading;
		r->out.next_file = rotate_next;
	}
	return 0;
}

int results_trace(struct results *r, const struct options *o, const struct meta *m)
{
	int err = o->format == SHOW_CTF ? ctf_create(r->fd, m, NULL, &r->ctf) : 0;

	return err ? failed(o, err) : 0;
}

/* The output of a background session goes to the terminals of its clients. */
bool results_escape(const struct results *r, const struct options *o)
{
	if (o->escape != ESCAPE_AUTO)
		return o->escape == ESCAPE_ALWAYS;
	if (!o->output)
		return o->background || isatty(r->fd);
	return !o->rotate_bytes && isatty(r->fd);
}

int results_close(struct results *r, const struct options *o)
{
	int err = rotate_close(&r->rotate);

	ctf_destroy(r->ctf);
	r->ctf = NULL;
	if (r->fd > STDOUT_FILENO && close(r->fd) != 0)
		err = -errno;
	output_deinit(&r->out);
	return err ? failed(o, err) : 0;
}
