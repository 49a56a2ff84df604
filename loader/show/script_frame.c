/* SPDX-License-Identifier: GPL-2.0 */
#include "show/script_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "records.h"
#include "shared/file.h"
#include "show/json.h"

enum { ADDRESS_WIDTH = 18 }; /* of "0x0123456789abcdef" */

static void put_source(struct buf *to, const char *file, uint32_t line)
{
	buf_puts(to, file);
	if (line)
		buf_printf(to, ":%" PRIu32, line);
}

void script_frame_text(struct buf *to, const struct script_frame *f, enum stack_style style)
{
	if (style == STACK_PLAIN) {
		buf_printf(to, "[%s]", f->language);
		put_source(to, f->function, f->line);
		return;
	}
	buf_puts(to, " ");
	if (style != STACK_BRIEF) {
		buf_printf(to, "[%s]%*s : ", f->language,
			   ADDRESS_WIDTH - 2 - (int)strlen(f->language), "");
	}
	buf_puts(to, f->function);
	if (style != STACK_BRIEF && *f->file) {
		buf_puts(to, " at ");
		put_source(to, f->file, f->line);
	}
	buf_puts(to, "\n");
}

void script_frame_place(struct buf *to, const struct script_frame *f, int style)
{
	const char *file = *f->file ? f->file : "[unknown]";

	if (style == PRT_STACK_FUNCTION)
		buf_puts(to, f->function);
	else if (style == PRT_STACK_LINE)
		buf_printf(to, "%" PRIu32, f->line);
	else
		put_source(to, file, style == PRT_STACK_FILE_LINE ? f->line : 0);
}

void script_frame_folded(struct buf *to, size_t start, const struct script_frame *f, bool lines)
{
	struct buf text = { 0 };

	buf_puts(&text, f->function);
	if (*f->file) {
		buf_puts(&text, " (");
		put_source(&text, file_name(f->file), lines ? f->line : 0);
		buf_puts(&text, ")");
	}
	stack_folded_frame(to, start, text.s, text.len);
	buf_deinit(&text);
}

void script_frame_json(struct buf *to, const struct script_frame *f)
{
	json_open(to, NULL, '{');
	json_text(to, "symbol", f->function);
	if (*f->file)
		json_text(to, "file", f->file);
	if (f->line)
		json_unsigned(to, "line", f->line);
	json_text(to, "language", f->language);
	json_text(to, "kind", "script");
	json_close(to, '}');
}
