/* SPDX-License-Identifier: GPL-2.0 */
/* links: grant */
/*
 * Reads a request to probec-grant. An input is text: the number of descriptors that came with the
 * request, how many bytes its end lacks, the numbers of its header, and after a newline its parts,
 * in which | is a NUL. What is accepted can be given to proberun: no word of it is an option, and
 * no name is a path.
 */
#include "fuzz.h"

#include "request.h"

enum { NUMBERS = 2 + sizeof(struct grant_request) / sizeof(uint32_t) };

static void walk(const struct request *r, unsigned descriptors)
{
	FUZZ_MUST(descriptors <= 1 && !*r->name == (descriptors == 1));
	FUZZ_MUST(!strchr(r->name, '/') && *r->name != '.' && strlen(r->name) <= GRANT_NAME_MAX);
	FUZZ_MUST(r->head.format < GRANT_FORMATS && r->head.pid <= INT32_MAX);
	FUZZ_MUST(r->nglobals <= GRANT_GLOBALS_MAX && r->module == -1);
	for (unsigned i = 0; i < r->nglobals; i++) {
		const char *g = r->globals[i];

		FUZZ_MUST(strchr(g, '=') && *g != '-' && *g != '=');
		FUZZ_MUST(g >= r->bytes && g + strlen(g) < r->bytes + r->head.globals_bytes);
	}
}

/* Reads the numbers. Returns where they end. */
static size_t read_numbers(const uint8_t *data, size_t size, uint32_t numbers[NUMBERS])
{
	size_t at = 0;
	unsigned n = 0;

	memset(numbers, 0, NUMBERS * sizeof(*numbers));
	for (; at < size && data[at] != '\n'; at++) {
		if (data[at] == ' ')
			n++;
		else if (n < NUMBERS)
			numbers[n] = numbers[n] * 10 + (data[at] - '0');
	}
	return at < size ? at + 1 : size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct request r;
	uint32_t numbers[NUMBERS];
	size_t at = read_numbers(data, size, numbers), head = sizeof(struct grant_request),
	       len = head + size - at;
	char *message = malloc(len);

	memcpy(message, numbers + 2, head);
	for (size_t i = 0; at + i < size; i++)
		message[head + i] = data[at + i] == '|' ? '\0' : (char)data[at + i];
	len -= numbers[1] < len ? numbers[1] : len;
	/* In memory of exactly its size. */
	message = realloc(message, len ? len : 1);
	if (!request_parse(message, len, numbers[0], &r))
		walk(&r, numbers[0]);
	free(message);
	return 0;
}
