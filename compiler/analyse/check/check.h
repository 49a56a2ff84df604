/* SPDX-License-Identifier: GPL-2.0 */
/* The phases of pass 2 after names are bound, for analyse/analyse.c, and the output of -p2. */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

struct buf;
struct check;
struct program;
struct state;

/** formats_check - check formats of the printf family: syntax and number of arguments; rewrite them
 *  to the language of runtime/abi/format.h. Comes before types. */
void formats_check(struct state *s, struct program *p);
/** formats_number - turn the other print functions into printf; give each print statement its
 *  number and types. Comes after types. */
void formats_number(struct state *s, struct program *p);

/** regexes_compile - fill program.regexes; reports errors in regular expressions. */
void regexes_compile(struct state *s, struct program *p);

/** types_infer - decide the type of everything, or report why that is impossible. */
void types_infer(struct state *s, struct program *p);

/** tables_order - make the tables that the script shows follow --sort and --top. Comes after
 *  types. */
void tables_order(struct state *s, struct program *p);

/** entries_check - check that the entry values of return probes fit. Comes after types. */
void entries_check(struct check *c);

/** returns_check - tell how long it takes to arm the program's return probes, if that is long, or
 *  report that there are too many. */
void returns_check(const struct check *c);
/** watchpoints_check - refuse a program in whose processes a thread needs more watchpoints than a
 *  processor has. */
void watchpoints_check(const struct check *c);

/** aggregates_collect - find the extractors and the histogram that each aggregate needs. */
void aggregates_collect(struct state *s, struct program *p);

/** storage_choose - decide how each global is stored, and the locks of each probe. Needs facts and
 *  types. */
void storage_choose(struct check *c);

/** gates_choose - find the conditions that arm and disarm their probes. Needs facts. */
void gates_choose(struct check *c);

/** rules_run - run the named checks of rules.h. */
void rules_run(struct check *c);

/** check_print_program - append the output of -p2. */
void check_print_program(struct state *s, struct buf *b);

#endif
