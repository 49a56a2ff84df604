/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of scripts: how the kernel half finds, in the memory of a process that runs an
 * interpreter, which functions of the script are active, and what it keeps of each of them.
 *
 * Where a file has an interpreter (a program, or a library such as libpython), the loader compiles
 * a table for it (loader/scripts/) and passes it with the file. The table has a small program: it
 * loads words of the process, follows lists, and yields frames. It begins once for each stack. The
 * code of the interpreter's loop is given by ranges of addresses: where the walk over the native
 * frames finds one of them, it continues the program until that says that what follows belongs to
 * the next such frame, outwards, and puts the script's frames in its place.
 *
 * A frame is an object and a position in it. An object is what has the function's name: a code
 * object of Python, a CV of Perl. The program describes it when its key is new in that process: its
 * name, file and table of lines are copied, so that they are known when the process has ended.
 * Objects with the same description are one, whichever process has them. What a position means is
 * the loader's to know: an offset of an instruction, or a line.
 *
 *   struct prt_script_table    the header
 *   u64 addresses[naddresses]  of the file, as in its program headers
 *   struct prt_script_range ranges[nranges]  the code of the loop, the same
 *   struct prt_script_op ops[nops]
 *
 * There are 16 registers of 64 bits, all 0 at first. Everything the program reads may be damaged,
 * or changing: a load that fails ends it, as does the last of a bounded number of operations.
 */
#ifndef PRT_SCRIPT_FRAMES_H
#define PRT_SCRIPT_FRAMES_H

#include "records.h"

#define PRT_SCRIPT_MAGIC 0x31726373u /* "scr1" */

enum {
	PRT_SCRIPT_REGISTERS = 16,
	PRT_SCRIPT_OPS = 320,         /* of a table, at most */
	PRT_SCRIPT_RANGES = 16,
	PRT_SCRIPT_ADDRESSES = 64,
	PRT_SCRIPT_STEPS = 32768,     /* operations for a stack, at most, */
	PRT_SCRIPT_DESCRIBE = 2048,   /* and for a description */
	PRT_SCRIPT_LANGUAGES = 2,     /* files with an interpreter that a process may have */
	PRT_SCRIPT_OBJECTS = 16384,   /* of a session */
	PRT_SCRIPT_SAME_LOADS = 12,   /* of PRT_SCRIPT_SAME, at most, */
	PRT_SCRIPT_CARRIED = 4,       /* and registers that it brings back */
	PRT_SCRIPT_WORDS = 4096,      /* of an object's description, at most: 32 KiB */
};

/* a, b and c are registers unless it says otherwise; n is a number with a sign. Jumps are to
 * operation number n. */
enum prt_script_operation {
	PRT_SCRIPT_LOAD,     /* a = the word at b + n. c & 3: 1, 2, 4 or 8 bytes, as a power of 2;
			      * PRT_SCRIPT_SIGNED. PRT_SCRIPT_MORE: the next one is a load, too */
	PRT_SCRIPT_ADD,      /* a = b + n */
	PRT_SCRIPT_SUM,      /* a = b + c */
	PRT_SCRIPT_LESS,     /* a = b - c */
	PRT_SCRIPT_TIMES,    /* a = b * n */
	PRT_SCRIPT_AND,      /* a = b & n */
	PRT_SCRIPT_SHIFT,    /* a = b >> n; n < 0: b << -n */
	PRT_SCRIPT_ADDRESS,  /* a = addresses[n] of the file, as it is mapped */
	PRT_SCRIPT_THREAD,   /* a = the base of the thread's own memory: fs, or TPIDR_EL0 */
	PRT_SCRIPT_KEY,      /* a = what pthread_getspecific() returns for the key b */
	PRT_SCRIPT_JUMP,
	PRT_SCRIPT_IF_ZERO,  /* if a is 0 */
	PRT_SCRIPT_IF_NOT,   /* if a is not 0 */
	PRT_SCRIPT_IF_SAME,  /* if a == b */
	PRT_SCRIPT_IF_OTHER, /* if a != b */
	PRT_SCRIPT_IF_BELOW, /* if a < b, both with a sign */
	PRT_SCRIPT_FRAME,    /* a frame, next outwards: position a, key: c registers from b on.
			      * Register n - 1 has an even number that no other frame of the
			      * thread has as long as it is active */
	PRT_SCRIPT_YIELD,    /* the next frames belong to the next native frame of the loop */
	PRT_SCRIPT_END,      /* there are no more frames. n: enum prt_script_end */
	PRT_SCRIPT_MEMO,     /* a = the number that is remembered for the key of c registers from b
			      * on, and goes to n; else it goes on */
	PRT_SCRIPT_REMEMBER, /* remembers a, above 0 and below 2^32, for such a key: perhaps not
			      * for long */
	PRT_SCRIPT_SAME,     /* n loads of 8 bytes follow, each of a register of its own. If they
			      * load what they did when the program was here last with the same a,
			      * the frame that came after it, up to the next PRT_SCRIPT_SAME,
			      * YIELD or END, comes again, the first PRT_SCRIPT_CARRIED registers
			      * are as they were there, and the program goes on there. Else it goes
			      * on after the loads, which may have been done or not. So the loads
			      * are all that the frame depends on */
	/* In the description (from operation `describe` on, with the registers as they are at the
	 * frame; PRT_SCRIPT_END ends it). c: enum prt_script_kind. */
	PRT_SCRIPT_TEXT,     /* b units at address a, each of n bytes: 1 (Latin-1), 2 or 4; or
			      * PRT_SCRIPT_UTF8: b bytes */
	PRT_SCRIPT_STRING,   /* bytes of UTF-8 at address a up to a NUL */
	PRT_SCRIPT_NUMBER,   /* the number a */
	PRT_SCRIPT_NOPS,
};
enum { PRT_SCRIPT_SIGNED = 4, PRT_SCRIPT_MORE = 8 }; /* in c of PRT_SCRIPT_LOAD */
enum { PRT_SCRIPT_UTF8 = 8 };                        /* in place of a number of bytes */

enum prt_script_end {
	PRT_SCRIPT_WHOLE,    /* the outermost frame was the last one */
	PRT_SCRIPT_NO_THREAD,/* the thread runs no script, or can't be found in the interpreter */
	PRT_SCRIPT_DAMAGED,  /* the interpreter's data is not what it should be */
	PRT_SCRIPT_UNREAD,   /* set by the kernel half: memory could not be read */
	PRT_SCRIPT_ENDLESS,  /* the same: too many operations */
	PRT_SCRIPT_NO_ROOM,  /* the same: there is no room for another object */
	PRT_SCRIPT_NO_FILE,  /* the same: the loader can't read some of the process's code, so
			      * that it is not known whether the process runs a script */
	PRT_SCRIPT_ENDS,
};

struct prt_script_op {
	prt_u8 op;           /* enum prt_script_operation */
	prt_u8 a, b, c;
	prt_s32 n;
};
/* With PRT_SCRIPT_THROUGH in `end`, what is there is called by the loop and calls it again, for the
 * same frames: where it is the caller of a native frame of the loop, the next such frame outwards
 * has none of its own. */
#define PRT_SCRIPT_THROUGH (1ull << 63)
struct prt_script_range {
	prt_u64 start, end;
};
struct prt_script_table {
	prt_u32 magic;
	prt_u32 language;    /* the loader's number */
	prt_u32 nops, describe;
	prt_u32 nranges, naddresses;
	prt_u64 size;        /* bytes of the whole block */
};

/*
 * The description of an object: pieces one after another, in the order in which the program has
 * made them, each at a multiple of 8 bytes.
 */
enum prt_script_kind {
	PRT_SCRIPT_NAME,     /* of the function */
	PRT_SCRIPT_CLASS,    /* its class or package; NAME comes after it */
	PRT_SCRIPT_FILE,
	PRT_SCRIPT_LINES,    /* table of lines, in the language's own form */
	PRT_SCRIPT_FIRST,    /* a number: its first line */
	PRT_SCRIPT_FLAGS,    /* a number: as the language needs it */
	PRT_SCRIPT_KINDS,
};
struct prt_script_piece {
	prt_u16 kind;
	prt_u8 width;        /* bytes of a unit, or PRT_SCRIPT_UTF8; 0: a number of 8 bytes */
	prt_u8 cut;          /* 1: the rest did not fit, or could not be read */
	prt_u32 len;         /* bytes that follow */
};

/* A frame among those of PRT_STACK_USER: PRT_FRAME_SCRIPT, the object's number, the position. */
#define PRT_FRAME_SCRIPT   (1ull << 63)
#define PRT_FRAME_OBJECT   32                /* shift of the object's number, from 1 on */
#define PRT_FRAME_POSITION 0xffffffffull
static inline prt_u32 prt_frame_object(prt_u64 word)
{
	return (prt_u32)(word >> PRT_FRAME_OBJECT) & 0xffffff;
}

/* Copies an object's description. -ENOENT: there is no such object; -ENOSPC: it has more than
 * `size` bytes, which is set to what it has. */
struct prt_script_get {
	prt_u32 object;
	prt_u32 size;        /* set by the caller: bytes at `to`; PRT_SCRIPT_WORDS * 8 are enough */
	prt_u32 language;    /* of the table by which it was found */
	prt_u32 pad;
	prt_u64 to;
};
#define PRT_IOC_SCRIPT_OBJECT _IOWR('p', 24, struct prt_script_get)

/* How often script frames are missing in stacks, by enum prt_script_end. */
struct prt_script_counts {
	prt_u64 ends[PRT_SCRIPT_ENDS];
};
#define PRT_IOC_SCRIPT_COUNTS _IOR('p', 25, struct prt_script_counts)

/* Where a C library keeps the values of pthread_getspecific(), in struct prt_code_file_set of its
 * file: 0, or bits of the following. The value of key k is at `OFFSET` of the thread's base: */
#define PRT_KEYS_OFFSET   0xffffff
#define PRT_KEYS_BLOCKS   (1u << 31) /* glibc: [k / 32] there is a pointer to pairs of words; the
				      * second one of pair k % 32 */
#define PRT_KEYS_ARRAY    (1u << 30) /* musl: a pointer to an array of words */

static inline prt_u64 prt_script_size(prt_u32 naddresses, prt_u32 nranges, prt_u32 nops)
{
	return sizeof(struct prt_script_table) + naddresses * (prt_u64)sizeof(prt_u64) +
	       nranges * (prt_u64)sizeof(struct prt_script_range) +
	       nops * (prt_u64)sizeof(struct prt_script_op);
}

static inline const prt_u64 *prt_script_addresses(const struct prt_script_table *t)
{
	return (const prt_u64 *)(t + 1);
}

static inline const struct prt_script_range *prt_script_ranges(const struct prt_script_table *t)
{
	return (const struct prt_script_range *)(prt_script_addresses(t) + t->naddresses);
}

static inline const struct prt_script_op *prt_script_ops(const struct prt_script_table *t)
{
	return (const struct prt_script_op *)(prt_script_ranges(t) + t->nranges);
}

#endif
