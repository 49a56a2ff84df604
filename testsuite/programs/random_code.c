/* SPDX-License-Identifier: GPL-2.0 */
/*
 * random_code ROUNDS: runs the blocks that random_code.py has written, each with the registers and
 * the flags that the one before it has left, and prints a line of what each has left after all
 * rounds. A timer interrupts them all the time. Linked at a fixed address, it prints the same each
 * time.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { STATUS = 0x8c5 }; /* flags that the blocks' instructions define: not AF */

/* The blocks use these. */
uint64_t state[15], state_flags = 2, state_sp, saved;
uint8_t scratch[1024], small;
uint8_t stack[4096] __attribute__((aligned(64)));

extern void (*const blocks[])(void);
extern const uint64_t block_count;

static volatile sig_atomic_t interrupts;

static void interrupt(int signal)
{
	interrupts++;
}

static uint64_t mix(uint64_t hash, const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n--)
		hash = (hash ^ *p++) * 0x100000001b3;
	return hash;
}

int main(int argc, char **argv)
{
	struct itimerval every = { { 0, 3000 }, { 0, 3000 } };
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART | SA_ONSTACK };
	static char below[1 << 16];
	long rounds = argc > 1 ? atol(argv[1]) : 1;
	uint64_t *hashes = calloc(block_count, sizeof(*hashes));

	for (size_t i = 0; i < sizeof(scratch); i++)
		scratch[i] = (uint8_t)(i * 37);
	for (size_t i = 0; i < 15; i++)
		state[i] = 0x9e3779b97f4a7c15 * (i + 1);
	sigaltstack(&(stack_t){ .ss_sp = below, .ss_size = sizeof(below) }, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	for (long round = 0; round < rounds; round++) {
		for (uint64_t i = 0; i < block_count; i++) {
			small = (uint8_t)(round * 7 + i) % 16;
			blocks[i]();
			state_flags = (state_flags & STATUS) | 2;
			hashes[i] = mix(hashes[i], state, sizeof(state));
			hashes[i] = mix(hashes[i], &state_flags, sizeof(state_flags));
			hashes[i] = mix(hashes[i], &state_sp, sizeof(state_sp));
			hashes[i] = mix(hashes[i], scratch, sizeof(scratch));
		}
	}
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	for (uint64_t i = 0; i < block_count; i++)
		printf("block_%lu %016lx\n", (unsigned long)i, (unsigned long)hashes[i]);
	fprintf(stderr, "interrupted: %d\n", interrupts > 0);
	free(hashes);
	return 0;
}
