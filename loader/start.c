/* SPDX-License-Identifier: GPL-2.0 */
#include "start.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "common/say.h"

/* If a standard descriptor is closed, one of ours would take its number, and messages would go to
 * the device. */
void start_fill_descriptors(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_CLOEXEC);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* A setuid proberun would let every user load any module, because users control the environment and
 * the options. */
bool start_is_setuid(void)
{
	if (!getauxval(AT_SECURE))
		return false;
	say_error("E_SETUID",
		  "run 'sudo proberun'; 'chmod ug-s' removes the setuid and setgid bits",
		  "proberun must not be installed setuid, setgid or with capabilities");
	return true;
}
