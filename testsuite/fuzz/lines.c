/* SPDX-License-Identifier: GPL-2.0 */
/* links: loader */
/*
 * Plays the line reader, which answers whatever a file has made it answer, and the file itself: the
 * loader ends, asks for no more files than were wanted, and shows no control characters. The first
 * byte says which of the two the rest is: packets, each after its size in two bytes, or what a
 * debug file says about its alternate file. All bytes are XORed with MASK, so that no input of the
 * corpus has a NUL.
 */
#include "fuzz.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shared/lines.h"
#include "unwind/debug_file.h"
#include "unwind/debug_parts.h"
#include "unwind/image.h"
#include "unwind/line_reader.h"
#include "unwind/lines.h"

enum { INPUT_MAX = 1 << 16, MASK = 0x85, PACKETS = 16 };

static void check_text(const char *s)
{
	for (; *s; s++)
		FUZZ_MUST(!iscntrl((unsigned char)*s));
}

static void check_answer(const void *answer, size_t size)
{
	struct line_frame frames[LINES_FRAMES];
	size_t n = lines_decode(answer, size, frames);

	FUZZ_MUST(n <= LINES_FRAMES);
	for (size_t i = 0; i < n; i++) {
		check_text(frames[i].function);
		check_text(frames[i].file);
	}
	lines_forget(frames, n);
}

/* Every second file is there. */
static int open_wanted(void *arg, const char *folder, const char *name)
{
	size_t *opened = arg;
	int fd = debug_parts_split(-1, "/none/program", folder, name);

	return ++*opened % 2 && fd < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fd;
}

static void play_reader(struct fuzz_input in)
{
	static unsigned char answer[LINES_ANSWER_MAX];
	struct line_reader r = { .fd = -1 };
	size_t sent = 0, opened = 0;
	ssize_t size;
	int ends[2];

	FUZZ_MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
	r.fd = ends[0];
	for (; sent < PACKETS && in.left; sent++) {
		size_t n;
		char *packet = fuzz_bytes(&in, fuzz_number(&in, 2), &n);
		ssize_t done = send(ends[1], packet, n, MSG_DONTWAIT);

		free(packet);
		if (done < 0)
			break;
	}
	shutdown(ends[1], SHUT_WR);
	size = line_reader_ask(&r, 1, open_wanted, &opened, answer, sizeof(answer));
	FUZZ_MUST(opened <= sent);
	if (size > 0)
		check_answer(answer, (size_t)size);
	close(ends[0]);
	close(ends[1]);
}

/* A file that has only this section. */
static void play_file(struct fuzz_input in)
{
	static const char names[] = "\0.gnu_debugaltlink";
	Elf64_Ehdr file = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
					 ELFDATA2LSB, EV_CURRENT },
			    .e_type = ET_DYN, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
			    .e_shoff = sizeof(file), .e_ehsize = sizeof(file),
			    .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 3, .e_shstrndx = 2 };
	Elf64_Shdr heads[3] = {
		[1] = { .sh_name = 1, .sh_type = SHT_PROGBITS, .sh_size = in.left,
			.sh_offset = sizeof(file) + sizeof(heads) + sizeof(names) },
		[2] = { .sh_type = SHT_STRTAB, .sh_size = sizeof(names),
			.sh_offset = sizeof(file) + sizeof(heads) },
	};
	int fd = memfd_create("file", MFD_CLOEXEC), found;
	struct image f;
	const char *why;

	FUZZ_MUST(write(fd, &file, sizeof(file)) == sizeof(file) &&
		  write(fd, heads, sizeof(heads)) == sizeof(heads) &&
		  write(fd, names, sizeof(names)) == sizeof(names) &&
		  write(fd, in.p, in.left) == (ssize_t)in.left);
	FUZZ_MUST(image_open_unloaded(fd, &f, &why) == 0);
	found = debug_parts_alternate(&f, fd, "/none");
	image_close(&f);
	close(fd);
	if (found >= 0)
		close(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[INPUT_MAX];

	size = size < sizeof(bytes) ? size : sizeof(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = data[i] ^ MASK;
	if (size && bytes[0] % 2)
		play_file((struct fuzz_input){ bytes + 1, size - 1 });
	else if (size)
		play_reader((struct fuzz_input){ bytes + 1, size - 1 });
	return 0;
}
