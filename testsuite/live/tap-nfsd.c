/* SPDX-License-Identifier: GPL-2.0 */
/* tap-nfsd portmapper: accepts whatever the kernel registers, on port 111, for ever.
 * tap-nfsd: sends requests of NFS 3 to the server of this machine, with a handle that no server
 * has given out, and prints the status of each answer. */
#include <arpa/inet.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static uint32_t words[256];
static unsigned int used;

static void word(uint32_t value)
{
	words[used++] = htonl(value);
}

static void bytes(const void *data, uint32_t len)
{
	word(len);
	words[used + len / 4] = 0;
	memcpy(words + used, data, len);
	used += (len + 3) / 4;
}

static int whole(int fd, void *data, size_t len)
{
	return recv(fd, data, len, MSG_WAITALL) == (ssize_t)len;
}

/* The record that arrives next, at most 1024 bytes. */
static int receive(int fd, uint32_t *record)
{
	uint32_t head;

	return whole(fd, &head, 4) && (ntohl(head) & 0x7fffffff) <= 1024 &&
		whole(fd, record, ntohl(head) & 0x7fffffff);
}

static int transmit(int fd)
{
	words[0] = htonl(0x80000000 | (used - 1) * 4);
	return write(fd, words, used * 4) == (ssize_t)(used * 4);
}

/* To each call the answer is "true". */
static int portmapper(int fd)
{
	uint32_t record[256];
	int client;

	while ((client = accept(fd, NULL, NULL)) >= 0) {
		if (fork()) {
			close(client);
			continue;
		}
		while (receive(client, record)) {
			used = 1;
			word(ntohl(record[0]));
			word(1);
			for (int i = 0; i < 4; i++)
				word(0);
			word(1);
			if (!transmit(client))
				break;
		}
		_exit(0);
	}
	return 1;
}

/* The beginning of a request: user 1234 of group 56, and the handle 1, 2, 3 ... 32. */
static void request(uint32_t procedure)
{
	unsigned char handle[32];

	for (unsigned int i = 0; i < sizeof(handle); i++)
		handle[i] = i + 1;
	used = 1;
	word(0xcafe0000 + procedure);
	word(0);
	word(2);
	word(100003);
	word(3);
	word(procedure);
	word(1);
	word(24);
	word(0);
	bytes("host", 4);
	word(1234);
	word(56);
	word(0);
	word(0);
	word(0);
	bytes(handle, sizeof(handle));
}

static int answer(int fd, const char *name)
{
	uint32_t record[256];

	if (!transmit(fd) || !receive(fd, record))
		return 0;
	if (record[1] != htonl(1) || record[2] || record[5])
		return 0;
	printf("%s %u\n", name, ntohl(record[6]));
	return 1;
}

static int talk(int fd)
{
	request(3);
	bytes("looked-up", 9);
	if (!answer(fd, "lookup"))
		return 1;
	request(6);
	word(1);
	word(2);
	word(4000);
	if (!answer(fd, "read"))
		return 1;
	request(7);
	word(0);
	word(77);
	word(5);
	word(2);
	bytes("write", 5);
	if (!answer(fd, "write"))
		return 1;
	/* The rights are to be 0750, and nothing else. */
	request(9);
	bytes("directory", 9);
	word(1);
	word(0750);
	for (int i = 0; i < 5; i++)
		word(0);
	if (!answer(fd, "create"))
		return 1;
	request(12);
	bytes("gone", 4);
	return !answer(fd, "unlink");
}

int main(int argc, char **argv)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

	(void)argv;
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	address.sin_port = htons(argc > 1 ? 111 : 2049);
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (argc > 1)
		return bind(fd, (void *)&address, sizeof(address)) || listen(fd, 9) ||
			portmapper(fd);
	return connect(fd, (void *)&address, sizeof(address)) || talk(fd);
}
