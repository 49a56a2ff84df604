/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module's tables: those of runtime/abi/script.h (tables.c, event.c, files.c,
 * workspace.c, regex.c) and
 * its description of itself (meta.c).
 */
#ifndef EMIT_TABLES_H
#define EMIT_TABLES_H

#include "emit/unit.h"

/** emit_regex_tables - write the tables of all regular expressions. */
void emit_regex_tables(struct emit *e);
/** emit_tables - write the tables of runtime/abi/script.h: struct prt_script and everything in
 *  it. */
void emit_tables(struct emit *e);
/** emit_event_fields - write the fields of struct prt_probe for the event, file or hook of @p. */
void emit_event_fields(struct emit *e, const struct probe *p);
/** emit_workspace_size - the bytes of the workspace that any of the probes may need. */
uint64_t emit_workspace_size(struct emit *e);
/** emit_tables_find - fill e->modules and e->scopes. */
void emit_tables_find(struct emit *e);
/** emit_files_find - fill e->scopes. */
void emit_files_find(struct emit *e);
/** emit_files_row - the row of @scope in e->scopes. */
unsigned emit_files_row(const struct emit *e, const struct user_scope *scope);
/** emit_threads_row - the row of @layout in the table that emit_threads() writes. */
unsigned emit_threads_row(const struct emit *e, const struct thread_layout *layout);
/** emit_threads - write the table of how libraries have their thread-local memory. */
void emit_threads(struct emit *e);
/** emit_files - write the table of files. */
void emit_files(struct emit *e);
/** emit_meta - write the section .probec, as runtime/abi/records.h describes it. */
void emit_meta(struct emit *e);

#endif
