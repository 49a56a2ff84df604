/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/*
 * Reads a dump of a machine with two flight recorders, one of two rings, parts of which the input
 * has overwritten. The reader must end, and show no byte from outside of the dump.
 *
 * The input: the format and the session, one byte; then, as often as there is any, a page of the
 * dump, an offset in it (two bytes), a length, and that many bytes.
 */
#include "fuzz.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/dump.h"
#include "records.h"
#include "show/output.h"
#include "vmcore.h"

#define TEXT_OF(number) #number
#define ABI_TEXT(number) TEXT_OF(number)

enum { PAGE = 4096, RING = 64 << 10, START = 1 << 20 /* of the memory */ };
/* Pages of the dump; each list of a ring is followed by its header and its data. */
enum { ELF_HEAD, ANCHOR, OTHER, ABOUT_LIST, ABOUT, FIRST, SECOND = FIRST + 2 + RING / PAGE,
       PAGES = SECOND + 2 + RING / PAGE };

static const char about[] =
	"probec\t" ABI_TEXT(PRT_ABI_VERSION) "\t0.1\nkernel\t6.1\t-\nscript\ts.kp\nfile\t0\ts.kp\n"
	"probe\t0\tbegin\tbegin\t0\nprobe\t1\tentry\tkernel.function(\"f\")\t1\n"
	"site\t0\t1\tvmlinux\tf\t0\t0\t0\tkernel.function(\"f\")\n"
	"place\t0\t0\t1\t7\t12\tprobe begin { }\nplace\t1\t0\t2\t1\t90\t\tprobe\tkernel\n"
	"print\t0\t-\thello\\n\t0\nprint\t1\tlls\t%d %5.*s\\n\t1\ntarget\t0\nend\n";

static uint64_t address(int page)
{
	return START + (uint64_t)page * PAGE;
}

static void make_anchor(char *dump, int page, const char *module)
{
	struct prt_vmcore *a = (void *)(dump + page * PAGE);

	*a = (struct prt_vmcore){
		.magic = PRT_VMCORE_MAGIC, .self = address(page), .abi = PRT_ABI_VERSION,
		.page_size = PAGE, .about = address(ABOUT_LIST), .about_len = sizeof(about) - 1,
		.rings = address(FIRST), .clock_khz = 1000000, .host = "h", .release = "6.1",
	};
	memcpy(a->module, module, strlen(module));
}

static void make_list(char *dump, int page, int of, int n)
{
	struct prt_vmcore_pages *l = (void *)(dump + page * PAGE);

	*l = (struct prt_vmcore_pages){ .n = (prt_u32)n };
	for (int i = 0; i < n; i++)
		l->page[i] = address(of + i);
}

/* A ring that is full of short groups, and was overwritten in part. */
static void make_ring(char *dump, int page, int cpu)
{
	struct prt_vmcore_pages *l = (void *)(dump + page * PAGE);
	struct prt_ring_head *head = (void *)(dump + (page + 1) * PAGE);
	char *data = dump + (page + 2) * PAGE;
	size_t len = sizeof(struct prt_group) + sizeof(struct prt_rec);

	make_list(dump, page, page + 1, 1 + RING / PAGE);
	l->cpu = (prt_u32)cpu;
	*head = (struct prt_ring_head){ .magic = PRT_MAGIC, .size = RING };
	head->head = RING / len * len;
	for (size_t at = 0; at + len <= RING; at += len) {
		struct prt_group *g = (void *)(data + at);

		*g = (struct prt_group){ .len = (prt_u32)len, .kind = PRT_GROUP_OUTPUT,
					 .time = at + (prt_u64)cpu };
		*(struct prt_rec *)(g + 1) = (struct prt_rec){ .len = sizeof(struct prt_rec) };
	}
}

static void make_dump(char *dump)
{
	Elf64_Ehdr *head = (void *)dump;
	Elf64_Phdr *segment = (void *)(head + 1);

	*head = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					   ELFDATA2LSB, EV_CURRENT },
			      .e_type = ET_CORE, .e_phoff = sizeof(*head), .e_phnum = 2,
			      .e_phentsize = sizeof(*segment) };
	for (int i = 0; i < 2; i++)
		segment[i] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_paddr = START,
					   .p_filesz = (uint64_t)(i ? PAGES : SECOND) * PAGE };
	make_anchor(dump, ANCHOR, "probec_1_0");
	make_anchor(dump, OTHER, "probec_2_0");
	make_list(dump, ABOUT_LIST, ABOUT, 1);
	memcpy(dump + ABOUT * PAGE, about, sizeof(about) - 1);
	make_ring(dump, FIRST, 0);
	make_ring(dump, SECOND, 1);
	((struct prt_vmcore_pages *)(void *)(dump + FIRST * PAGE))->sibling = address(SECOND);
}

static void overwrite(char *dump, struct fuzz_input *in)
{
	while (in->left) {
		size_t page = fuzz_number(in, 1) % PAGES, at = fuzz_number(in, 2) % PAGE, len, room;
		char *bytes;

		bytes = fuzz_bytes(in, fuzz_number(in, 1), &len);
		room = (size_t)PAGES * PAGE - page * PAGE - at;
		memcpy(dump + page * PAGE + at, bytes, len < room ? len : room);
		free(bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum show_format formats[] = { SHOW_TEXT, SHOW_JSON, SHOW_CSV, SHOW_FOLDED };
	static char made[PAGES * PAGE];
	static int null;
	struct fuzz_input in = { data, size };
	unsigned how = (unsigned)fuzz_number(&in, 1);
	int fd = memfd_create("dump", 0);
	char path[32], *dump;
	struct output out;
	int status;

	if (!null) {
		null = open("/dev/null", O_WRONLY);
		make_dump(made);
	}
	FUZZ_MUST(fd >= 0 && ftruncate(fd, sizeof(made)) == 0);
	dump = mmap(NULL, sizeof(made), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	FUZZ_MUST(dump != MAP_FAILED);
	memcpy(dump, made, sizeof(made));
	overwrite(dump, &in);
	munmap(dump, sizeof(made));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	output_init(&out, null);
	status = dump_show(&(struct dump_options){
		.path = path, .format = formats[how % 4], .out = &out,
		.session = how & 4 ? "probec_2_0" : "probec_1_0" });
	FUZZ_MUST(status == 0 || size > 1);
	output_deinit(&out);
	close(fd);
	return 0;
}
