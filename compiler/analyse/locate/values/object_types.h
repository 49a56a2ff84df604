/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of the kernel and of its modules: those of BTF, and where an object has no BTF, those
 * of its debug information. BTF has all types at once; of debug information, only those are
 * translated that are asked for. Debug information is opened only if BTF is missing.
 */
#ifndef LOCATE_VALUES_OBJECT_TYPES_H
#define LOCATE_VALUES_OBJECT_TYPES_H

#include "target/dwarf/dwarf.h"

struct btf_func;
struct btf_names;
struct kernel_module;

/* Why there are no types. */
struct object_types_missing {
	const char *btf;         /* why BTF is missing; NULL: it is not */
	const char *debug;       /* the same for debug information */
	struct dwarf_types_differ differ;  /* -ENOTUNIQ: two types of the name */
};

/**
 * object_types - find types by name
 * @object: "kernel" or a module
 * @name:   the wanted type or constant
 * @ret:    BTF in which to look it up
 *
 * returns 0; -ENODATA: there is neither BTF nor debug information; -ENOENT: debug information has
 * no such type; -ENOTUNIQ: it has several that differ, so that none is meant
 */
int object_types(struct state *s, const char *object, const struct dwarf_type_name *name,
		 struct btf_db **ret, struct object_types_missing *why);
/** object_types_names - the names of all types, or of all constants, of an object without BTF, for
 *  "did you mean". */
void object_types_names(struct state *s, const char *object, bool constants,
			struct btf_names *ret);
/**
 * object_types_prototypes - the different prototypes of the functions with that name
 * @module: that has the functions; NULL: the kernel
 * @unique: the name is that of one function; only then is debug information asked, which would have
 *          to know which of several is meant
 *
 * returns the first of an array, which knows its length (struct btf_func), or NULL: there is none,
 * or it is not known
 */
const struct btf_func *object_types_prototypes(struct state *s, struct kernel_module *module,
					       const char *name, bool unique);
/** object_types_missing - whether there is neither BTF nor debug information, and why. */
bool object_types_missing(struct state *s, const char *object, struct object_types_missing *why);
/** object_types_hint - report both reasons as hints to the last message. */
void object_types_hint(struct state *s, const struct object_types_missing *why);

#endif
