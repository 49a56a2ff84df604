/* SPDX-License-Identifier: GPL-2.0 */
/* Looks names up by each function of the C library that does, and prints a line for each call. */
#define _GNU_SOURCE
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>

static void told(const char *answer, const char *name)
{
	printf("looks %s %s\n", answer, name);
}

/* With a buffer of @size bytes. */
static void by_name_r(const char *name, int size)
{
	struct hostent host, *answer;
	char buffer[4096];
	int error, code = gethostbyname_r(name, &host, buffer, size, &answer, &error);

	told(code == ERANGE ? "buffer" : answer ? "found" : "unknown", name);
}

static void by_name2_r(const char *name)
{
	struct hostent host, *answer;
	char buffer[4096];
	int error;

	gethostbyname2_r(name, AF_INET, &host, buffer, sizeof(buffer), &answer, &error);
	told(answer ? "found" : "unknown", name);
}

int main(void)
{
	struct addrinfo *list, four = { .ai_family = AF_INET };

	by_name_r("one.example", 4096);
	by_name_r("one.example", 8);
	by_name_r("none.example", 4096);
	by_name2_r("two.example");
	told(gethostbyname("one.example") ? "found" : "unknown", "one.example");
	told(gethostbyname2("none.example", AF_INET) ? "found" : "unknown", "none.example");
	told(getaddrinfo("one.example", NULL, &four, &list) ? "unknown" : "found", "one.example");
	told(getaddrinfo("two.example", NULL, NULL, &list) ? "unknown" : "found", "two.example");
	return 0;
}
