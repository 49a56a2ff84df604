/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writing BTF: types that debug information has and the kernel's BTF has not, as a BTF whose types
 * go on from those of the kernel's. Written by hand and then read as any other, because libbpf
 * copies and indexes all of the base before it adds the first type, which takes longer than
 * everything else together and moves the names that others hold.
 *
 * Types have the numbers in which they are written, from btf_write_first() on; one may refer to
 * others that are written later.
 */
#ifndef BTF_BTF_WRITE_H
#define BTF_BTF_WRITE_H

#include "target/btf/btf.h"

struct btf_writer; /* opaque; owned by the arena */

/** btf_write_begin - begin a BTF. @base NULL: one without a base. */
struct btf_writer *btf_write_begin(struct arena *a, struct btf_db *base);
/** btf_write_first - the number that the first type after btf_write_begin() or btf_write_end() will
 *  have. */
uint32_t btf_write_first(const struct btf_writer *w);

/* One type each. Names may be NULL or "" where C has none. */
void btf_write_scalar(struct btf_writer *w, const char *name, enum btf_scalar kind, uint32_t size);
/** btf_write_on - write a type that refers to another; @name: the name of a typedef, otherwise
 *  NULL. */
void btf_write_on(struct btf_writer *w, enum btf_on kind, const char *name, uint32_t type);
void btf_write_array(struct btf_writer *w, uint32_t element, uint32_t n);
/** btf_write_struct - write a structure or union. BTF can't hold bit-fields in one whose members
 *  begin beyond 2 MiB; there they are left out. */
void btf_write_struct(struct btf_writer *w, bool is_union, const char *name, uint32_t size,
		      const struct btf_member_sketch *v, size_t n);
void btf_write_enum(struct btf_writer *w, const struct btf_enum_sketch *e);
/** btf_write_declared - a structure or union without its members. */
void btf_write_declared(struct btf_writer *w, bool is_union, const char *name);
/** btf_write_function - write a function's type. Parameters @v have no bit-fields; a last one
 *  without a name and of type 0 is "...". */
void btf_write_function(struct btf_writer *w, uint32_t returns, const struct btf_member_sketch *v,
			size_t n);

/** btf_write_end - open the BTF. Returns NULL if it exceeds what BTF can hold. Further types can be
 *  written after that, from btf_write_first() on; the next btf_write_end() adds them to the same
 *  BTF. */
struct btf_db *btf_write_end(struct btf_writer *w);

#endif
