/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two builds of one program, for host/rebuilt: PART 1 and PART 2 are linked in another order, and
 * with LATER one function is added, one is changed, and main() calls another function of libc.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct client { const char *name; int n; };

int counter_of(int n);
int get_first(void);
int get_second(void);
void log_first(const char *text);
void log_second(const char *text);
char *copy_of(const char *text);
int serve(struct client *c);

#if PART == 1
static int first, second;

/* Both have the same code but for where their variables are. */
int get_first(void) { return first; }
int get_second(void) { return second; }

/* These also differ in a text. */
void log_first(const char *text) { puts("first: "); puts(text); first++; }
void log_second(const char *text) { puts("second: "); puts(text); second++; }

char *copy_of(const char *text)
{
	size_t n = strlen(text);
	char *copy = malloc(n + 1);

	return copy ? memcpy(copy, text, n + 1) : NULL;
}

int counter_of(int n)
{
#ifdef LATER
	return n * 5 + get_first();
#else
	return n * 3 + get_first();
#endif
}
#else
#ifdef LATER
int added(int n);
int added(int n)
{
	for (int i = 0; i < n; i++)
		n ^= i * 7 + get_second();
	return n;
}
#endif

int serve(struct client *c)
{
	log_first(c->name);
	c->n += get_first() + get_second();
	for (const char *s = c->name; *s; s++)
		c->n = c->n * 33 + *s;
	return counter_of(c->n);
}

int main(int argc, char **argv)
{
	struct client c = { argc > 1 ? argv[1] : "nobody", 3 };
	char *copy = copy_of(c.name);

#ifdef LATER
	printf("%d %s\n", added(argc), getenv("HOME"));
#endif
	log_second("begins");
	printf("%d %s\n", serve(&c), copy);
	free(copy);
	return get_second() > 100;
}
#endif
