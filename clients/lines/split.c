/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program that was compiled with -gsplit-dwarf has a skeleton of each unit, with its addresses
 * and lines; the functions are in .dwo files. The library would open these itself, which this
 * process may not: the system call traps (confine.c), and what it returns is a file that is taken
 * from the package or that the loader has opened. The library checks that it belongs to the unit.
 */
#include <dwarf.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/words.h"
#include "lines/private.h"
#include "target/object/package.h"
#include "shared/lines.h"

/* The unit whose .dwo file is being opened; NULL: none, or it was asked for before. The handler of
 * a signal has no arguments. */
static Dwarf_Die *wanted;
static struct package *package; /* NULL: there is none */

static const char *text_of(Dwarf_Die *die, unsigned at)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr(die, at, &attr));
}

static bool send_request(Dwarf_Die *unit)
{
	const char *name = text_of(unit, DW_AT_dwo_name);
	uint32_t word = LINES_WANTED;
	unsigned char bytes[sizeof(word) + 2 * LINES_TEXT_MAX];
	size_t n = sizeof(word);

	if (!name || !*name)
		name = text_of(unit, DW_AT_GNU_dwo_name);
	memcpy(bytes, &word, sizeof(word));
	n += lines_put_text(bytes + n, text_of(unit, DW_AT_comp_dir));
	n += lines_put_text(bytes + n, name);
	return name && *name && send(LINES_SOCKET, bytes, n, MSG_NOSIGNAL) == (ssize_t)n;
}

/* Returns the descriptor, or -1. */
static int receive_file(void)
{
	char byte;
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec data = { &byte, sizeof(byte) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1,
				  .msg_control = control.bytes,
				  .msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *head;
	ssize_t n;
	int fd;

	do
		n = recvmsg(LINES_SOCKET, &message, 0);
	while (n < 0 && errno == EINTR);
	head = n == 1 ? CMSG_FIRSTHDR(&message) : NULL;
	if (!head || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS)
		return -1;
	memcpy(&fd, CMSG_DATA(head), sizeof(fd));
	return fd;
}

static uint64_t number_of(Dwarf_Die *unit)
{
	uint64_t number = 0;

	dwarf_cu_info(unit->cu, NULL, NULL, NULL, NULL, &number, NULL, NULL);
	return number;
}

int split_opens(const char *path)
{
	Dwarf_Die *unit = wanted;
	int fd;

	/* Newer libraries look for a package first. */
	if (!unit || words_end(path, ".dwp"))
		return -ENOENT;
	wanted = NULL;
	fd = package ? package_extract(package, number_of(unit)) : -1;
	if (fd < 0 && send_request(unit))
		fd = receive_file();
	return fd < 0 ? -ENOENT : fd;
}

void split_package(int fd)
{
	package = package_open(fd);
}

bool split_find(Dwarf_Die *unit, Dwarf_Die *ret)
{
	uint8_t type;

	*ret = *unit;
	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) != 0 ||
	    type != DW_UT_skeleton)
		return true;
	wanted = unit;
	if (dwarf_cu_info(unit->cu, NULL, NULL, NULL, ret, NULL, NULL, NULL) != 0)
		*ret = (Dwarf_Die){ 0 };
	wanted = NULL;
	return ret->addr;
}
