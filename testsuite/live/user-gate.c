/* Three calls of lfind() from the same place of the stack. While the first one runs, the return
 * probe is disarmed; while the second one runs, it is armed again. */
#define _GNU_SOURCE
#include <search.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_armed(void)
{
	return *(volatile unsigned char *)(uintptr_t)lfind == 0xcc;
}

static void wait_until(bool armed)
{
	for (int i = 0; is_armed() != armed; i++) {
		if (i == 2000)
			exit(armed ? 3 : 2);
		usleep(10000);
	}
}

static int compare(const void *key, const void *element)
{
	char text[] = "text";

	(void)element;
	if (key == (void *)1) {
		memfrob(text, 1);
		wait_until(false);
	} else if (key == (void *)2) {
		strfry(text);
		wait_until(true);
	}
	return 0;
}

int main(void)
{
	char element = 0;

	for (uintptr_t key = 1; key <= 3; key++) {
		size_t n = 1;

		lfind((void *)key, &element, &n, 1, compare);
	}
	return 0;
}
