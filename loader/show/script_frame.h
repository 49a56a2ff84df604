/* SPDX-License-Identifier: GPL-2.0 */
/* A frame of a script as text, folded and as JSON. */
#ifndef LOADER_SCRIPT_FRAME_H
#define LOADER_SCRIPT_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "scripts/scripts.h"
#include "shared/buf.h"
#include "show/stack.h"

/** script_frame_text - append the frame in that style: "[python]handler:12", not as a line; or the
 *  line " [python]           : handler at /srv/app/views.py:12", or " handler". */
void script_frame_text(struct buf *to, const struct script_frame *f, enum stack_style style);
/** script_frame_place - append its file and line, or what else the style, an enum prt_stack_style,
 *  says. "[unknown]": the file is not; no line, if that is not known. */
void script_frame_place(struct buf *to, const struct script_frame *f, int style);
/** script_frame_folded - append "handler (views.py)" to a folded line that begins at byte @start,
 *  with @lines "handler (views.py:12)". */
void script_frame_folded(struct buf *to, size_t start, const struct script_frame *f, bool lines);
/** script_frame_json - append the object
 *  {"symbol":"handler","file":"/srv/views.py","line":12,"language":"python","kind":"script"}. */
void script_frame_json(struct buf *to, const struct script_frame *f);

#endif
