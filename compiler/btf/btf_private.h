/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef BTF_BTF_PRIVATE_H
#define BTF_BTF_PRIVATE_H

#include <bpf/btf.h>

#include "btf/btf.h"
#include "cache/file.h"

struct btf_db {
	struct arena *arena;
	struct btf *btf;        /* libbpf's */
	uint32_t first;         /* id of the first type of its own; smaller ones are its base's */
	bool is_split;          /* it has a base */
	bool of_user;           /* what has its types lies in the memory of processes */
	struct cache_file kept;       /* where what follows is kept */
	struct cache_mapping file;  /* ... and was found */
	const struct btf_funcs *funcs; /* FUNC ids by name (btf_funcs.c); NULL: not asked for yet */
	struct map *protos;     /* name -> struct proto_set, what was asked before */
	struct btf_index *index; /* btf_match.c; NULL: not asked for yet */
};

/* The BTF_KIND_* of enum btf_on. */
extern const unsigned char btf_private_on[];
/** btf_match_close, btf_funcs_close - free what those files built. */
void btf_match_close(struct btf_db *db);
void btf_funcs_close(struct btf_db *db);

/* The record of a type; void for an id that damaged BTF made up. */
static inline const struct btf_type *btf_private_type(const struct btf_db *db, uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(db->btf, id);

	return t ? t : btf__type_by_id(db->btf, 0);
}

/* The name at a string offset; "" when there is none. */
static inline const char *btf_private_name(const struct btf_db *db, uint32_t offset)
{
	const char *name = btf__name_by_offset(db->btf, offset);

	return name ? name : "";
}

#endif
