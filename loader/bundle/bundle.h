/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bundle: this program with modules after it, one for each kernel, and the options of their
 * script (shared/bundle.h). Its contents may have been cut off or changed on the way, so nothing in
 * it is trusted but that it is no more harmful than the modules, which root loads.
 */
#ifndef LOADER_BUNDLE_H
#define LOADER_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bundle_module {
	const char *release, *build_id; /* build_id "-": unknown */
	uint64_t offset, size;
};

struct bundle_option {
	char letter;        /* '\0': none */
	const char *name;   /* "": none */
	const char *value;  /* what the help calls it; "": a flag, which sets 1 */
	const char *global, *help;
};

struct bundle_file {
	int fd;             /* -1: this program is no bundle */
	char *index;        /* memory of all the strings */
	const char *script;
	unsigned nmodules, noptions, narguments, nabout;
	struct bundle_module *modules;
	struct bundle_option *options;
	const char **arguments; /* words of the command line */
	const char **about; /* lines */
};

/** bundle_open - find the bundle in this program's file. 0, also if there is none; -1 after
 * reporting an error. */
int bundle_open(struct bundle_file *b);
/** bundle_take - the same in the file @fd, which is closed by bundle_close(), or here. */
int bundle_take(struct bundle_file *b, int fd);
/** bundle_parse - read an index of @len bytes, which the bundle then owns, of a file whose modules
 * end before @end. Returns NULL, or what is wrong. */
const char *bundle_parse(struct bundle_file *b, char *index, size_t len, uint64_t end);
/** bundle_module - read the module for the running kernel to @image, to be freed with free(). -1
 * after reporting an error. */
int bundle_module(const struct bundle_file *b, char **image, size_t *len);
/** bundle_help - print the script's description and options; @program: the name of this file. */
void bundle_help(const struct bundle_file *b, const char *program);
/** bundle_kernels - print a line for each kernel. */
void bundle_kernels(const struct bundle_file *b);
void bundle_close(struct bundle_file *b);

/*
 * --trust: a bundle that came from elsewhere, and runs only if it has the signature of a key that
 * is trusted here. The bundle can't check itself, so an installed proberun reads it as data, and
 * runs none of its code but the modules.
 */

/** bundle_open_trusted - check the signature FILE.sig, of Ed25519, of the bundle @file by the
 *  public key in @key, a file as `openssl pkey -pubout` writes it. Returns a descriptor of a copy
 *  of the bundle, which nobody else can change, to close(); -1 after reporting E_TRUST. */
int bundle_open_trusted(const char *key, const char *file);

#endif
