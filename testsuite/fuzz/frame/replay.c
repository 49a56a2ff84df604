/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs a target without a fuzzer: TARGET FILE|FOLDER... runs every file, and then FUZZ_MUTATIONS
 * (default 50) random variations of each, seeded by FUZZ_SEED. If FUZZ_FOUND names a folder, an
 * input that crashes is stored there as last-input.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

enum { ROOM = 1 << 20 };

static uint64_t state, inputs;
static FILE *words;

static uint64_t below(uint64_t n)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (state >> 33) % n;
}

static void keep(const uint8_t *data, size_t size)
{
	const char *folder = getenv("FUZZ_FOUND");
	char path[4096];
	FILE *f;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/last-input", folder);
	f = fopen(path, "w");
	if (f) {
		fwrite(data, 1, size, f);
		fclose(f);
	}
}

/* Copies the input into memory of exactly its size. */
static void run(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size);

	memcpy(copy, data, size);
	keep(data, size);
	if (ftruncate(2, 0) == 0)
		lseek(2, 0, SEEK_SET);
	LLVMFuzzerTestOneInput(copy, size);
	free(copy);
	inputs++;
}

static size_t change(uint8_t *data, size_t size)
{
	static const uint8_t edges[] = { 0, 1, 7, 8, 0x7f, 0x80, 0xff, '\n', '\t', '%', '*', '9' };
	size_t at = size ? below(size) : 0, n = 1 + below(16), from;

	switch (below(6)) {
	case 0:
		if (size)
			data[at] ^= (uint8_t)(1u << below(8));
		return size;
	case 1:
		if (size)
			data[at] = edges[below(sizeof(edges))];
		return size;
	case 2: /* cut a part out */
		n = n < size - at ? n : size - at;
		memmove(data + at, data + at + n, size - at - n);
		return size - n;
	case 3: /* repeat a part */
		from = size ? below(size) : 0;
		n = n < size - from ? n : size - from;
		if (size + n > ROOM)
			return size;
		memmove(data + at + n, data + at, size - at);
		memmove(data + at, data + (from < at ? from : from + n <= size ? from : at), n);
		return size + n;
	case 4: /* insert a number */
		for (n = 1u << below(4); n-- && at < size; at++)
			data[at] = below(2) ? 0xff : 0;
		return size;
	default:
		return size ? 1 + below(size) : 0;
	}
}

static void run_file(const char *path, unsigned mutations)
{
	static uint8_t file[ROOM], data[ROOM];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, file, sizeof(file));
	size_t size, i;

	close(fd);
	if (n < 0) {
		fprintf(words, "can't read %s\n", path);
		exit(2);
	}
	fprintf(words, "%s\n", path);
	run(file, (size_t)n);
	while (mutations--) {
		memcpy(data, file, (size_t)n);
		size = (size_t)n;
		for (i = 1 + below(8); i--;)
			size = change(data, size);
		run(data, size);
	}
}

static void run_path(const char *path, unsigned mutations)
{
	struct stat st;
	struct dirent **names;
	char file[4096];
	int n, i;

	if (stat(path, &st) || !S_ISDIR(st.st_mode)) {
		run_file(path, mutations);
		return;
	}
	n = scandir(path, &names, NULL, alphasort);
	for (i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s/%s", path, names[i]->d_name);
		if (names[i]->d_name[0] != '.')
			run_file(file, mutations);
		free(names[i]);
	}
	free(names);
}

static unsigned long number_from_environment(const char *name, unsigned long otherwise)
{
	const char *s = getenv(name);

	return s && *s ? strtoul(s, NULL, 0) : otherwise;
}

/* Shows the messages of the input that killed a process. */
static int show(int said, int status)
{
	char part[4096];
	off_t at = 0;
	ssize_t n;

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return 0;
	while ((n = pread(said, part, sizeof(part), at)) > 0) {
		at += n;
		if (write(2, part, (size_t)n) != n)
			break;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The target's messages are shown only for an input that kills it: a sanitizer's report is at their
 * end. */
int main(int argc, char **argv)
{
	unsigned mutations = (unsigned)number_from_environment("FUZZ_MUTATIONS", 50);
	unsigned long seed = number_from_environment("FUZZ_SEED",
						     (unsigned long)time(NULL) % 1000000);
	int null = open("/dev/null", O_WRONLY), said = memfd_create("said", 0), status = 1, i;
	pid_t child = said < 0 ? -1 : fork();

	if (child < 0) {
		perror("replay");
		return 2;
	}
	if (child) {
		waitpid(child, &status, 0);
		return show(said, status);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	words = fdopen(dup(2), "w");
	setvbuf(words, NULL, _IOLBF, 0);
	dup2(null, 1);
	dup2(said, 2);
	state = seed;
	fprintf(words, "FUZZ_SEED=%lu FUZZ_MUTATIONS=%u\n", seed, mutations);
	for (i = 1; i < argc; i++)
		run_path(argv[i], mutations);
	fprintf(words, "%llu inputs\n", (unsigned long long)inputs);
	return 0;
}
