/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where threads have the thread-local memory of a program or library.
 *
 * That of a program lies at a fixed distance from the address in the thread's base register, which
 * the linker has put into its instructions: below it on x86-64, above it on arm64. That of a
 * library is allocated when the program starts, or for each thread when it first uses it, and only
 * the dynamic loader of the process knows where. glibc's describes its own structures for
 * debuggers, by objects named _thread_db_STRUCTURE_MEMBER of libc.so.6 (glibc's
 * nptl_db/structs.def), so nothing has to be known about its versions.
 *
 * Source: psABI of x86-64, "Thread-Local Storage"; "ELF Handling For Thread-Local Storage", 3.4.6
 * (the layout of x86-64 is variant II, that of arm64 variant I); <link.h> for the public beginning
 * of struct link_map.
 */
#ifndef OBJECT_THREAD_MEMORY_H
#define OBJECT_THREAD_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct program_file;
struct state;

/* The way from a thread to the memory that it has of a library: struct prt_thread_layout of
 * runtime/abi/tables.h explains the numbers. */
struct thread_layout {
	const struct program_file *library, *loader;
	uint64_t build_id_at, list;
	unsigned list_len, list_next, list_slots, slot_size, slot_map, slot_generation;
	unsigned map_distance, vector, entry_size, entry_counter, entry_block;
};

/** thread_memory_of_program - store the distance of a program's thread-local memory from the
 *  thread's base address in *@ret. Returns false with *@why, "it ...", if it is not known. */
bool thread_memory_of_program(const struct program_file *o, int64_t *ret, const char **why);
/** thread_memory_of_library - the layout for a library in processes that run @program (NULL: any)
 *  or in process @pid (0: any); owned by the arena. NULL with *@why. */
const struct thread_layout *thread_memory_of_library(struct state *s, const struct program_file *o,
						     const char *program, int64_t pid,
						     const char **why);
/** thread_memory_dynamic - the address of a file's dynamic section; 0: it has none. */
uint64_t thread_memory_dynamic(const struct program_file *o);
/** thread_memory_variable - store the offset of a thread-local symbol in the file's thread-local
 *  memory in *@ret. Returns false if the file has none of that name, or several. */
bool thread_memory_variable(const struct program_file *o, const char *name, uint64_t *ret);

#endif
