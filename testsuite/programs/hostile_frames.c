/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hostile_frames N - looks like Perl 5.36, or with -DPHP like PHP 8.2, to whoever reads its
 * memory, and writes garbage into its frames meanwhile, as hostile_python.c does: each of four
 * threads calls getppid() N times within what looks like the interpreter's loop. Prints how many
 * calls there were. It never uses what it writes, so it does not crash.
 */
#include <stdlib.h>
#include <string.h>

#ifdef PHP
#define LOOP execute_ex
#else
#define LOOP Perl_runops_standard
#endif
#include "hostile.h"

/* A member of one of the structures, all of which an object is at once. */
enum kind { POINTER, TEXT, SMALL, SMALL_SIGNED, TYPE, NUMBER };
struct member {
	unsigned offset;
	enum kind kind;
};

static uint64_t texts[TEXTS][8];     /* strings that are what they should be */

#ifdef PHP
unsigned char executor_globals[1800], compiler_globals[568];
static uint64_t *known[64];
uint64_t **zend_known_strings = known;
static const struct member members[] = {
	{ 0, TYPE }, { 8, TEXT }, { 16, POINTER }, { 24, POINTER }, { 32, POINTER }, { 40, NUMBER },
	{ 48, POINTER }, { 56, POINTER }, { 152, TEXT }, { 160, SMALL },
};
static const unsigned char types[] = { 1, 2, 4 };
#else
const unsigned char PL_revision = 5, PL_version = 36, PL_subversion = 0;
const char PL_bincompat_options[] =
	" HAS_TIMES MULTIPLICITY PERLIO_LAYERS USE_64_BIT_ALL USE_64_BIT_INT USE_ITHREADS"
	" USE_LARGE_FILES USE_LOCALE_COLLATE USE_LOCALE_NUMERIC USE_LOCALE_TIME USE_PERLIO"
	" USE_REENTRANT_API";
unsigned PL_thr_key;
const char *PL_op_desc[512];
static uint64_t interpreters[THREADS][512];
static const struct member members[] = {
	{ 0, TYPE }, { 8, POINTER }, { 16, POINTER }, { 24, SMALL }, { 32, POINTER },
	{ 40, SMALL_SIGNED }, { 44, SMALL }, { 48, TEXT }, { 56, SMALL_SIGNED }, { 60, NUMBER },
	{ 72, POINTER }, { 88, NUMBER }, { 104, TYPE }, { 112, POINTER }, { 120, POINTER },
};
static const unsigned char types[] = { 9, 11, 0x4b, 0x89 };
#endif

static void put(unsigned char *to, const struct member *m)
{
	uint64_t r = next_random(), word;

	switch (m->kind) {
	case POINTER:
		word = pointer();
		break;
	case TEXT:
		word = r & 7 ? (uintptr_t)texts[r >> 8 & (TEXTS - 1)] : pointer();
		break;
	case SMALL:
	case SMALL_SIGNED:
		word = r & 15 ? r >> 8 & 15 : r >> 20;
		if (m->kind == SMALL_SIGNED && !(r >> 60 & 3))
			word = UINT64_MAX;
		memcpy(to + m->offset, &word, 4);
		return;
	case TYPE:
		if (r & 15) {
			to[m->offset] = r & 16 ? types[(r >> 8) % sizeof(types)] :
						 (unsigned char)(r >> 8);
			return;
		}
		word = pointer();
		break;
	default:
		word = r;
	}
	memcpy(to + m->offset, &word, sizeof(word));
}

static void scribble(unsigned char *to)
{
	uint64_t r = next_random();

	for (unsigned i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (r >> i & 1)
			put(to, &members[i]);
}

static void make_texts(void)
{
	for (unsigned i = 0; i < TEXTS; i++) {
#ifdef PHP
		texts[i][2] = 6;
		memcpy(&texts[i][3], "name_a", 6);
		((char *)&texts[i][3])[5] += (char)i;
		for (unsigned j = i; j < 64; j += TEXTS)
			known[j] = texts[i];
#else
		memcpy(texts[i], "file_a", 6);
		((char *)texts[i])[5] += (char)i;
#endif
	}
}

/* Where the interpreter of a thread begins. */
static void begin_at(unsigned thread, uint64_t where, uint64_t other)
{
#ifdef PHP
	(void)thread;
	(void)other;
	memcpy(executor_globals + 488, &where, sizeof(where));
#else
	interpreters[thread][224 / 8] = where; /* the stacks of contexts */
	interpreters[thread][208 / 8] = other; /* the statement */
	interpreters[thread][1] = other;       /* the operation */
#endif
}

static unsigned number;

static void *worker(void *arg)
{
#ifdef PHP
	(void)arg;
#else
	pthread_setspecific(PL_thr_key, interpreters[(uintptr_t)arg]);
#endif
	LOOP(number, DEPTH);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	number = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
#ifndef PHP
	if (pthread_key_create(&PL_thr_key, NULL) != 0)
		return 1;
	for (unsigned i = 0; i < 512; i++)
		PL_op_desc[i] = "operation";
#endif
	make_texts();
	for (unsigned i = 0; i < 16 * OBJECTS; i++)
		scribble(arena[i % OBJECTS]);
	for (unsigned i = 0; i < THREADS; i++)
		begin_at(i, object(i), object(i + THREADS));
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i) != 0)
			return 1;
	while (__atomic_load_n(&calls, __ATOMIC_RELAXED) < THREADS * number) {
		uint64_t r = next_random();

		scribble(arena[r & (OBJECTS - 1)]);
		begin_at(r >> 8 & (THREADS - 1), r >> 16 & 7 ? object(r >> 20) : pointer(),
			 r >> 32 & 7 ? object(r >> 40) : pointer());
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u calls\n", calls);
	return 0;
}
