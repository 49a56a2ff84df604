/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/*
 * Runs the loader's reader from rings to output, on a device with arbitrary content: heads, tails
 * and open times, groups, records, arguments, counters. The reader must end, show no byte from
 * outside of the rings, and consume what it has read.
 */
#include "fuzz.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <time.h>

#include "device/device.h"
#include "module/meta.h"
#include "session/child.h"
#include "session/pump.h"
#include "show/output.h"
#include "show/show.h"

#define TEXT_OF(number) #number
#define ABI_TEXT(number) TEXT_OF(number)

enum { RING = 512, RINGS_MAX = 3, TURNS = 4 };

static const char module[] =
	"probec\t" ABI_TEXT(PRT_ABI_VERSION) "\t0.1\nkernel\t6.1\t-\nscript\ts.kp\nfile\t0\ts.kp\n"
	"probe\t0\tbegin\tbegin\t0\nprobe\t1\tentry\tkernel.function(\"f\")\t1\n"
	"site\t0\t1\tvmlinux\tf\t0\t0\t0\tkernel.function(\"f\")\n"
	"site\t1\t1\tvmlinux\tg\t0\t0\t1\tkernel.function(\"g\")\n"
	"place\t0\t0\t1\t7\t12\tprobe begin { }\nplace\t1\t0\t2\t1\t90\t\tprobe\tkernel\n"
	"print\t0\t-\thello\\n\t0\nprint\t1\tlls\t%d %5.*s\\n\t1\nprint\t2\tH\t%H\t1\n"
	"print\t4\tsl\t<%-20s>%#x%c\\n\t-\ntarget\t0\nend\n";

static struct fuzz_input in;
static unsigned turns;

static int any_bytes(void *ret, size_t len)
{
	for (size_t i = 0; i < len; i++)
		((char *)ret)[i] = (char)fuzz_number(&in, 1);
	return 0;
}

/* The device, as pump.c and the files below it see it. */

int device_status(struct device *d, struct prt_status *ret)
{
	(void)d;
	any_bytes(ret, sizeof(*ret));
	ret->state %= PRT_STATE_DONE + 1;
	if (++turns >= TURNS)
		ret->state = PRT_STATE_DONE;
	return turns == 1 && fuzz_number(&in, 1) == 1 ? -1 : 0;
}

/* No ring comes during a session here, and none grows. */
int device_map(struct device *d)
{
	(void)d;
	return 0;
}

int device_map_grown(struct device *d)
{
	(void)d;
	return 0;
}

int device_stop(struct device *d)
{
	(void)d;
	return 0;
}

int device_sites(struct device *d, const uint64_t *addresses, uint32_t n)
{
	(void)d;
	(void)addresses;
	(void)n;
	return 0;
}

int device_site_status(struct device *d, struct prt_site_status *ret, uint32_t n)
{
	(void)d;
	return any_bytes(ret, n * sizeof(*ret));
}

bool device_array(struct device *d, struct prt_array_get *ret)
{
	uint32_t asked = ret->at;

	(void)d;
	any_bytes(ret, sizeof(*ret));
	ret->name[sizeof(ret->name) - 1] = '\0';
	return ret->at >= asked && ret->at < UINT32_MAX;
}

int device_counts(struct device *d, struct prt_probe_counts *ret, uint32_t n)
{
	(void)d;
	return any_bytes(ret, n * sizeof(*ret));
}

int device_marks(struct device *d, const struct prt_mark_row *rows, uint32_t n)
{
	(void)d;
	(void)rows;
	(void)n;
	return 0;
}

bool device_marks_wanted(struct device *d)
{
	(void)d;
	return fuzz_number(&in, 1) & 1;
}

int device_stacks(struct device *d, struct prt_stack_counts *ret)
{
	(void)d;
	return any_bytes(ret, sizeof(*ret));
}

int device_script_counts(struct device *d, struct prt_script_counts *ret)
{
	(void)d;
	return any_bytes(ret, sizeof(*ret));
}

/* An object of a script has any description. */
int device_script_object(struct device *d, struct prt_script_get *get)
{
	(void)d;
	get->language = fuzz_number(&in, 1) & 3;
	get->size = fuzz_number(&in, 1) & 0xff;
	return any_bytes((void *)(uintptr_t)get->to, get->size);
}

int device_symbol(struct device *d, struct prt_symbol_get *get)
{
	(void)d;
	get->text[0] = 0;
	return fuzz_number(&in, 1) & 1 ? any_bytes(get->text, 16) : -1;
}

/* No session here has a service. */
int device_space_wanted(struct device *d, struct prt_space_wanted *ret)
{
	(void)d;
	(void)ret;
	return -ESHUTDOWN;
}

int device_code_file(struct device *d, const struct prt_code_file_set *set)
{
	(void)d;
	(void)set;
	return -ESHUTDOWN;
}

int device_code_key(struct device *d, const struct prt_code_key *key)
{
	(void)d;
	(void)key;
	return -ESHUTDOWN;
}

int device_file_wanted(struct device *d)
{
	(void)d;
	return -ESHUTDOWN;
}

int device_space(struct device *d, const struct prt_space_set *set)
{
	(void)d;
	(void)set;
	return -ESHUTDOWN;
}

int device_input(struct device *d, const struct prt_input *set)
{
	(void)d;
	(void)set;
	return -ESHUTDOWN;
}

int device_switch(struct device *d, uint32_t probe, bool off)
{
	(void)d;
	(void)probe;
	(void)off;
	return -ESHUTDOWN;
}

/* No session here records. */
int device_snapshot(struct device *d, struct prt_snapshot *s)
{
	(void)d;
	(void)s;
	return -EINVAL;
}

int device_record(struct device *d, const struct prt_snapshot_end *set)
{
	(void)d;
	(void)set;
	return -EINVAL;
}

/* No session here serves metrics. */
int device_run(struct device *d, uint32_t first, uint32_t n, bool at_end)
{
	(void)d;
	(void)first;
	(void)n;
	(void)at_end;
	return -ESHUTDOWN;
}

/* Nothing blocks here. */
int nanosleep(const struct timespec *ts, struct timespec *left)
{
	(void)ts;
	(void)left;
	return 0;
}

static struct ring random_ring(void)
{
	struct prt_ring_head *head = aligned_alloc(64, (sizeof(*head) + 63) & ~63ul);
	size_t len = fuzz_number(&in, 2) % (RING + 1);
	char *data = calloc(2, RING);

	memset(head, 0, sizeof(*head));
	len = len < in.left ? len : in.left;
	memcpy(data, in.p, len);
	in.p += len;
	in.left -= len;
	memcpy(data + RING, data, RING);
	head->head = fuzz_number(&in, 1) == 255 ? fuzz_number(&in, 8) : len & ~7ul;
	head->open = fuzz_number(&in, 1) == 255 ? fuzz_number(&in, 8) : 0;
	head->dropped_bytes = fuzz_number(&in, 1);
	return (struct ring){ .head = head, .data = data, .size = RING };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct meta m;
	static int fd, null;
	struct ring ring[RINGS_MAX];
	struct device d = { 0 };
	struct output out;
	struct show show = { 0 };
	struct percentiles percentiles;
	unsigned shown;
	struct child child;
	char why[64];
	struct pump p = { .m = &m, .d = &d, .out = &out, .show = &show, .child = &child };

	if (!m.memory) {
		FUZZ_MUST(meta_parse(module, sizeof(module) - 1, &m, why, sizeof(why)) == 0);
		fd = open("/dev/zero", O_RDONLY);
		null = open("/dev/null", O_WRONLY);
	}
	in = (struct fuzz_input){ data, size };
	turns = 0;
	p.timing = (int)fuzz_number(&in, 1) & 1;
	d.fd = fd;
	d.rings.ring = ring;
	d.rings.n = 1 + (uint32_t)fuzz_number(&in, 1) % RINGS_MAX;
	output_init(&out, null);
	child_init(&child);
	shown = (unsigned)fuzz_number(&in, 1);
	FUZZ_MUST(percentiles_parse("0,50,99.9,100", &percentiles) == 0);
	show_open(&show, (enum show_format)(shown % 5), shown & 64 ? &percentiles : NULL,
		  shown & 32, &out);
	for (uint32_t i = 0; i < d.rings.n; i++)
		ring[i] = random_ring();
	pump_run(&p);
	for (uint32_t i = 0; i < d.rings.n; i++) {
		FUZZ_MUST(ring[i].head->tail == ring[i].tail);
		free(ring[i].head);
		free((char *)ring[i].data);
	}
	show_close(&show);
	output_deinit(&out);
	return 0;
}
