/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hostile_python N - looks like CPython 3.11 to whoever reads its memory, and writes garbage into
 * its frames meanwhile: circles, wild pointers, those of the kernel, sizes that are too large. Each
 * of four threads calls getppid() N times within what looks like the interpreter's loop. Prints how
 * many calls there were. It never uses what it writes, so it does not crash.
 */
#include <stdlib.h>
#include <string.h>

#define LOOP _PyEval_EvalFrameDefault
#include "hostile.h"

/* The loader looks at these; the offsets are those of 3.11. */
const unsigned long Py_Version = 0x030b02f0;
uint64_t PyCode_Type[64] = { [4] = 184 };
uint64_t _PyRuntime[128];
static uint64_t interpreters[2][4];  /* the next one at 0, its threads at 16 */
static pthread_key_t key;

static uint64_t texts[TEXTS][16];    /* strings that are what they should be */
static uint64_t states[THREADS][32], cframes[THREADS][2];

void PyEval_EvalFrameEx(void)
{
}

static void put(unsigned char *object, unsigned offset, uint64_t word)
{
	memcpy(object + offset, &word, sizeof(word));
}

static void make_texts(void)
{
	for (unsigned i = 0; i < TEXTS; i++) {
		texts[i][2] = 6;
		texts[i][4] = 0x64;            /* compact, ASCII, a byte for each character */
		memcpy(&texts[i][6], "name_a", 6);
		((char *)&texts[i][6])[5] += (char)i;
	}
}

/* Each object is a frame, a code object, a string and a table of lines at once. */
static void scribble(unsigned char *object)
{
	static const unsigned offsets[] = { 32, 48, 136, 24, 112, 128 };
	uint64_t r = next_random();

	for (unsigned i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
		if (r >> i & 1)
			put(object, offsets[i], offsets[i] >= 112 && offsets[i] != 136 &&
			    r >> (30 + i) & 1 ? (uintptr_t)texts[r >> 40 & (TEXTS - 1)] :
						pointer());
	put(object, 8, r >> 8 & 7 ? (uintptr_t)PyCode_Type : pointer());
	put(object, 16, r >> 57 & 15 ? r >> 13 & 63 : next_random());
	put(object, 56, r >> 20 & 15 ? (uintptr_t)object + 184 + (r >> 24 & 62) : next_random());
	put(object, 64, r >> 32);
	put(object, 72, next_random());
}

static void *worker(void *arg)
{
	unsigned i = (unsigned)(uintptr_t)arg, n = (unsigned)states[i][31];

	states[i][19] = pthread_self();            /* thread_id, at 152 */
	states[i][7] = (uintptr_t)cframes[i];      /* cframe, at 56 */
	cframes[i][1] = object(i);       /* current_frame, at 8 */
	pthread_setspecific(key, states[i]);
	LOOP(n, DEPTH);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
	pthread_t threads[THREADS];
	uint32_t words[2] = { 1 };

	PyEval_EvalFrameEx();
	if (pthread_key_create(&key, NULL) != 0)
		return 1;
	words[1] = key;
	memcpy((char *)_PyRuntime + 592, words, sizeof(words));
	_PyRuntime[5] = (uintptr_t)interpreters[0];
	make_texts();
	for (unsigned i = 0; i < OBJECTS; i++)
		scribble(arena[i]);
	for (uintptr_t i = 0; i < THREADS; i++) {
		states[i][31] = n;
		if (pthread_create(&threads[i], NULL, worker, (void *)i) != 0)
			return 1;
	}
	while (__atomic_load_n(&calls, __ATOMIC_RELAXED) < THREADS * n) {
		uint64_t r = next_random();

		scribble(arena[r & (OBJECTS - 1)]);
		cframes[r >> 8 & (THREADS - 1)][1] =
			r >> 16 & 7 ? object(r >> 20) : pointer();
		/* Rarely, there is a second interpreter, or what is none. */
		interpreters[0][0] = r >> 48 & 127 ? 0 : r >> 55 & 1 ? pointer() :
				     (uintptr_t)interpreters[1];
		interpreters[1][2] = r >> 56 & 1 ? (uintptr_t)states[0] : pointer();
		if (!(r >> 32 & 63))
			states[r >> 8 & (THREADS - 1)][7] = r >> 40 & 1 ?
				(uintptr_t)cframes[r >> 8 & (THREADS - 1)] : pointer();
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u calls\n", calls);
	return 0;
}
