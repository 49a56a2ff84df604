/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An access path: how the value of a $-expression is computed at run time. locate makes it from
 * BTF, debug information and the calling convention; emit turns it into C without knowing any of
 * these.
 *
 * Evaluation begins with a 64-bit value (base). Each step either adds a constant or index * size to
 * it, or replaces it by the pointer that is stored at that address (a fault-proof read of 8 bytes,
 * or 4 in a 32-bit program).
 * At the end, the value itself is the result (AR_VALUE: nothing is read, it is cut to its size and
 * sign), or a scalar is read at that address (AR_READ), or the object there is printed (AR_SHOW: a
 * string).
 */
#ifndef PROGRAM_ACCESS_H
#define PROGRAM_ACCESS_H

#include "ast/ast.h"

struct arena;
struct btf_db;
struct thread_layout;
struct user_scope;

/* A type; db NULL: none, or not known. */
struct access_type {
	struct btf_db *db;
	uint32_t id;
};

/*
 * A location: a program for a stack of 64-bit numbers, which emit turns into C. Its result is the
 * address of the value, or the value. A value in several pieces has several programs.
 */
enum location_op_kind {
	LO_CONST,    /* push n */
	/* push register number n of debug information, `name` in struct pt_regs; never in a return
	 * probe */
	LO_REG,
	LO_SIMD,     /* push the low 8 bytes of vector register n of the process */
	/* push the value of register `name`, the location's `entry_reg`, at the entry of the
	 * function */
	LO_ENTRY_REG,
	LO_SYMBOL,   /* push the address of `name` in `object`, + n */
	/* push the address of the first code of the current process's program, the file of
	 * `program` */
	LO_PROGRAM,
	LO_PERCPU,   /* replace the address of a per-CPU variable by that on this processor */
	/* Replace an offset in the file's thread-local memory by the address in that of the current
	 * thread. Only debug information has it: locate replaces it by the next two. */
	LO_THREAD_LOCAL,
	LO_THREAD,   /* push the address from which the current thread's memory is found */
	/* replace the address of a library's dynamic section by that of its thread-local memory in
	 * the current thread, which is kept as `layout` says */
	LO_THREAD_BLOCK,
	LO_DEREF,    /* replace an address by the n bytes (1, 2, 4, 8) there, zero-extended */
	LO_PICK,     /* push a copy of the entry n below the top */
	LO_ROT,      /* move the top entry down by n */
	LO_DROP,
	/* Operations on the top of the stack. */
	LO_ZEXT, LO_SEXT, /* its low n bytes (1, 2, 4), extended */
	LO_NEG, LO_NOT,
	/* Operations on the two top entries, of which the upper one is the right operand. A shift
	 * by 64 or more gives 0. */
	LO_ADD, LO_SUB, LO_MUL, LO_AND, LO_OR, LO_XOR,
	LO_DIV, LO_MOD,   /* signed */
	LO_UDIV, LO_UMOD,
	LO_SHL, LO_SHR, LO_SAR,
	LO_EQ, LO_NE, LO_LT, LO_LE, LO_GT, LO_GE,     /* signed; 1 or 0 */
	LO_ULT, LO_ULE, LO_UGT, LO_UGE,
};
struct location_op {
	enum location_op_kind kind;
	int64_t n;
	const char *name;      /* LO_REG, LO_ENTRY_REG; LO_SYMBOL: as kallsyms has it */
	const char *object;    /* LO_SYMBOL: "kernel" or a module */
	const struct user_scope *program; /* LO_PROGRAM */
	const struct thread_layout *layout; /* LO_THREAD_BLOCK: object/thread_memory.h */
	struct symbol *global; /* LO_SYMBOL: the global with the address; filled by resolve */
};
struct location_piece {
	VEC(struct location_op) ops;  /* empty: this piece is not available */
	bool is_value;         /* the result is the value itself, not its address */
	uint32_t bit_offset;   /* where its bits begin */
	uint32_t bit_size;     /* 0: the piece is the whole value */
};
struct location {
	VEC(struct location_piece) pieces; /* the first one has the lowest bits */
	struct access_type type;
	/* If there is an LO_ENTRY_REG, resolve adds a probe at the function's entry, which saves
	 * the register under the key `return_at`, and makes the saved value the expression's
	 * base. */
	const char *entry_reg; /* the argument register; NULL if there is none */
	const struct location *return_at; /* the address of the return address, as a value */
};

/** access_uses - whether an operation of that kind is in @l. */
bool access_uses(const struct location *l, enum location_op_kind kind);
/** access_bits - @bits bits (64 at most) from bit @from of the value at @l. @ret: its pieces are
 *  values with a bit_size, the lowest bits first. Returns false if a piece with some of the bits is
 *  missing. */
bool access_bits(struct arena *a, const struct location *l, uint32_t from, uint32_t bits,
		   struct location *ret);

/* Bases of arguments are valid at the entry; a return probe uses the values that it saved
 * there. */
enum access_base {
	AB_REG_ARG,    /* argument register n (0..5) */
	AB_STACK_ARG,  /* 8-byte stack slot n (0 = first above the return address) */
	/* 4-byte stack slot n of a 32-bit program; the 8 bytes from it on */
	AB_STACK_ARG_32, AB_STACK_PAIR_32,
	AB_SIMD_ARG,   /* the low 8 bytes of vector register n of the process, at the entry */
	AB_SIMD_RETURN, /* the same at the return */
	AB_RETURN,     /* the return value register */
	AB_SYSCALL_ARG, /* argument n (1..6) of the system call of the process */
	AB_VALUE,      /* a value of the script: the expression's own base */
	AB_LOCATION,   /* by `location`: the value, or the address to be read */
};

struct access_step {
	enum { AS_ADD, AS_DEREF, AS_INDEX } kind;
	int64_t add;           /* AS_ADD: bytes */
	struct expr *index;    /* AS_INDEX: value += index * scale */
	uint32_t scale;        /* bytes of an element; AS_DEREF: of the pointer */
	int64_t limit;         /* AS_INDEX: number of elements, 0 unknown; never checked */
};

/* The items that AR_SHOW prints in order: a text, followed by the value at an offset. */
enum access_show {
	SHOW_TEXT,     /* the text alone */
	SHOW_SIGNED, SHOW_UNSIGNED, SHOW_POINTER,
	SHOW_DOUBLE,   /* a float or a double, by its size */
	SHOW_CHAR,     /* 'c' */
	SHOW_CHARS,    /* an array of char: "text" */
	SHOW_STRING,   /* a pointer to char: "text" */
	SHOW_CHARS_PLAIN, SHOW_STRING_PLAIN, /* without quotes */
	/* The findings of a printer of the library: operations on a stack of numbers, and items
	 * that take operands from it. runtime/abi/show.h describes each of these. */
	SHOW_OBJECT, SHOW_NUMBER, SHOW_UNKNOWN, SHOW_READ, SHOW_READ_SIGNED, SHOW_OPERATOR,
	SHOW_SELECT, SHOW_COUNTED, SHOW_COUNTED_PLAIN, SHOW_ELEMENTS, SHOW_AT,
	SHOW_WHEN,
};
struct access_item {
	enum access_show kind;
	const char *text;
	uint32_t offset, size; /* bytes, and as runtime/abi/show.h says */
	uint8_t bit_offset, bit_size;
	uint16_t most;         /* SHOW_ELEMENTS */
	enum binary_op op;     /* SHOW_OPERATOR */
	/* SHOW_SIGNED, SHOW_UNSIGNED: the names of values, in the order of these; NULL: none */
	const struct access_names *names;
};
struct access_name { const char *name; int64_t value; };
struct access_names { VEC(struct access_name) v; };
struct access_items { VEC(struct access_item) v; };

/* The source that says where the value is. */
enum access_origin {
	ACCESS_OTHER,        /* the probe point: its tracepoint, marker or hook; the script */
	/* BTF has the prototype, the calling convention the rest: a parameter that the compiler
	 * removed can't be seen */
	ACCESS_PROTOTYPE,
	ACCESS_CONVENTION,   /* the same with debug information, which does not contradict it */
	ACCESS_DEBUG_INFO,
};

struct access {
	enum access_base base;
	enum access_origin origin;
	unsigned n;
	const struct location *location; /* AB_LOCATION */
	bool of_user;          /* addresses are in the memory of the process */
	bool at_entry_saved;   /* in a return probe: the base is one of the saved values */
	unsigned saved_index;  /* its number; filled by resolve */
	VEC(struct access_step) steps;
	enum { AR_VALUE, AR_READ, AR_SHOW } result;
	uint8_t size;          /* 1, 2, 4, 8 bytes of the scalar */
	bool is_signed;
	/* a float, of which size is 4 or bit_size 32, or a double */
	bool is_floating;
	uint16_t bit_offset;   /* AR_READ of a bit-field: from the low bit of the @size unit;
				* AR_VALUE (part of a structure passed by value): from the low bit
				* of the value */
	uint16_t bit_size;     /* 0: no bits are picked; then bit_offset is 0 too */
	const char *type_name; /* the type as C writes it: "struct file *", "size_t" */
	bool is_pointer;
	/* AR_VALUE that is the address of a structure or an array: its size in bytes; otherwise
	 * 0 */
	uint32_t object_size;
	struct access_type type;   /* of the value */
	struct access_type target; /* is_pointer: the type to which it points */
	struct access_items items; /* AR_SHOW */
	bool show_value;       /* AR_SHOW: the one item is the value itself, which has no address */
	const char *text;      /* the expression as written, for error messages */
};

/** access_value_type - the type of the expression's value. */
static inline enum type access_value_type(const struct access *access)
{
	return access->result == AR_SHOW ? T_STRING : access->is_floating ? T_DOUBLE : T_LONG;
}

#endif
