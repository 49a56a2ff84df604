/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's BTF: prototypes, types and members. A type is a number (id); id 0 is void. Only the
 * files of this folder include libbpf's headers.
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

/*
 * How a parameter or a result is passed where its type as BTF does not tell: BTF has no classes of
 * C++, no vectors, and no language but C.
 */
enum btf_pass {
	BTF_PASS_BY_TYPE,  /* as C passes a value of that type */
	/* a structure with a flexible array, as LLVM passes it: on x86-64 in memory, like one of
	 * more than two words; elsewhere by its type */
	BTF_PASS_FLEXIBLE,
	BTF_PASS_ADDRESS,  /* the caller passes the address of an object; a result: it passes the
			    * address where the function puts it */
	BTF_PASS_WORDS,    /* as C passes a structure of that many integers */
	/* as C passes that many integers, each one for itself; `why`: the value can't be read from
	 * them */
	BTF_PASS_EACH,
	BTF_PASS_FLOATS,   /* in that many vector registers */
	/* in a vector register as another type, so it is not available, for the reason `why` */
	BTF_PASS_PROMOTED,
	BTF_PASS_NOTHING,  /* it is not passed, for the reason `why` */
	BTF_PASS_UNKNOWN,  /* not known, for the reason `why` */
};
struct btf_passing {
	enum btf_pass how;
	unsigned words;
	/* BTF_PASS_BY_TYPE: in bytes, if the source asks for one; 0: that of its members */
	unsigned alignment;
	const char *why;   /* as in "$x is not available: ..." */
};

/* A prototype. Static functions of one name may have several, which are neighbours in an array. */
struct btf_func {
	struct btf_db *db;
	const char *name;                /* owned by the db */
	uint32_t proto;                  /* id of the prototype */
	uint16_t of;                     /* number of prototypes with that name */
	/* 0, or the number of functions with the name, if BTF has the prototype of only one of
	 * them; filled by locate */
	unsigned doubtful;
	/* the result, then each parameter; NULL: all as C passes them. Filled by debug
	 * information */
	const struct btf_passing *passing;
};

/* The kind of a type without its typedefs and qualifiers. */
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
	uint64_t size;       /* bytes; 0 if the type has no size */
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
 * @data: must outlive *@ret
 *
 * returns 0, or -EINVAL if it is not valid BTF
 */
int btf_db_open(struct arena *a, const void *data, size_t size, struct btf_db **ret);
/** btf_db_set_user, btf_db_of_user - set, or return, whether values of these types are in the
 *  memory of processes. */
void btf_db_set_user(struct btf_db *db);
bool btf_db_of_user(const struct btf_db *db);
/** btf_db_set_32bit, btf_db_is_32bit - set, or return, whether these are types of a 32-bit program,
 *  whose pointers have 4 bytes. */
void btf_db_set_32bit(struct btf_db *db);
bool btf_db_is_32bit(const struct btf_db *db);
/** btf_db_pointer_size - bytes of a pointer. */
unsigned btf_db_pointer_size(const struct btf_db *db);
/** btf_db_open_split - the same for the BTF of a module, whose types continue those of @base; @base
 *  must outlive it. Returns -EINVAL also if it does not fit @base. */
int btf_db_open_split(struct arena *a, struct btf_db *base, const void *data, size_t size,
		      struct btf_db **ret);
/** btf_db_set_cache - cache the order of functions in the file @at, whose head identifies this
 *  BTF. */
void btf_db_set_cache(struct btf_db *db, const struct cache_file *at);
/** btf_db_close - accepts NULL. */
void btf_db_close(struct btf_db *db);

/** btf_db_funcs - the different prototypes of the functions with a name. Returns their number. */
size_t btf_db_funcs(struct btf_db *db, const char *name, const struct btf_func **ret);
/** btf_db_knows_namesakes - whether any two functions have the same name. If not, the tool that
 *  made this BTF kept one function of each name, and its prototype may not be that of the
 *  others. */
bool btf_db_knows_namesakes(struct btf_db *db);
/** btf_db_func_names - the names of functions that match a shell pattern, sorted, each once.
 *  Returns their number; @ret is owned by @a. */
size_t btf_db_func_names(struct btf_db *db, struct arena *a, const char *pattern,
			 const char *const **ret);

/** btf_func_nparams, btf_func_param - the parameters in order. btf_func_param() returns the name,
 *  "" if there is none and NULL for "..." at the end, and stores the id of the type in @type. */
unsigned btf_func_nparams(const struct btf_func *f);
const char *btf_func_param(const struct btf_func *f, unsigned i, uint32_t *type);
/** btf_func_return - the id of the result's type; 0: void. */
uint32_t btf_func_return(const struct btf_func *f);
/** btf_func_same - whether parameters and result have the same names and types. Prototypes of two
 *  modules are the same only if all their types are the kernel's. */
bool btf_func_same(const struct btf_func *a, const struct btf_func *b);
/** btf_func_text - the prototype as C writes it: "ssize_t vfs_read(struct file *file, ...)". Owned
 *  by @a. */
const char *btf_func_text(struct arena *a, const struct btf_func *f);

/** btf_types_shape - describe the type @id. */
struct btf_shape btf_types_shape(const struct btf_db *db, uint32_t id);
/** btf_types_owner - the BTF, @db or one below it, that has the type: two types with the same id
 *  are the same if their owner is. */
const struct btf_db *btf_types_owner(const struct btf_db *db, uint32_t id);
/** btf_types_member - find a member by its name, also in anonymous structures and unions. Returns
 *  false if there is none. */
bool btf_types_member(const struct btf_db *db, uint32_t id, const char *name,
		      struct btf_member_place *ret);
/** btf_types_member_names - the names of all members, for "did you mean". */
struct btf_names { VEC(const char *) v; };
void btf_types_member_names(const struct btf_db *db, struct arena *a, uint32_t id,
			    struct btf_names *ret);
/** btf_types_inner_member - search the structures inside a type for the only member with a name, or
 *  else for the only one that differs from @name in its prefix alone, as the macros of the kernel's
 *  headers do (inet_daddr). Returns the path, "sk->__sk_common->skc_daddr", owned by @a, or NULL if
 *  there is none or several. */
const char *btf_types_inner_member(const struct btf_db *db, struct arena *a, uint32_t id,
				   const char *name);
/** btf_types_nmembers, btf_types_nth_member - the members of one structure, as declared; the name
 *  of an anonymous one is "". */
unsigned btf_types_nmembers(const struct btf_db *db, uint32_t id);
const char *btf_types_nth_member(const struct btf_db *db, uint32_t id, unsigned i,
				 struct btf_member_place *ret);
/** btf_types_name - the type as C writes it: "struct file *", "size_t", "char[16]". */
const char *btf_types_name(const struct btf_db *db, struct arena *a, uint32_t id);
/** btf_types_pointer_name - the same for a pointer to the type. */
const char *btf_types_pointer_name(const struct btf_db *db, struct arena *a, uint32_t id);
/** btf_types_alignment - in bytes; 1 for a type without one. */
unsigned btf_types_alignment(const struct btf_db *db, uint32_t id);
/** btf_types_words - classify the two words of 8 bytes of a type of at most 16 bytes, by the
 *  classes of the x86-64 psABI, 3.2.3, of which the later one in this list prevails; but a long
 *  double (its second half as well) and another floating-point number are BTF_HELD_MEMORY. */
enum btf_held {
	BTF_HELD_NOTHING, BTF_HELD_FLOAT, BTF_HELD_X87, BTF_HELD_INTEGER, BTF_HELD_MEMORY,
	BTF_HELD_UNKNOWN,
};
void btf_types_words(const struct btf_db *db, uint32_t id, enum btf_held words[2]);
/** btf_types_floats - whether a type is made of nothing but floating-point numbers of one size,
 *  without gaps. @n: their number; @size: the bytes of each. */
bool btf_types_floats(const struct btf_db *db, uint32_t id, uint64_t *n, uint64_t *size);
/** btf_types_is_complex - whether it is a complex number, which BTF has as one float. */
bool btf_types_is_complex(const struct btf_db *db, uint32_t id);
/** btf_types_has_unaligned - whether a member is not aligned as its type requires. */
bool btf_types_has_unaligned(const struct btf_db *db, uint32_t id);

/* The keyword before a type's name. */
enum btf_word { BTF_ANY, BTF_WORD_STRUCT, BTF_WORD_UNION, BTF_WORD_ENUM };
/** btf_lookup_type - find a type by its name; without a keyword, typedefs come first. Returns 0 if
 *  there is none. */
uint32_t btf_lookup_type(const struct btf_db *db, enum btf_word word, const char *name);
/** btf_lookup_pointer - the pointer to a type; 0: BTF has none. */
uint32_t btf_lookup_pointer(const struct btf_db *db, uint32_t target);
/** btf_lookup_constant - the value of an enumerator of any enum. */
bool btf_lookup_constant(const struct btf_db *db, const char *name, int64_t *ret);
/** btf_lookup_constants - the enumerators of an enum, as declared; none for other types. */
struct btf_constant { const char *name; int64_t value; };
struct btf_constants { VEC(struct btf_constant) v; };
void btf_lookup_constants(const struct btf_db *db, struct arena *a, uint32_t id,
			  struct btf_constants *ret);
/** btf_lookup_variable - the type of a variable, and whether each processor has its own. */
bool btf_lookup_variable(const struct btf_db *db, const char *name, uint32_t *type, bool *per_cpu);

/*
 * Find a type of debug information in BTF, by its name, size and members. Return 0 if there is
 * none. The db must not have a base.
 */
enum btf_scalar { BTF_SCALAR_UNSIGNED, BTF_SCALAR_SIGNED, BTF_SCALAR_BOOL, BTF_SCALAR_FLOAT };
uint32_t btf_match_scalar(struct btf_db *db, const char *name, enum btf_scalar kind, uint32_t size);
struct btf_member_sketch {
	const char *name;    /* "": anonymous */
	uint32_t type;       /* only where types are written (btf_write.h) */
	uint32_t bit_offset;
	uint32_t bit_size;   /* 0: not a bit-field */
};
/** btf_match_struct - @v NULL: only the name is known, so any that has members matches. */
uint32_t btf_match_struct(struct btf_db *db, bool is_union, const char *name, uint64_t size,
			  const struct btf_member_sketch *v, size_t n);
struct btf_enum_sketch {
	const char *name;
	uint32_t size;       /* bytes */
	bool is_signed;
	struct btf_constants constants;
};
uint32_t btf_match_enum(struct btf_db *db, const struct btf_enum_sketch *e);
/** btf_match_on - the type that refers to type @target; @name: the name of a typedef, otherwise
 *  NULL. */
enum btf_on { BTF_ON_POINTER, BTF_ON_CONST, BTF_ON_VOLATILE, BTF_ON_RESTRICT, BTF_ON_TYPEDEF };
uint32_t btf_match_on(struct btf_db *db, enum btf_on kind, const char *name, uint32_t target);

/** btf_lookup_names - all names of types, or of constants, for "did you mean". */
void btf_lookup_names(const struct btf_db *db, struct arena *a, bool constants,
		      struct btf_names *ret);

#endif
