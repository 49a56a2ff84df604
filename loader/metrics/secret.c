/* SPDX-License-Identifier: GPL-2.0 */
/* Files whose contents nobody else is to know: a token, a private key. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/say.h"
#include "metrics/private.h"
#include "shared/file.h"

enum { SECRET_MAX = 64 << 10 };

static int refuse(const char *option, const char *file, const char *hint, const char *why)
{
	say_error("E_METRIC", hint, "%s '%s': %s", option, file, why);
	return -1;
}

int secret_read(const char *option, const char *file, char **ret)
{
	struct buf t = { 0 };
	struct stat st;
	int err = stat(file, &st) ? -errno : 0;

	if (!err && (st.st_mode & S_IRWXO))
		return refuse(option, file, "chmod o= FILE; if others could read it before, make "
			      "a new one", "every user of this machine may read or change it");
	if (!err)
		err = file_read_limited(file, SECRET_MAX, &t);
	if (!err && (!t.len || memchr(t.s, '\0', t.len))) {
		buf_deinit(&t);
		return refuse(option, file, NULL, "it is empty, or not text");
	}
	if (!err)
		buf_write(&t, "", 1);
	*ret = t.s;
	if (!err)
		return 0;
	buf_deinit(&t);
	*ret = NULL;
	return refuse(option, file, NULL, err == -ENOTSUP ? "it is not a regular file" :
					  strerror(-err));
}

int secret_read_token(const char *option, const char *file, char **ret)
{
	if (secret_read(option, file, ret))
		return -1;
	(*ret)[strcspn(*ret, "\r\n")] = '\0';
	for (const char *p = *ret; *p; p++)
		if (!isgraph((unsigned char)*p))
			return refuse(option, file, NULL, "a token is one word of ASCII");
	return **ret ? 0 : refuse(option, file, NULL, "its first line is empty");
}
