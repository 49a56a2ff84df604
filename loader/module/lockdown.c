/* SPDX-License-Identifier: GPL-2.0 */
#include "module/lockdown.h"

#include <string.h>

#include "common/file.h"

const char *lockdown_mode(char *buf, size_t size)
{
	char *open, *close;

	if (file_read_line("/sys/kernel/security/lockdown", buf, size) != 0)
		return NULL;
	open = strchr(buf, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return NULL;
	*close = '\0';
	return strcmp(open + 1, "none") == 0 ? NULL : open + 1;
}
