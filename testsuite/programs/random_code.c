/* SPDX-License-Identifier: GPL-2.0 */
/*
 * random_code ROUNDS: runs the blocks that random_code.py or random_arm64.py has written, each with
 * the registers and the flags that the one before it has left, and prints a line of what each has
 * left after all rounds. A timer interrupts them all the time. Linked at a fixed address, it prints
 * the same each time.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>

#ifdef __aarch64__
#define PROT_BTI 0x10
enum { REGISTERS = 31, STATUS = 0xf0000000, FIXED = 0 };
#else
/* Flags that the blocks' instructions define: not AF. */
enum { REGISTERS = 15, STATUS = 0x8c5, FIXED = 2 };
#endif

/* The blocks use these. */
uint64_t state[REGISTERS], state_flags = FIXED, state_sp, saved;
uint8_t scratch[1024], small;
uint8_t stack[4096] __attribute__((aligned(64)));

extern void (*const blocks[])(void);
extern const uint64_t block_count;
#ifdef __aarch64__
extern char blocks_begin[], blocks_end[];
#endif

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
	for (size_t i = 0; i < REGISTERS; i++)
		state[i] = 0x9e3779b97f4a7c15 * (i + 1);
	sigaltstack(&(stack_t){ .ss_sp = below, .ss_size = sizeof(below) }, NULL);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
#ifdef __aarch64__
	/* Only marked instructions may be reached by indirect branches; processors without that
	 * refuse it. */
	mprotect(blocks_begin, (size_t)(blocks_end - blocks_begin),
		 PROT_READ | PROT_EXEC | PROT_BTI);
#endif
	for (long round = 0; round < rounds; round++) {
		for (uint64_t i = 0; i < block_count; i++) {
			small = (uint8_t)(round * 7 + i) % 16;
			blocks[i]();
			state_flags = (state_flags & STATUS) | FIXED;
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
