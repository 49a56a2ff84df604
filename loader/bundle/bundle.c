/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a bundle from the end of this program's file. */
#include "bundle/bundle.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/library.h"
#include "common/say.h"
#include "machine/kernel.h"
#include "shared/buf.h"
#include "shared/bundle.h"
#include "shared/file.h"
#include "shared/memory.h"
#include "shared/public_key.h"

enum { INDEX_MAX = 4 << 20, MODULE_MAX = 256 << 20, FIELDS = 6 };

struct index_line {
	const char *f[FIELDS];
	unsigned n;
};

/* ---- the index ---- */

/* Cuts a record in place. The last field keeps tabs that are too many. */
static struct index_line cut(char *p)
{
	struct index_line r = { .n = 0 };

	for (;;) {
		char *tab = r.n + 1 < FIELDS ? strchr(p, '\t') : NULL;

		r.f[r.n++] = p;
		if (!tab)
			return r;
		*tab = '\0';
		p = tab + 1;
	}
}

static bool number(const char *s, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(s, &end, 10);
	return isdigit((unsigned char)*s) && !*end && !errno;
}

/* Makes room for one more element, and returns its address. */
static void *one_more(void *array, unsigned *n, size_t size)
{
	char **a = array;

	if (!(*n & (*n - 1)))
		*a = memory_resized(*a, *n ? 2 * (size_t)*n : 1, size);
	memset(*a + *n * size, 0, size);
	return *a + (*n)++ * size;
}

static const char *take_module(struct bundle_file *b, const struct index_line *r, uint64_t end)
{
	struct bundle_module *m = one_more(&b->modules, &b->nmodules, sizeof(*m));

	m->release = r->f[1];
	m->build_id = r->f[2];
	if (!number(r->f[3], &m->offset) || !number(r->f[4], &m->size) || !m->size ||
	    m->size > MODULE_MAX || m->offset > end || m->size > end - m->offset)
		return "a module is outside of the file";
	return NULL;
}

static bool is_long_name(const char *s)
{
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '-' && *s != '_')
			return false;
	return true;
}

static const char *take_option(struct bundle_file *b, const struct index_line *r)
{
	struct bundle_option *o = one_more(&b->options, &b->noptions, sizeof(*o));
	const char *letter = r->f[1];

	*o = (struct bundle_option){ *letter, r->f[2], r->f[3], r->f[4], r->f[5] };
	if ((*letter && (letter[1] || !isalpha((unsigned char)*letter))) ||
	    (!*letter && !*o->name) || !is_long_name(o->name) || !*o->global)
		return "an option of the script has no valid name";
	return NULL;
}

/* Returns NULL, or what is wrong. */
static const char *take_record(struct bundle_file *b, char *record, uint64_t end)
{
	struct index_line r;

	if (strncmp(record, "argument\t", 9) == 0) {
		const char **word = one_more(&b->arguments, &b->narguments, sizeof(*word));

		*word = record + 9;
		return NULL;
	}
	r = cut(record);
	if (strcmp(r.f[0], "script") == 0 && r.n == 2)
		b->script = r.f[1];
	else if (strcmp(r.f[0], "module") == 0 && r.n == 5)
		return take_module(b, &r, end);
	else if (strcmp(r.f[0], "option") == 0 && r.n == 6)
		return take_option(b, &r);
	else if (strcmp(r.f[0], "about") == 0 && r.n == 2)
		*(const char **)one_more(&b->about, &b->nabout, sizeof(*b->about)) = r.f[1];
	return NULL;
}

const char *bundle_parse(struct bundle_file *b, char *index, size_t len, uint64_t end)
{
	bool began = false, ended = false;
	const char *wrong = NULL;
	size_t n;

	b->index = index;
	b->script = "<script>";
	for (char *p = index; p < index + len && !ended && !wrong; p += n + 1) {
		n = strnlen(p, (size_t)(index + len - p));
		if (p + n == index + len)
			return "its index does not end";
		if (!began && strcmp(p, "bundle") != 0)
			return "its index does not begin";
		ended = strcmp(p, "end") == 0;
		if (began)
			wrong = take_record(b, p, end);
		began = true;
	}
	if (!wrong && !ended)
		wrong = "its index does not end";
	if (!wrong && !b->nmodules)
		wrong = "it has no module";
	return wrong;
}

/* ---- the file ---- */

/* A file without a trailer: nothing is wrong if it is a program and nothing more. Section headers
 * are the last part of one. */
static const char *no_trailer(int fd, uint64_t size)
{
	Elf64_Ehdr eh;

	if (file_read_at(fd, &eh, sizeof(eh), 0) || size < eh.e_shoff ||
	    size - eh.e_shoff <= (uint64_t)eh.e_shnum * eh.e_shentsize)
		return NULL;
	return "its end is missing";
}

static const char *read_index(struct bundle_file *b, int fd)
{
	struct bundle_trailer t;
	struct stat st;
	char *index;

	if (fstat(fd, &st) || st.st_size < (off_t)sizeof(t) ||
	    file_read_at(fd, &t, sizeof(t), (uint64_t)st.st_size - sizeof(t)) ||
	    memcmp(t.magic, (char[sizeof(t.magic)]){ BUNDLE_MAGIC }, sizeof(t.magic)) != 0)
		return no_trailer(fd, (uint64_t)st.st_size);
	if (t.size != (uint64_t)st.st_size || t.index > t.size - sizeof(t) ||
	    t.index_size != t.size - sizeof(t) - t.index || t.index_size > INDEX_MAX)
		return "its parts do not fit together";
	index = memory_zeroed(t.index_size + 1, 1);
	if (file_read_at(fd, index, t.index_size, t.index)) {
		free(index);
		return "its index can't be read";
	}
	b->fd = fd;
	return bundle_parse(b, index, t.index_size, t.index);
}

int bundle_open(struct bundle_file *b)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	*b = (struct bundle_file){ .fd = -1 };
	/* Without /proc, nothing runs: kernel_check() says so. */
	return fd < 0 ? 0 : bundle_take(b, fd);
}

int bundle_take(struct bundle_file *b, int fd)
{
	const char *wrong;

	*b = (struct bundle_file){ .fd = -1 };
	wrong = read_index(b, fd);
	if (b->fd < 0)
		close(fd);
	if (!wrong)
		return 0;
	say_error("E_BAD_MODULE", "copy the file once more, or make it again with probec bundle",
		  "the bundle is damaged: %s", wrong);
	bundle_close(b);
	return -1;
}

/* ---- the kernel ---- */

static int none_fits(const struct bundle_file *b, const struct kernel_identity *running)
{
	const char *release = running->name.release, *build_id = running->build_id;
	struct buf hint = { 0 };
	bool same_release = false;

	for (unsigned i = 0; i < b->nmodules; i++)
		same_release |= strcmp(b->modules[i].release, release) == 0;
	buf_puts(&hint, "make it again with probec bundle -r ");
	buf_puts(&hint, same_release ? "FILE, made by proberun --describe there" : release);
	buf_puts(&hint, "; it has modules for ");
	for (unsigned i = 0; i < b->nmodules; i++) {
		buf_puts(&hint, i ? ", " : "");
		buf_puts(&hint, b->modules[i].release);
	}
	say_error("E_WRONG_KERNEL", hint.s,
		  same_release ? "the bundle was made for another build of %s, whose build-id is "
				 "not %s" : "the bundle has no module for the running kernel %s, "
				 "build-id %s", release, *build_id ? build_id : "unknown");
	buf_deinit(&hint);
	return -1;
}

int bundle_module(const struct bundle_file *b, char **image, size_t *len)
{
	const struct bundle_module *m = NULL;
	struct kernel_identity running;
	int err;

	kernel_identify(&running);
	for (unsigned i = 0; i < b->nmodules && !m; i++)
		if (kernel_fits(&running, b->modules[i].release, b->modules[i].build_id))
			m = &b->modules[i];
	if (!m)
		return none_fits(b, &running);
	*len = m->size;
	*image = memory_zeroed(m->size, 1);
	err = file_read_at(b->fd, *image, m->size, m->offset);
	if (!err)
		return 0;
	say_error("E_IO", NULL, "can't read the module in this bundle: %s", strerror(-err));
	free(*image);
	return -1;
}

/* ---- what users see ---- */

/* Prints the help of an option from @column on; the cursor is at @at. */
static void print_help(const char *help, int at)
{
	enum { COLUMN = 25 };

	for (; *help; help += strspn(help, "\n")) {
		size_t len = strcspn(help, "\n");

		printf("%*s%.*s\n", at < COLUMN ? COLUMN - at : 1, "", (int)len, help);
		help += len;
		at = 0;
	}
}

void bundle_help(const struct bundle_file *b, const char *program)
{
	printf("usage: %s [OPTION]... [NAME=VALUE]...\n", program);
	for (unsigned i = 0; i < b->nabout; i++)
		printf("%s%s\n", i ? "" : "\n", b->about[i]);
	if (b->noptions)
		puts("\nOptions of the script:");
	for (unsigned i = 0; i < b->noptions; i++) {
		const struct bundle_option *o = &b->options[i];
		int at = printf("  %s%s%s%s%s%s",
				o->letter ? (char[]){ '-', o->letter, '\0' } : "  ",
				!*o->name ? "" : o->letter ? ", " : "  ", *o->name ? "--" : "",
				o->name, !*o->value ? "" : *o->name ? "=" : " ", o->value);

		print_help(o->help, at);
	}
	puts("\nOptions of proberun, which this file contains:");
}

void bundle_kernels(const struct bundle_file *b)
{
	for (unsigned i = 0; i < b->nmodules; i++)
		printf("%s %s\n", b->modules[i].release, b->modules[i].build_id);
}

void bundle_close(struct bundle_file *b)
{
	if (b->fd >= 0)
		close(b->fd);
	free(b->index);
	free(b->modules);
	free(b->options);
	free(b->arguments);
	free(b->about);
	*b = (struct bundle_file){ .fd = -1 };
}

/* ---- bundles from elsewhere: --trust ---- */

enum { BUNDLE_BYTES_MAX = 1 << 30 };

static int refuse(const char *file, const char *wrong)
{
	say_error("E_TRUST", "where it was made, this signs it: "
		  "openssl pkeyutl -sign -rawin -inkey KEY -in FILE -out FILE.sig",
		  "'%s' is not run: %s", file, wrong);
	return -1;
}

#ifdef PROBERUN_STATIC
int bundle_open_trusted(const char *key, const char *file)
{
	(void)key;
	return refuse(file, "a static proberun has no library that checks signatures");
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
	struct buf t = { 0 };
	int err = file_read_limited(path, PUBLIC_KEY_FILE_MAX, &t);
	bool good = !err && t.len && !public_key_read(t.s, t.len, s->base64, ret);

	buf_deinit(&t);
	return err ? strerror(-err) : good ? NULL : "it is not an Ed25519 public key";
}

static const char *read_signature(const char *file, unsigned char ret[crypto_sign_BYTES])
{
	struct buf path = { 0 }, t = { 0 };
	bool good;
	int err;

	buf_puts(&path, file);
	buf_puts(&path, ".sig");
	err = file_read_limited(path.s, crypto_sign_BYTES, &t);
	good = !err && t.len == crypto_sign_BYTES;
	if (good)
		memcpy(ret, t.s, crypto_sign_BYTES);
	buf_deinit(&path);
	buf_deinit(&t);
	return err == -ENOENT ? "it has no signature beside it" :
	       err && err != -EFBIG ? strerror(-err) :
	       good ? NULL : "the file beside it is not an Ed25519 signature";
}

/* The copy is checked and run, whatever becomes of the file meanwhile. */
static const char *copy_checked(const struct sodium *s, const char *file, const unsigned char *key,
				int *ret)
{
	unsigned char signature[crypto_sign_BYTES];
	const char *wrong = read_signature(file, signature);
	struct buf t = { 0 };
	int err = wrong ? 0 : file_read_limited(file, BUNDLE_BYTES_MAX, &t);

	if (!wrong && err)
		wrong = strerror(-err);
	if (!wrong && (!t.s || s->verify(signature, (unsigned char *)t.s, t.len, key) != 0))
		wrong = "its signature was not made with this key";
	if (!wrong) {
		*ret = memfd_create("bundle", MFD_CLOEXEC);
		if (*ret < 0 || file_write_all(*ret, t.s, t.len) != 0)
			wrong = "there is no memory for it";
	}
	buf_deinit(&t);
	return wrong;
}

int bundle_open_trusted(const char *key, const char *file)
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
