/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signs modules as the kernel signs its own: by the program and with the hash of its build tree.
 * The signature covers the name, so the loader can't rename a signed module for each session; it
 * gets its name here.
 */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build/private.h"
#include "shared/file.h"
#include "target/kernel/kernel.h"
#include "state.h"

static const struct range nowhere;

const char *build_sign_name(struct state *s)
{
	return arena_printf(s->arena, "probec_s%.16s",
			    s->cache_key ? s->cache_key : build_key_module(s));
}

const char *build_sign_program(struct state *s)
{
	const char *tree = kernel_build_tree(s->kernel);

	return tree ? arena_printf(s->arena, "%s/scripts/sign-file", tree) : NULL;
}

/* The key and the certificate, open while sign-file reads them: a FIFO whose only reader closes it
 * would end its writer. */
struct signers {
	int fd[2];
};

static void close_files(struct signers *f)
{
	for (size_t i = 0; i < 2; i++)
		if (f->fd[i] >= 0)
			close(f->fd[i]);
}

/* Opens both, because sign-file would wait without end for the writer of a FIFO. A key may be in a
 * token, which only sign-file can find. */
static int open_files(struct state *s, struct signers *ret)
{
	const char *const files[] = { s->opt.sign_key, s->opt.sign_cert };

	*ret = (struct signers){ { -1, -1 } };
	for (size_t i = 0; i < 2; i++) {
		if (strncmp(files[i], "pkcs11:", 7) == 0)
			continue;
		ret->fd[i] = file_open_input(files[i]);
		if (ret->fd[i] >= 0)
			continue;
		diag_error(s->diag, nowhere, E_IO, "can't read the %s '%s': %s",
			   i ? "certificate" : "key", files[i], source_why(errno));
		close_files(ret);
		return -1;
	}
	return 0;
}

/* The status with which the dynamic linker ends a program whose libraries are not here. */
#define NOT_STARTED 127

static void report(struct state *s, int status, const struct buf *log)
{
	diag_error(s->diag, nowhere, E_SIGN, "the module could not be signed with '%s' and '%s'",
		   s->opt.sign_key, s->opt.sign_cert);
	if (status == NOT_STARTED)
		diag_hint(s->diag, "install the build tree of a kernel of this machine's "
			  "distribution: the one that comes with it serves as well");
	else
		diag_hint(s->diag, "sign-file takes a key as PEM, a certificate as PEM or DER; "
			  "KBUILD_SIGN_PIN is the key's pass phrase");
	fwrite(log->s, 1, log->len, stderr);
}

/* Returns as kbuild_run() does, with the program's output in @log. */
static int sign_by(struct state *s, const char *program, const char *module, struct buf *log)
{
	const char *hash = kernel_config(s, "CONFIG_MODULE_SIG_HASH");
	struct kbuild_words w = { 0 };

	kbuild_word(s, &w, program);
	kbuild_word(s, &w, hash ? hash : "sha256");
	kbuild_word(s, &w, s->opt.sign_key);
	kbuild_word(s, &w, s->opt.sign_cert);
	kbuild_word(s, &w, module);
	log->len = 0;
	return kbuild_run(s, &w, NULL, log);
}

/* Signs by the program of another build tree: that of an older release of the distribution needs
 * libraries of that release. Signatures have one form since Linux 4.3. Returns as kbuild_run()
 * does, NOT_STARTED if there is none that starts. */
static int sign_by_another(struct state *s, const char *module, struct buf *log)
{
	int ret = NOT_STARTED;
	glob_t found = {0};

	glob("/lib/modules/*/build/scripts/sign-file", 0, NULL, &found);
	if (s->cache_dir)
		glob(arena_printf(s->arena, "%s/lab/*/build/scripts/sign-file", s->cache_dir),
		     GLOB_APPEND, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && ret == NOT_STARTED; i++)
		ret = sign_by(s, found.gl_pathv[i], module, log);
	globfree(&found);
	return ret;
}

static int sign(struct state *s, const char *module)
{
	const char *program = build_sign_program(s);
	struct buf log;
	int ret;

	if (!program || access(program, X_OK)) {
		diag_error(s->diag, nowhere, E_NO_HEADERS,
			   "the build tree of the kernel %s has no scripts/sign-file",
			   kernel_release(s->kernel));
		diag_hint(s->diag, "it comes with the build tree: %s", kbuild_how_to_get_tree(s));
		return -1;
	}
	buf_init(&log);
	ret = sign_by(s, program, module, &log);
	if (ret == NOT_STARTED)
		ret = sign_by_another(s, module, &log);
	if (ret > 0)
		report(s, ret, &log);
	buf_deinit(&log);
	return ret ? -1 : 0;
}

int build_sign_module(struct state *s, const char *module)
{
	struct signers f;
	int ret;

	if (open_files(s, &f))
		return -1;
	ret = sign(s, module);
	close_files(&f);
	return ret;
}
