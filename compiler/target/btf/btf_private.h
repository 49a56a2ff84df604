/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef BTF_BTF_PRIVATE_H
#define BTF_BTF_PRIVATE_H

#include <bpf/btf.h>

#include "target/btf/btf.h"
#include "base/cache/file.h"

/* An entry of the layout section (include/uapi/linux/btf.h). */
struct btf_private_layout {
	uint8_t fixed, each;    /* bytes after a record, and of each of its elements */
	uint16_t flags;
};

struct btf_db {
	struct arena *arena;
	const struct btf_db *base; /* NULL: it has none */
	const char *types, *strings; /* the two sections, in the caller's memory */
	uint32_t types_len;     /* bytes */
	uint32_t first, end;    /* ids of its own types; smaller ones are its base's */
	uint32_t strings_from;  /* offset of its first string; smaller ones are the base's */
	uint32_t strings_len;
	uint32_t *offsets;      /* of type `first` + i in `types`, or BTF_PRIVATE_SKIPPED */
	size_t room;            /* elements for which `offsets` has memory */
	const struct btf_private_layout *layout; /* the sizes of kinds, by kind */
	size_t nlayout;         /* elements; 0: BTF does not tell them */
	bool of_user;           /* values of its types are in the memory of processes */
	bool is_32bit;          /* pointers have 4 bytes */
	/* An enum without the flag is unsigned; older BTF has the flag nowhere. */
	bool has_signs;
	struct cache_file kept;       /* the cache file of `funcs` */
	struct cache_mapping file;  /* its contents, if there is one */
	/* ids of functions by name (btf_funcs.c); NULL: not needed yet */
	const struct btf_funcs *funcs;
	struct map *protos;     /* name -> struct proto_set, for names that were looked up */
	struct btf_index *index; /* btf_match.c; NULL: not needed yet */
};

/* The kind of a type, and how many elements follow it (include/uapi/linux/btf.h). In the
 * headers of Linux 7.2 both have bits that older ones leave out; they were zero before. */
static inline uint32_t btf_private_kind(const struct btf_type *t)
{
	return t->info >> 24 & 0x7f;
}

static inline uint32_t btf_private_vlen(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

/* The BTF_KIND_* of enum btf_on. */
extern const unsigned char btf_private_on[];
/** btf_private_enum_signed - whether values of an enum are signed. BTF that is too old to say it
 *  has a negative constant where they are. */
bool btf_private_enum_signed(const struct btf_db *db, uint32_t id);
/** btf_private_grow - replace the sections by longer ones that begin in the same way. Returns false
 *  if what is new is not valid. */
bool btf_private_grow(struct btf_db *db, const char *types, size_t types_len, const char *strings,
		      size_t strings_len);
/** btf_match_close, btf_funcs_close - free what those files built. */
void btf_match_close(struct btf_db *db);
void btf_funcs_close(struct btf_db *db);

/* The record of id 0. */
extern const struct btf_type btf_private_void;

/* The offset of a type of a kind that is not known here. */
enum { BTF_PRIVATE_SKIPPED = 0xffffffffu };

/* The record of a type; void for an invalid id in damaged BTF, and if its kind is not known. */
static inline const struct btf_type *btf_private_type(const struct btf_db *db, uint32_t id)
{
	while (id < db->first && db->base)
		db = db->base;
	if (id < db->first || id >= db->end)
		return &btf_private_void;

	uint32_t offset = db->offsets[id - db->first];

	return offset == BTF_PRIVATE_SKIPPED ? &btf_private_void :
					       (const void *)(db->types + offset);
}

/* The name at a string offset, or "". */
static inline const char *btf_private_name(const struct btf_db *db, uint32_t offset)
{
	while (offset < db->strings_from && db->base)
		db = db->base;
	if (offset - db->strings_from >= db->strings_len)
		return "";
	return db->strings + (offset - db->strings_from);
}

#endif
