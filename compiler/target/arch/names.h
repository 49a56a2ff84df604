/* SPDX-License-Identifier: GPL-2.0 */
/* Names and numbers that the kernel, its tools and files of programs use for the processor of the
 * script's kernel. */
#ifndef ARCH_NAMES_H
#define ARCH_NAMES_H

#include <stdbool.h>

/* A function of the kernel that calls those of system calls. Its arguments are theirs, and then the
 * number of the call. */
struct arch_call_switch {
	const char *function;
	const char *prefix;        /* of the functions that it calls, before "sys_" */
	/* the file with these numbers, which a build generates for each interface of its kernel */
	const char *numbers;
	bool of_32bit;             /* it is for calls of the 32-bit interface */
};

struct arch_names {
	const char *machine;       /* as `uname -m` prints it */
	const char *folder;        /* directory below arch/ of the kernel's tree: SRCARCH */
	const char *image;         /* of a kernel, below that directory */
	const char *option;        /* "CONFIG_...", set for each of its kernels */
	const char *tools;         /* prefix of the names of cross tools: "aarch64-linux-gnu-" */
	const char *system_call;   /* prefix of the functions of 64-bit system calls */
	const char *system_call_32;/* of those of the 32-bit interface, if it exists */
	/* up to one without a name: those that the kernel may have; NULL: none */
	const struct arch_call_switch *call_switches;
	const char *compat_call;   /* of those that only this interface has */
	const char *option_32bit;  /* the kernel's option for that interface */
	bool calls_shared;         /* 32-bit programs enter functions of 64-bit calls */
	unsigned watchpoints;      /* that a processor has, for data */
	const char *no_watchpoints;/* why watchpoints cannot be used; NULL: they can */
	unsigned short elf_machine;    /* of the kernel, its modules and 64-bit programs */
	unsigned short elf_machine_32; /* of 32-bit programs */
	const char *libraries;     /* directory of libraries below lib/, on Debian */
	const char *lib;           /* the other directory of libraries: "lib64" */
	/* their libraries in the output of `ldconfig -p`; NULL: those without a name */
	const char *ldconfig;
	const char *platform;      /* the value of $PLATFORM for ld.so */
	unsigned char code_fill;   /* byte between functions: a part of an instruction that traps */
};

/* The names for the processor that arch_choose() has chosen. */
extern const struct arch_names *arch_names;

/* The processor that probec itself runs on. */
#if defined(__x86_64__)
#define ARCH_OWN_MACHINE "x86_64"
#define ARCH_OWN_DEBIAN "amd64" /* as Debian calls it, in names of releases as well */
#elif defined(__aarch64__)
#define ARCH_OWN_MACHINE "aarch64"
#define ARCH_OWN_DEBIAN "arm64"
#else
#error "probec runs on x86-64 and on arm64"
#endif

/**
 * arch_choose - the script's kernel is one for @machine, as `uname -m` prints it; NULL: for that of
 * probec itself. All functions of arch/ answer for that processor from now on.
 * false: it is not known
 */
bool arch_choose(const char *machine);
/** arch_names_of - the same; @of_32bit: for 32-bit programs on that kernel, if they can be
 *  probed. */
const struct arch_names *arch_names_of(bool of_32bit);
/** arch_known - the @i-th machine that arch_choose() knows, or NULL. */
const struct arch_names *arch_known(unsigned i);
/** arch_is_foreign - whether it is not the one that probec itself runs on. */
bool arch_is_foreign(void);
/** arch_is_system_call - whether @symbol is the entry point of a system call of 64 or 32 bits. */
bool arch_is_system_call(const char *symbol);

#endif
