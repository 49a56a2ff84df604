/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens connections to itself, sends a word through each and closes them, until it gets SIGTERM.
 * Then it prints how many calls of socket() it made.
 */
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static volatile sig_atomic_t over;
static unsigned long opened;

static void on_term(int sig)
{
	(void)sig;
	over = 1;
}

static int fresh(int domain, int type)
{
	int fd = socket(domain, type, 0);

	if (fd >= 0)
		opened++;
	else
		perror("socket");
	return fd;
}

/* Sends one word from @from to @to. Returns false if it did not arrive. */
static int through(int from, int to)
{
	char word[8] = "hello", got[8] = "";

	return write(from, word, sizeof(word)) == sizeof(word) &&
	       read(to, got, sizeof(got)) == sizeof(got) && memcmp(word, got, sizeof(word)) == 0;
}

static int by_tcp(int listener, const struct sockaddr_in *at)
{
	int from = fresh(AF_INET, SOCK_STREAM), to = -1, ok = 0;

	if (from >= 0 && !connect(from, (const struct sockaddr *)at, sizeof(*at)))
		to = accept(listener, NULL, NULL);
	if (to >= 0)
		ok = through(from, to) && through(to, from);
	close(from);
	close(to);
	return ok;
}

static int by_udp(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int from = fresh(AF_INET, SOCK_DGRAM), to = fresh(AF_INET, SOCK_DGRAM), ok;
	socklen_t size = sizeof(at);

	ok = !bind(to, (struct sockaddr *)&at, size) &&
	     !getsockname(to, (struct sockaddr *)&at, &size) &&
	     !connect(from, (struct sockaddr *)&at, size) && through(from, to);
	close(from);
	close(to);
	return ok;
}

int main(void)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(at);
	int listener = fresh(AF_INET, SOCK_STREAM);

	signal(SIGTERM, on_term);
	if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 8) ||
	    getsockname(listener, (struct sockaddr *)&at, &size)) {
		perror("sockets");
		return 1;
	}
	while (!over) {
		if (!by_tcp(listener, &at) || !by_udp()) {
			fprintf(stderr, "sockets: a word was lost\n");
			return 1;
		}
	}
	printf("%lu\n", opened);
	return 0;
}
