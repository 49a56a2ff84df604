/* SPDX-License-Identifier: GPL-2.0 */
/* Keys that are found without being named: which one is taken, and when one is needed. */
#include "tmp_fixture.h"
#include "unit.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "build/private.h"

static void put_deep(struct state *s, const char *name, const char *text)
{
	char *path = arena_strdup(s->arena, tmp_in(s, name));

	for (char *p = path + strlen(s->tmp_dir) + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(path, 0700);
	}
	tmp_put(s, name, text);
}

static int find(struct state *s, struct build_sign_key *ret)
{
	return build_sign_find(s->arena, s->tmp_dir, tmp_in(s, "tree"), tmp_in(s, "own"), ret);
}

static void finds(struct state *s, const char *key, const char *cert)
{
	struct build_sign_key found;

	put_deep(s, key, "");
	assert_true(find(s, &found) != 0 || strcmp(found.key, tmp_in(s, key)) != 0);
	put_deep(s, cert, "");
	assert_int_equal(find(s, &found), 0);
	assert_string_equal(found.key, tmp_in(s, key));
	assert_string_equal(found.cert, tmp_in(s, cert));
}

/* From the last choice to the first. */
TEST(order)
{
	struct state *s = tmp_begin();
	struct build_sign_key found;

	assert_int_equal(find(s, &found), -ENOENT);
	assert_int_equal(build_sign_find(s->arena, s->tmp_dir, NULL, NULL, &found), -ENOENT);
	finds(s, "etc/pki/akmods/private/private_key.priv", "etc/pki/akmods/certs/public_key.der");
	finds(s, "var/lib/dkms/mok.key", "var/lib/dkms/mok.pub");
	finds(s, "var/lib/shim-signed/mok/MOK.priv", "var/lib/shim-signed/mok/MOK.der");
	finds(s, "own/signing.key", "own/signing.der");
	finds(s, "tree/certs/signing_key.pem", "tree/certs/signing_key.x509");
	tmp_end(s);
}

/* Another user's directory: the first key that may be in it. */
TEST(unreadable)
{
	struct state *s = tmp_begin();
	int status = 0;
	pid_t pid;

	if (geteuid() != 0) {
		tmp_end(s);
		skip();
	}
	put_deep(s, "own/signing.key", "");
	pid = fork();
	if (pid == 0) {
		struct build_sign_key found;

		_exit(setuid(65534) || find(s, &found) != -EACCES ||
		      strcmp(found.key, tmp_in(s, "tree/certs/signing_key.pem")) != 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	tmp_end(s);
}

static void requires(struct state *s, const char *enforce, const char *lockdown, bool wanted)
{
	put_deep(s, "sys/module/module/parameters/sig_enforce", enforce);
	put_deep(s, "sys/kernel/security/lockdown", lockdown);
	assert_int_equal(build_sign_required(s->arena, s->tmp_dir), wanted);
}

TEST(required)
{
	struct state *s = tmp_begin();

	assert_false(build_sign_required(s->arena, s->tmp_dir));
	requires(s, "N\n", "[none] integrity confidentiality\n", false);
	requires(s, "N\n", "none [integrity] confidentiality\n", true);
	requires(s, "N\n", "none integrity [confidentiality]\n", true);
	requires(s, "Y\n", "[none] integrity confidentiality\n", true);
	requires(s, "Y\n", "", true);
	tmp_end(s);
}
