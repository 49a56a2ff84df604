/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The keys that modules are signed with: finding one of those that are usual on machines that only
 * accept signed modules, and making one (probec --make-key). Only the kernel knows which keys it
 * trusts, and it does not tell.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/packages.h"
#include "base/rights.h"
#include "base/subprocess.h"
#include "build/build.h"
#include "build/private.h"
#include "shared/buf.h"
#include "shared/file.h"
#include "target/kernel/kernel.h"
#include "state.h"

static const struct range nowhere;

/* Names of a key and its certificate in the directory of --make-key. */
#define KEY_NAME "signing.key"
#define CERT_NAME "signing.der"

/* The system's own keys, in the order in which they are tried. */
static const struct build_sign_key usual[] = {
	/* Debian and Ubuntu: update-secureboot-policy, and DKMS of other distributions */
	{ "/var/lib/shim-signed/mok/MOK.priv", "/var/lib/shim-signed/mok/MOK.der" },
	{ "/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub" },
	/* Fedora's akmods */
	{ "/etc/pki/akmods/private/private_key.priv", "/etc/pki/akmods/certs/public_key.der" },
};

/* ---- finding ---- */

bool build_sign_required(struct arena *a, const char *root)
{
	struct buf b;
	bool ret;

	buf_init(&b);
	ret = !file_read(arena_printf(a, "%s/sys/module/module/parameters/sig_enforce", root),
			 &b) && b.len && b.s[0] == 'Y';
	b.len = 0;
	ret = ret || (!file_read(arena_printf(a, "%s/sys/kernel/security/lockdown", root), &b) &&
		      b.len && !memmem(b.s, b.len, "[none]", 6));
	buf_deinit(&b);
	return ret;
}

/* Takes a pair of files if both can be read; otherwise keeps the first one that others may read. */
static bool take(struct build_sign_key pair, struct build_sign_key *ret)
{
	if (!access(pair.key, R_OK)) {
		if (access(pair.cert, R_OK))
			return false;
		*ret = pair;
		return true;
	}
	if (errno == EACCES && !ret->key)
		*ret = pair;
	return false;
}

int build_sign_find(struct arena *a, const char *root, const char *tree, const char *own,
		    struct build_sign_key *ret)
{
	*ret = (struct build_sign_key){ 0 };
	if (tree && take((struct build_sign_key){
			 arena_printf(a, "%s/certs/signing_key.pem", tree),
			 arena_printf(a, "%s/certs/signing_key.x509", tree) }, ret))
		return 0;
	if (own && take((struct build_sign_key){ arena_printf(a, "%s/" KEY_NAME, own),
			arena_printf(a, "%s/" CERT_NAME, own) }, ret))
		return 0;
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (take((struct build_sign_key){ arena_printf(a, "%s%s", root, usual[i].key),
			 arena_printf(a, "%s%s", root, usual[i].cert) }, ret))
			return 0;
	return ret->key ? -EACCES : -ENOENT;
}

/* $XDG_DATA_HOME/probec, or ~/.local/share/probec; NULL without a home. */
static const char *own_dir(struct state *s)
{
	const char *xdg = getenv("XDG_DATA_HOME"), *home = rights_home();

	if (xdg && xdg[0] == '/')
		return arena_printf(s->arena, "%s/probec", xdg);
	return home ? arena_printf(s->arena, "%s/.local/share/probec", home) : NULL;
}

static int report_none(struct state *s, const struct build_sign_key *seen)
{
	if (seen->key) {
		diag_error(s->diag, nowhere, E_SIGN,
			   "the module needs a signature, and you may not read the key '%s'",
			   seen->key);
		diag_hint(s->diag, "run probec as root, or name another one: --sign KEY CERT");
	} else {
		diag_error(s->diag, nowhere, E_SIGN, "there is no key for signing the module");
		diag_hint(s->diag, "probec --make-key makes one and says what else to do; --sign "
				   "KEY CERT names one");
	}
	return -1;
}

int build_sign_choose(struct state *s)
{
	bool asked = s->opt.sign_key && !s->opt.sign_cert, here;
	struct build_sign_key found;
	int err;

	if (s->opt.sign_key && !asked)
		return 0;
	here = !s->opt.target && !s->opt.vm && build_sign_required(s->arena, "");
	if (!asked && !here)
		return 0;
	err = build_sign_find(s->arena, "", kernel_build_tree(s->kernel), own_dir(s), &found);
	if (!err) {
		s->opt.sign_key = found.key;
		s->opt.sign_cert = found.cert;
		if (s->opt.verbose)
			fprintf(stderr, "signing with %s\n", found.key);
		return 0;
	}
	/* The loader explains why a kernel refuses a module without a signature. */
	return asked || (err == -EACCES && s->opt.last_pass == 5) ? report_none(s, &found) : 0;
}

/* ---- making ---- */

/* By the extended use, shim lets the key sign modules and no program that boots a machine. */
static int run_openssl(struct state *s, const struct build_sign_key *to)
{
	char host[256] = "";
	const char *name = gethostname(host, sizeof(host) - 1) || strchr(host, '/') ? "" : host;
	const char *argv[] = {
		"openssl", "req", "-new", "-x509", "-newkey", "rsa:2048", "-nodes", "-sha256",
		"-days", "36500", "-keyout", to->key, "-outform", "DER", "-out", to->cert,
		"-subj", arena_printf(s->arena, "/CN=probec modules %s/", name),
		"-addext", "basicConstraints=critical,CA:FALSE",
		"-addext", "keyUsage=digitalSignature",
		"-addext", "extendedKeyUsage=codeSigning,1.3.6.1.4.1.2312.16.1.2", NULL };
	struct buf log;
	mode_t mask;
	int status;

	if (!subprocess_find(s->arena, argv[0])) {
		diag_error(s->diag, nowhere, E_SIGN,
			   "creating a key needs '%s', which is not installed", argv[0]);
		diag_hint(s->diag, "%s", packages_hint(s->arena, "openssl"));
		return -1;
	}
	buf_init(&log);
	mask = umask(077);
	status = subprocess_run(argv, NULL, &log, &log);
	umask(mask);
	if (status) {
		unlink(to->key);
		unlink(to->cert);
		diag_error(s->diag, nowhere, E_SIGN, "openssl could not make the key '%s'%s%s",
			   to->key, status < 0 ? ": " : "", status < 0 ? strerror(-status) : "");
		fwrite(log.s, 1, log.len, stderr);
	}
	buf_deinit(&log);
	return status ? -1 : 0;
}

/* Only a person in front of the machine can make its firmware trust a key. */
static void print_steps(struct state *s, const struct build_sign_key *made)
{
	printf("made the key         %s\n     its certificate %s\n\n", made->key, made->cert);
	if (access("/sys/firmware/efi", F_OK))
		printf("This machine has no EFI firmware that can enrol keys, and its kernel "
		       "trusts only those that\nwere compiled into it. The steps are for a machine "
		       "with such firmware.\n\n");
	if (!subprocess_find(s->arena, "mokutil"))
		printf("The steps need mokutil, which is not installed:\n  %s\n\n",
		       packages_hint(s->arena, "mokutil"));
	printf("To make the machine trust it, do three more steps:\n");
	printf("  1. sudo mokutil --import '%s'\n"
	       "     asks for a new password, for one use\n"
	       "  2. sudo reboot\n"
	       "  3. on the firmware's blue screen, which waits for ten seconds: Enroll MOK,\n"
	       "     Continue, Yes, the password, Reboot\n\n", made->cert);
	printf("'mokutil --test-key FILE.der' tells whether a certificate is enrolled. Then "
	       "probec\nsigns by itself where the kernel requires it, and with '--sign auto'.\n"
	       "Whoever can read the key can load any code into the kernel.\n");
}

int build_make_key(struct state *s)
{
	const char *dir = *s->opt.make_key ? s->opt.make_key : own_dir(s);
	struct build_sign_key to;
	int err;

	if (!dir) {
		diag_error(s->diag, nowhere, E_IO, "there is no home directory for the key");
		diag_hint(s->diag, "--make-key=DIR names a directory");
		return -1;
	}
	to.key = arena_printf(s->arena, "%s/" KEY_NAME, dir);
	to.cert = arena_printf(s->arena, "%s/" CERT_NAME, dir);
	err = file_make_dirs(arena_strdup(s->arena, dir));
	if (err) {
		diag_error(s->diag, nowhere, E_IO, "can't make the directory '%s': %s", dir,
			   strerror(-err));
		return -1;
	}
	if (!access(to.key, F_OK) || !access(to.cert, F_OK)) {
		diag_error(s->diag, nowhere, E_IO, "'%s' has a key already", dir);
		diag_hint(s->diag, "use it: mokutil --import %s; or remove %s and %s to make "
			  "another one", to.cert, KEY_NAME, CERT_NAME);
		return -1;
	}
	if (run_openssl(s, &to))
		return -1;
	print_steps(s, &to);
	return 0;
}
