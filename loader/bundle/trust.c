/* SPDX-License-Identifier: GPL-2.0 */
#include "bundle/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/file.h"
#include "common/library.h"
#include "common/say.h"
#include "common/text.h"
#include "shared/public_key.h"

enum { BUNDLE_BYTES_MAX = 1 << 30 };

static int refuse(const char *file, const char *wrong)
{
	say_error("E_TRUST", "where it was made, this signs it: "
		  "openssl pkeyutl -sign -rawin -inkey KEY -in FILE -out FILE.sig",
		  "'%s' is not run: %s", file, wrong);
	return -1;
}

#ifdef PROBERUN_STATIC
int trust_open(const char *key, const char *file)
{
	(void)key;
	return refuse(file, "a proberun that needs no library has none that checks signatures");
}
#else
/* The functions of libsodium, which most sessions do without. */
struct sodium {
	__typeof__(sodium_init) *init;
	public_key_base64 *base64;
	__typeof__(crypto_sign_verify_detached) *verify;
};

static const char *load(struct sodium *s)
{
	static const char *const names[] = { "libsodium.so.23", "libsodium.so.26", NULL };
	const struct library_function all[] = {
		{ (void **)&s->init, "sodium_init" },
		{ (void **)&s->base64, "sodium_base642bin" },
		{ (void **)&s->verify, "crypto_sign_verify_detached" },
	};
	const char *why;

	if (!library_open(names, all, sizeof(all) / sizeof(all[0]), &why))
		return why;
	return s->init() < 0 ? "libsodium can't be used" : NULL;
}

static const char *read_key(const struct sodium *s, const char *path,
			    unsigned char ret[crypto_sign_PUBLICKEYBYTES])
{
	struct text t = { 0 };
	int err = file_read_regular(path, PUBLIC_KEY_FILE_MAX, &t);
	bool good = !err && t.len && !public_key_read(t.s, t.len, s->base64, ret);

	text_deinit(&t);
	return err ? strerror(-err) : good ? NULL : "it is not a public key of Ed25519";
}

static const char *read_signature(const char *file, unsigned char ret[crypto_sign_BYTES])
{
	struct text path = { 0 }, t = { 0 };
	bool good;
	int err;

	text_add_str(&path, file);
	text_add_str(&path, ".sig");
	err = file_read_regular(path.s, crypto_sign_BYTES, &t);
	good = !err && t.len == crypto_sign_BYTES;
	if (good)
		memcpy(ret, t.s, crypto_sign_BYTES);
	text_deinit(&path);
	text_deinit(&t);
	return err == -ENOENT ? "it has no signature beside it" :
	       err && err != -EFBIG ? strerror(-err) :
	       good ? NULL : "the file beside it is not a signature of Ed25519";
}

/* The copy is checked and run, whatever becomes of the file meanwhile. */
static const char *copy_checked(const struct sodium *s, const char *file, const unsigned char *key,
				int *ret)
{
	unsigned char signature[crypto_sign_BYTES];
	const char *wrong = read_signature(file, signature);
	struct text t = { 0 };
	int err = wrong ? 0 : file_read_regular(file, BUNDLE_BYTES_MAX, &t);

	if (!wrong && err)
		wrong = strerror(-err);
	if (!wrong && (!t.s || s->verify(signature, (unsigned char *)t.s, t.len, key) != 0))
		wrong = "its signature is not of this key";
	if (!wrong) {
		*ret = memfd_create("bundle", MFD_CLOEXEC);
		if (*ret < 0 || file_write_all(*ret, t.s, t.len) != 0)
			wrong = "there is no memory for it";
	}
	text_deinit(&t);
	return wrong;
}

int trust_open(const char *key, const char *file)
{
	unsigned char public[crypto_sign_PUBLICKEYBYTES];
	struct sodium s;
	const char *wrong = load(&s);
	int fd = -1;

	if (wrong)
		return refuse(file, wrong);
	wrong = read_key(&s, key, public);
	if (wrong)
		return refuse(key, wrong);
	wrong = copy_checked(&s, file, public, &fd);
	if (!wrong)
		return fd;
	if (fd >= 0)
		close(fd);
	return refuse(file, wrong);
}
#endif
