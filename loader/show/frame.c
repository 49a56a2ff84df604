/* SPDX-License-Identifier: GPL-2.0 */
#include "show/frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "machine/kernel_lines.h"
#include "records.h"
#include "show/json.h"
#include "show/stack.h"
#include "unwind/service.h"

struct shown_frame frame_with_lines(struct stack_names *names, int kind, uint64_t word, bool called)
{
	struct shown_frame f = { .word = word };
	size_t n;

	if (kind == PRT_STACK_USER)
		n = service_lines(names->service, word, &f.lines);
	else
		n = kernel_lines_find(names->kernel, word - called, &f.lines);
	if (n) {
		f.inlined = n - 1;
		f.own = &f.lines[n - 1];
	}
	return f;
}

void frame_put_address(struct buf *to, uint64_t address)
{
	buf_printf(to, " 0x%016" PRIx64 " : ", address);
}

void frame_put_line(struct buf *to, const struct line_frame *at)
{
	buf_printf(to, "%" PRIu32, at->line);
}

void frame_put_source(struct buf *to, const struct line_frame *at)
{
	if (!at || !at->line)
		return;
	buf_puts(to, " at ");
	buf_puts(to, at->file);
	buf_puts(to, ":");
	frame_put_line(to, at);
}

void frame_put_inlined(struct buf *to, const struct shown_frame *f, uint64_t address,
		       const char *module)
{
	for (size_t i = 0; i < f->inlined; i++) {
		const struct line_frame *it = &f->lines[i];

		frame_put_address(to, address);
		buf_puts(to, *it->function ? it->function : "[unknown]");
		buf_puts(to, " [inlined]");
		if (module) {
			buf_puts(to, *module == '[' ? " " : " [");
			buf_puts(to, module);
			buf_puts(to, *module == '[' ? "" : "]");
		}
		frame_put_source(to, it);
		buf_puts(to, "\n");
	}
}

void frame_put_folded(struct buf *to, size_t start, const struct shown_frame *f)
{
	for (size_t i = f->inlined; i--;) {
		const char *name = f->lines[i].function;

		stack_folded_frame(to, start, *name ? name : "[unknown]",
				   strlen(*name ? name : "[unknown]"));
		buf_puts(to, "_[i]");
	}
}

void frame_json_address(struct buf *to, uint64_t address)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%016" PRIx64, address);
	json_text(to, "address", text);
}

void frame_json_source(struct buf *to, const struct line_frame *at)
{
	if (!at || !at->line)
		return;
	json_text(to, "file", at->file);
	json_unsigned(to, "line", at->line);
}

void frame_json_inlined(struct buf *to, const struct shown_frame *f, uint64_t address,
			const char *module, bool is_user)
{
	for (size_t i = 0; i < f->inlined; i++) {
		json_open(to, NULL, '{');
		frame_json_address(to, address);
		if (*f->lines[i].function)
			json_text(to, "symbol", f->lines[i].function);
		json_unsigned(to, "inlined", 1);
		frame_json_source(to, &f->lines[i]);
		if (module)
			json_string(to, is_user ? "object" : "module", module,
				    is_user ? strlen(module) : strcspn(module, "]"));
		if (is_user)
			json_text(to, "kind", "user");
		json_close(to, '}');
	}
}
