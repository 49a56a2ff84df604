/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A captured target: what `proberun --describe` writes about the machine it runs on and `probec -r
 * FILE` reads, so that scripts can be analysed for a kernel that is not here.
 *
 * Lines of text, each ended by a newline:
 *   probec-target 2
 *   release 6.1.0-56-cloud-amd64
 *   build-id 5f2c...            lower-case hex from /sys/kernel/notes
 *   machine x86_64
 *   section NAME LENGTH         followed by LENGTH bytes and a newline; unknown names are skipped
 *   ...
 *   end
 * Sections:
 *   symbols      names of text symbols (types t T w W, but for variables that have one:
 *                shared/kernel_symbols.h) of vmlinux, one a line in the order of their bytes, as
 *                often as there are functions of that name
 *   data         names of all other symbols of vmlinux, the same (absent: the kernel keeps none, or
 *                proberun is older)
 *   modules      text symbols of the modules that are loaded, in kallsyms order: "TYPE NAME MODULE"
 *   module-ids   their build-ids: "MODULE HEX" a line
 *   module-btf:NAME   /sys/kernel/btf/NAME of one of them, on top of section btf
 *   blacklist    names of /sys/kernel/debug/kprobes/blacklist, one a line in the order of their
 *                bytes (absent: not readable)
 *   ftrace       functions of available_filter_functions of vmlinux, the same
 *   aliases      text symbols of vmlinux that share an address: "NAME NAME..." a line; ftrace has
 *                only one of them
 *   tracepoints  "SYSTEM:NAME" a line (absent: not readable)
 *   config       the kernel's configuration as text, where the machine has it
 *   inlined      names of functions of vmlinux that are inlined at some places, the same; `probec
 *                check --inlined` adds them from debug information (absent: not known)
 *   btf          /sys/kernel/btf/vmlinux
 *   padding      blanks before a section of BTF, whose bytes begin at a multiple of 8 of the file
 * Without root some sections are missing; the reader then reports what it cannot know.
 */
#ifndef PRT_TARGET_H
#define PRT_TARGET_H

#define PRT_TARGET_MAGIC "probec-target 2"

#endif
