/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's BTF: prototypes, types and members. Types are ids; id 0 is void. Nothing of libbpf
 * is visible here, and only the files of this folder include its headers.
 */
#ifndef BTF_BTF_H
#define BTF_BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct arena;
struct btf_db; /* opaque: an opened BTF */
struct cache_file;

/* One prototype. Static functions of one name may have several; they lie side by side. */
struct btf_func {
	struct btf_db *db;
	const char *name;                /* owned by the db */
	uint32_t proto;                  /* id of the prototype */
	uint16_t of;                     /* so many prototypes have that name */
	unsigned doubtful;               /* not 0: so many functions have the name, and BTF knows
					  * this prototype of one of them; filled by providers/ */
};

/* The sort of a type without its typedefs and qualifiers. */
enum btf_kind_of {
	BTF_VOID,
	BTF_INTEGER,    /* also enums, bool, char */
	BTF_POINTER,
	BTF_STRUCT,     /* also unions */
	BTF_ARRAY,
	BTF_FLOATING,
	BTF_FUNCTION,
	BTF_INCOMPLETE, /* a structure or union that is only declared */
};

struct btf_shape {
	enum btf_kind_of kind;
	uint32_t id;         /* without typedefs and qualifiers */
	uint32_t target;     /* pointer: what it points to; array: the element */
	uint64_t size;       /* bytes; 0 where the type has none */
	uint64_t nelems;     /* array */
	bool is_signed;      /* integer */
};

struct btf_member_place {
	uint32_t type;
	uint32_t bit_offset; /* from the start of the outermost structure */
	uint32_t bit_size;   /* 0: not a bit-field */
};

/**
 * btf_db_open - read raw BTF
 * @data: must outlive it
 * returns 0 or -EINVAL (not valid BTF)
 */
int btf_db_open(struct arena *a, const void *data, size_t size, struct btf_db **ret);
/** btf_db_set_user, btf_db_of_user - set, or return, whether values of these types lie in the
 *  memory of processes. */
void btf_db_set_user(struct btf_db *db);
bool btf_db_of_user(const struct btf_db *db);
/** btf_db_open_split - the same for the BTF of a module, whose types go on from those of @base;
 *  @base must outlive it. -EINVAL also when it does not fit @base. */
int btf_db_open_split(struct arena *a, struct btf_db *base, const void *data, size_t size,
		      struct btf_db **ret);
/** btf_db_set_cache - cache the order of its functions in the file @at, whose head identifies this
 *  BTF. */
void btf_db_set_cache(struct btf_db *db, const struct cache_file *at);
/** btf_db_close - accepts NULL. */
void btf_db_close(struct btf_db *db);

/** btf_db_funcs - the prototypes of a name, different ones only; returns their number. */
size_t btf_db_funcs(struct btf_db *db, const char *name, const struct btf_func **ret);
/** btf_db_knows_namesakes - false when no name at all has two functions: then the tool that made
 *  this BTF kept one function of each name, and its prototype says nothing of the others. */
bool btf_db_knows_namesakes(struct btf_db *db);
/** btf_db_func_names - names of functions that match a shell pattern, sorted, each once;
 *  @ret in @a. */
size_t btf_db_func_names(struct btf_db *db, struct arena *a, const char *pattern,
			 const char *const **ret);

/** btf_func_nparams, btf_func_param - the parameters in order; @type gets the type's id. The name
 *  is "" where there is none, and NULL stands for "..." at the end. */
unsigned btf_func_nparams(const struct btf_func *f);
const char *btf_func_param(const struct btf_func *f, unsigned i, uint32_t *type);
/** btf_func_return - id of the type of the value; 0: void. */
uint32_t btf_func_return(const struct btf_func *f);
/** btf_func_same - true when parameters and value have the same names and types; of two modules
 *  only where all types are the kernel's. */
bool btf_func_same(const struct btf_func *a, const struct btf_func *b);
/** btf_func_text - the prototype for people: "ssize_t vfs_read(struct file *file, ...)". */
const char *btf_func_text(struct arena *a, const struct btf_func *f);

/** btf_types_shape - describe the type @id. */
struct btf_shape btf_types_shape(const struct btf_db *db, uint32_t id);
/** btf_types_of_base - whether the id means the same in every module: the type is the kernel's. */
bool btf_types_of_base(const struct btf_db *db, uint32_t id);
/** btf_types_member - find a member by name, also inside anonymous structures and unions. */
bool btf_types_member(const struct btf_db *db, uint32_t id, const char *name,
		      struct btf_member_place *ret);
/** btf_types_member_names - names of all members, for "did you mean". */
struct btf_names { VEC(const char *) v; };
void btf_types_member_names(const struct btf_db *db, struct arena *a, uint32_t id,
			    struct btf_names *ret);
/** btf_types_inner_member - the path "sk->__sk_common->skc_daddr" of the one member of the
 *  structures that are parts of the type whose name is @name or, failing that, differs from it only
 *  in its prefix, as with the macros of the kernel's headers (inet_daddr). NULL if there is none or
 *  several. Owned by @a. */
const char *btf_types_inner_member(const struct btf_db *db, struct arena *a, uint32_t id,
				   const char *name);
/** btf_types_nmembers, btf_types_nth_member - the members of one structure, as declared; the name
 *  is "" for an anonymous one. */
unsigned btf_types_nmembers(const struct btf_db *db, uint32_t id);
const char *btf_types_nth_member(const struct btf_db *db, uint32_t id, unsigned i,
				 struct btf_member_place *ret);
/** btf_types_name - the type for people: "struct file *", "size_t", "char[16]". */
const char *btf_types_name(const struct btf_db *db, struct arena *a, uint32_t id);
/** btf_types_pointer_name - a pointer to that type. */
const char *btf_types_pointer_name(const struct btf_db *db, struct arena *a, uint32_t id);
/** btf_types_alignment - bytes; 1 for a type without one. */
unsigned btf_types_alignment(const struct btf_db *db, uint32_t id);
/** btf_types_has_float - a float or a structure with one somewhere inside. */
bool btf_types_has_float(const struct btf_db *db, uint32_t id);
/** btf_types_has_unaligned - a structure with a member that is not aligned as its type wants. */
bool btf_types_has_unaligned(const struct btf_db *db, uint32_t id);

/* The keyword before a type's name. */
enum btf_word { BTF_ANY, BTF_WORD_STRUCT, BTF_WORD_UNION, BTF_WORD_ENUM };
/** btf_lookup_type - a type by name; without a word typedefs come first. 0 if there is none. */
uint32_t btf_lookup_type(const struct btf_db *db, enum btf_word word, const char *name);
/** btf_lookup_pointer - the pointer to a type; 0: BTF has none. */
uint32_t btf_lookup_pointer(const struct btf_db *db, uint32_t target);
/** btf_lookup_constant - the value of an enumerator, of whatever enum. */
bool btf_lookup_constant(const struct btf_db *db, const char *name, int64_t *ret);
/** btf_lookup_constants - the enumerators of an enum, as declared; of another type none. */
struct btf_constant { const char *name; int64_t value; };
struct btf_constants { VEC(struct btf_constant) v; };
void btf_lookup_constants(const struct btf_db *db, struct arena *a, uint32_t id,
			  struct btf_constants *ret);
/** btf_lookup_variable - the type of a variable, and whether each processor has its own. */
bool btf_lookup_variable(const struct btf_db *db, const char *name, uint32_t *type, bool *per_cpu);

/*
 * A type as somebody else knows it (debug information), found in BTF: the same name, size and
 * members. 0 if there is none. The db is one without a base.
 */
enum btf_scalar { BTF_SCALAR_UNSIGNED, BTF_SCALAR_SIGNED, BTF_SCALAR_BOOL, BTF_SCALAR_FLOAT };
uint32_t btf_match_scalar(struct btf_db *db, const char *name, enum btf_scalar kind, uint32_t size);
struct btf_member_sketch {
	const char *name;    /* "": anonymous */
	uint32_t type;       /* only where types are written (btf_write.h) */
	uint32_t bit_offset;
	uint32_t bit_size;   /* 0: not a bit-field */
};
/** btf_match_struct - @v NULL: only the name is known, any that has members will do. */
uint32_t btf_match_struct(struct btf_db *db, bool is_union, const char *name, uint64_t size,
			  const struct btf_member_sketch *v, size_t n);
uint32_t btf_match_enum(struct btf_db *db, const char *name, uint64_t size,
			const struct btf_constant *v, size_t n);
/** btf_match_on - the type that refers to type @target; @name: the name of a typedef, else NULL. */
enum btf_on { BTF_ON_POINTER, BTF_ON_CONST, BTF_ON_VOLATILE, BTF_ON_RESTRICT, BTF_ON_TYPEDEF };
uint32_t btf_match_on(struct btf_db *db, enum btf_on kind, const char *name, uint32_t target);

/** btf_lookup_names - all names of types, or of constants, for "did you mean". */
void btf_lookup_names(const struct btf_db *db, struct arena *a, bool constants,
		      struct btf_names *ret);

#endif
