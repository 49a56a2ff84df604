/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An ssh for very many hosts of probec --remote: it runs no command, but answers as a host does
 * whose kernel is $RELEASE, in one small process. The name of the host says what happens:
 *
 *   says-N     the session prints the file $OUTPUT and ends on request
 *   ends-N     ... and ends
 *   refuses-N  no connection
 *   silent-N   the connection ends without an answer
 *   other-N    another kernel, for which there is no module
 *   full-N     no room for the bundle
 *   lost-N     the connection is lost after the output
 *   fails-N    the session fails after the output
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

static int is(const char *host, const char *kind)
{
	return strncmp(host, kind, strlen(kind)) == 0;
}

static void say(const char *text)
{
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

static void show_output(void)
{
	int fd = open(getenv("OUTPUT"), O_RDONLY);
	char chunk[65536];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		if (write(STDOUT_FILENO, chunk, (size_t)n) != n)
			_exit(1);
}

/* Reads the line with the size, and so many bytes. */
static void take_bundle(void)
{
	static char chunk[65536];
	size_t left = 0;
	char c;

	while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
		left = left * 10 + (size_t)(c - '0');
	while (left) {
		size_t most = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = read(STDIN_FILENO, chunk, most);

		if (n <= 0)
			_exit(1);
		left -= (size_t)n;
	}
}

int main(int argc, char **argv)
{
	const char *host = argc > 2 ? argv[argc - 2] : "";
	char text[256], c;

	if (is(host, "refuses-")) {
		fprintf(stderr, "ssh: connect to host %s port 22: Connection refused\n", host);
		return 255;
	}
	if (is(host, "silent-"))
		return 255;
	snprintf(text, sizeof(text),
		 "\nprobec-remote 1\nrelease %s\nmachine x86_64\nnotes\nready\n",
		 is(host, "other-") ? "2.4.18" : getenv("RELEASE"));
	say(text);
	if (is(host, "full-")) {
		while (read(STDIN_FILENO, &c, 1) == 1 && c != '\n')
			;
		say("failed the bundle cannot be stored: head: error writing: No space left\n");
		return 1;
	}
	take_bundle();
	snprintf(text, sizeof(text), "time %lld.000000000\nstart\n", (long long)time(NULL));
	say(text);
	show_output();
	if (is(host, "lost-"))
		return 255;
	if (is(host, "fails-")) {
		fputs("probec: error: reason [E_ARM]\n", stderr);
		return 1;
	}
	while (is(host, "says-") && read(STDIN_FILENO, &c, 1) == 1 && c != 's')
		;
	return 0;
}
