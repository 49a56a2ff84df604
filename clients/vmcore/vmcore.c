/* SPDX-License-Identifier: GPL-2.0 */
#include "vmcore/vmcore.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "state.h"

static const struct range nowhere;

static const char help[] =
	"Usage: probec vmcore [OPTION]... FILE [SESSION]\n"
	"\n"
	"Shows what a session with --flight had recorded when the kernel crashed. FILE is an ELF\n"
	"dump of the machine: by makedumpfile -E, by QEMU's dump-guest-memory, or /proc/vmcore.\n"
	"SESSION is a module name, needed if the dump has several sessions.\n"
	"\n"
	"  -o, --output=FILE       write the output to FILE\n"
	"  --format=FORMAT         show the output as text, json, csv, folded, perfetto or ctf\n"
	"  --percentiles=LIST      add percentiles to each histogram: 50,90,99\n"
	"  --escape=WHEN           escape control characters: auto, always, never\n"
	"  --debuginfo=DIRECTORY   take function names from boot/System.map-RELEASE in DIRECTORY\n"
	"                          (/usr/lib/debug)\n"
	"  -v, --verbose           show each step\n"
	"  -w, --no-warnings       show no warnings\n"
	"  -h, --help              this text\n";

int vmcore_run(struct state *s, int argc, char **argv)
{
	const char **words = arena_alloc(s->arena, ((size_t)argc + 2) * sizeof(*words));

	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
			fputs(help, stdout);
			return 0;
		}
	if (argc < 2) {
		diag_error(s->diag, nowhere, E_OPTION, "which dump?");
		diag_hint(s->diag, "probec vmcore FILE; see probec vmcore --help");
		return 1;
	}
	words[0] = s->proberun;
	words[1] = "--vmcore";
	memcpy(words + 2, argv + 1, (size_t)argc * sizeof(*words));
	execv(s->proberun, (char **)words);
	diag_error(s->diag, nowhere, E_IO, "can't start %s: %s", s->proberun, strerror(errno));
	return 1;
}
