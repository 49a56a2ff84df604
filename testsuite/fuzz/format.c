/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/* Calls the formatter with an unchecked format, types and arguments. The text must be the same for
 * every buffer size, and nothing may be written behind the buffer. */
#include "fuzz.h"

#include "format.h"

enum { MOST = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	size_t fmt_len, types_len, args_len, room = fuzz_number(&in, 2);
	char *fmt = fuzz_bytes(&in, fuzz_number(&in, 1), &fmt_len);
	char *types = fuzz_bytes(&in, fuzz_number(&in, 1) & 31, &types_len);
	char *args = fuzz_bytes(&in, in.left, &args_len);
	char *cut = malloc(room), *whole = NULL;
	long n, again;

	types = realloc(types, types_len + 1);
	types[types_len] = '\0';
	n = prt_format(NULL, 0, fmt, fmt_len, types, args, args_len);
	again = prt_format(cut, room, fmt, fmt_len, types, args, args_len);
	FUZZ_MUST(n == again && n >= -1);
	if (n >= 0 && n < MOST) {
		whole = malloc((size_t)n);
		FUZZ_MUST(prt_format(whole, (size_t)n, fmt, fmt_len, types, args, args_len) == n);
		FUZZ_MUST(memcmp(whole, cut, (size_t)n < room ? (size_t)n : room) == 0);
	}
	free(whole);
	free(cut);
	free(fmt);
	free(types);
	free(args);
	return 0;
}
