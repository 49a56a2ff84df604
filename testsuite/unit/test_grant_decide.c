/* SPDX-License-Identifier: GPL-2.0 */
/* Rules that allow a request, what is trusted on the way, and what is said where none allows it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sodium.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "decide.h"
#include "slots.h"
#include "trusted.h"
#include "unit.h"

static char dir[64];

static const char *in(const char *file)
{
	static char path[4][256];
	static unsigned next;
	char *ret = path[next++ % 4];

	snprintf(ret, sizeof(path[0]), "%s/%s", dir, file);
	return ret;
}

static void put(const char *file, const char *text, mode_t mode)
{
	int fd = open(in(file), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
}

static int begin(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/probec-unit.XXXXXX");
	return !mkdtemp(dir) || mkdir(in("granted"), 0755);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

/* ---- trust ---- */

static int opens(const char *path, const char *file, const char *words)
{
	struct trusted_problem why = { "" };
	int fd = trusted_open(path, file, &why);

	if (fd >= 0)
		close(fd);
	if (!strstr(why.text, words))
		fail_msg("'%s', not '%s'", why.text, words);
	return fd < 0 ? fd : 0;
}

TEST(trusts)
{
	put("key", "x", 0644);
	assert_int_equal(opens(in("key"), NULL, ""), 0);
	assert_int_equal(opens(dir, "key", ""), 0);
	assert_int_equal(opens(in("none"), NULL, "/none' does not exist"), -ENOENT);
	assert_int_equal(opens(in("none/key"), NULL, "/none' does not exist"), -EPERM);
	assert_int_equal(opens(in("key/key"), NULL, "/key' is not a directory"), -EPERM);
	assert_int_equal(opens(in("granted"), NULL, "is not a regular file"), -EPERM);
	assert_int_equal(opens(dir, "a/b", "is not the name of a file"), -EINVAL);
	assert_int_equal(opens(dir, "..", "is not the name of a file"), -EINVAL);
	assert_int_equal(opens(dir, ".", "is not the name of a file"), -EINVAL);
	assert_int_equal(opens(dir, "", "is not the name of a file"), -EINVAL);
	assert_int_equal(opens("key", NULL, "is not an absolute path"), -EPERM);
	assert_int_equal(opens("/", NULL, "is not a path"), -EPERM);
	assert_int_equal(mkfifo(in("fifo"), 0600), 0);
	assert_int_equal(opens(in("fifo"), NULL, "is not a regular file"), -EPERM);
	assert_int_equal(opens("/dev/null", NULL, "is not a regular file"), -EPERM);
}

TEST(distrusts_modes)
{
	put("open", "x", 0664);
	assert_int_equal(opens(in("open"), NULL, "/open' can be written by users"), -EPERM);
	put("open", "x", 0646);
	assert_int_equal(opens(in("open"), NULL, "/open' can be written by users"), -EPERM);
	put("granted/x.ko", "x", 0644);
	assert_int_equal(chmod(in("granted"), 0775), 0);
	assert_int_equal(opens(in("granted"), "x.ko", "/granted' can be written by users"),
			 -EPERM);
	/* A directory like /tmp is trusted above others, but for no file in it. */
	assert_int_equal(chmod(in("granted"), 01777), 0);
	assert_int_equal(opens(in("granted"), "x.ko", "/granted' can be written by users"),
			 -EPERM);
	assert_true(mkdir(in("granted/sub"), 0755) == 0);
	put("granted/sub/x.ko", "x", 0644);
	assert_int_equal(opens(in("granted/sub"), "x.ko", ""), 0);
	assert_int_equal(chmod(in("granted"), 0755), 0);
}

TEST(distrusts_links)
{
	put("granted/x.ko", "x", 0644);
	assert_int_equal(symlink("x.ko", in("granted/link.ko")), 0);
	assert_int_equal(opens(in("granted"), "link.ko", "link.ko' is a symbolic link"), -EPERM);
	assert_int_equal(symlink("granted", in("also")), 0);
	assert_int_equal(opens(in("also"), "x.ko", "/also' is a symbolic link"), -EPERM);
}

TEST(distrusts_owners)
{
	if (geteuid())
		skip();
	put("granted/other.ko", "x", 0644);
	assert_int_equal(chown(in("granted/other.ko"), 65534, 0), 0);
	assert_int_equal(opens(in("granted"), "other.ko", "other.ko' does not belong to root"),
			 -EPERM);
	assert_int_equal(chown(in("granted"), 65534, 0), 0);
	assert_int_equal(opens(in("granted"), "x.ko", "/granted' does not belong to root"), -EPERM);
	assert_int_equal(chown(in("granted"), 0, 0), 0);
}

/* ---- rules ---- */

static char name[] = "alice", staff[] = "staff", tracers[] = "tracers";
static char *groups[] = { staff, tracers };
static const struct peer alice = { .uid = 1000, .name = name, .groups = groups, .ngroups = 2 };

struct asked {
	struct request request;
	struct content content;
	struct refusal why;
};

/* A request with a module that consists of @text (NULL: none), or for @file. */
static struct asked *asks(const char *file, const char *text)
{
	struct asked *a = calloc(1, sizeof(*a));
	int fd;

	strcpy(a->request.name, file);
	a->content.fd = -1;
	if (!text)
		return a;
	fd = memfd_create("test", MFD_ALLOW_SEALING);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_null(content_open(fd, false, &a->content));
	return a;
}

/* Returns the line of the rule, 0 if there is none. */
static unsigned decides(struct asked *a, const char *text)
{
	size_t len = strlen(text);
	char *copy = malloc(len + 1);
	const struct policy_rule *rule;
	struct policy_mistake wrong;
	struct policy policy;
	unsigned line;

	memcpy(copy, text, len);
	if (policy_parse(copy, len, &policy, &wrong))
		fail_msg("%u:%u: %s", wrong.line, wrong.col, wrong.text);
	rule = decide_rule(&policy, &alice, &a->request, &a->content, &a->why);
	line = rule ? rule->line : 0;
	policy_deinit(&policy);
	return line;
}

static void free_asked(struct asked *a)
{
	content_deinit(&a->content);
	free(a);
}

static void says(struct asked *a, const char *why, const char *next)
{
	if (!strstr(a->why.why, why) || !strstr(a->why.next, next))
		fail_msg("'%s'\n = '%s'", a->why.why, a->why.next);
}

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define OTHER "aa7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

TEST(by_hash)
{
	struct asked *a = asks("", "abc");

	assert_int_equal(decides(a, "allow user bob sha256 " ABC "\nallow user alice sha256 " ABC),
			 2);
	assert_int_equal(decides(a, "allow group tracers sha256 " ABC), 1);
	assert_int_equal(decides(a, "allow user bob sha256 " ABC "\nallow group ops sha256 " ABC),
			 0);
	says(a, "no rule of the policy applies to the user alice",
	     "ask the administrator for this line in /etc/probec/policy: allow user alice sha256 "
	     ABC);
	assert_int_equal(decides(a, ""), 0);
	says(a, "no rule of the policy applies to the user alice", ABC);
	/* A group of the name of a user, and a user of the name of a group. */
	assert_int_equal(decides(a, "allow group alice sha256 " ABC "\nallow user tracers sha256 "
				    ABC), 0);
	assert_int_equal(decides(a, "allow user alice sha256 " OTHER), 0);
	says(a, "no rule for the user alice allows this module", "alice sha256 " ABC);
	free_asked(a);
	a = asks("abc", NULL);
	assert_int_equal(decides(a, "allow user alice sha256 " ABC), 0);
	says(a, "no rule for the user alice", "./FILE");
	free_asked(a);
}

TEST(by_directory)
{
	struct asked *a = asks("abc.ko", NULL);
	char policy[256], other[512], hash[CONTENT_HEX_SIZE];

	put("granted/abc.ko", "abc", 0644);
	snprintf(policy, sizeof(policy), "allow user alice directory %s", in("granted"));
	snprintf(other, sizeof(other), "allow user alice directory %s\n%s", dir, policy);
	assert_int_equal(decides(a, policy), 1);
	content_hex(&a->content, hash);
	assert_string_equal(hash, ABC);
	/* In the second of two directories. */
	assert_int_equal(decides(a, other), 2);
	strcpy(a->request.name, "abd.ko");
	assert_int_equal(decides(a, policy), 0);
	says(a, "granted/abd.ko' does not exist", "name a file there");
	put("granted/abd.ko", "abc", 0666);
	assert_int_equal(decides(a, policy), 0);
	says(a, "abd.ko' can be written by users", "the administrator can change");
	put("granted/abd.ko", "", 0644);
	assert_int_equal(decides(a, policy), 0);
	says(a, "is not a module: it is empty", "");
	free_asked(a);
	a = asks("", "abc");
	assert_int_equal(decides(a, policy), 0);
	says(a, "line 1 of the policy allows the modules in", "by its file name alone; or ask the");
	free_asked(a);
}

TEST(by_signature)
{
	static const unsigned char head[] = { 0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
					      0x2b, 0x65, 0x70, 0x03, 0x21, 0x00 };
	unsigned char public[sizeof(head) + crypto_sign_PUBLICKEYBYTES],
		      secret[crypto_sign_SECRETKEYBYTES];
	char base64[128], pem[256], policy[256];
	struct asked *a = asks("", "abc");

	memcpy(public, head, sizeof(head));
	crypto_sign_keypair(public + sizeof(head), secret);
	sodium_bin2base64(base64, sizeof(base64), public, sizeof(public),
			  sodium_base64_VARIANT_ORIGINAL);
	snprintf(pem, sizeof(pem),
		 "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n", base64);
	put("ops.pem", pem, 0644);
	snprintf(policy, sizeof(policy), "allow group tracers signed %s", in("ops.pem"));
	assert_int_equal(decides(a, policy), 0);
	says(a, "this one came without a signature", "FILE.sig");
	a->request.is_signed = true;
	crypto_sign_detached(a->request.signature, NULL, (const unsigned char *)"abc", 3, secret);
	assert_int_equal(decides(a, policy), 1);
	for (size_t i = 0; i < sizeof(a->request.signature); i++) {
		a->request.signature[i] ^= 0x10;
		assert_int_equal(decides(a, policy), 0);
		a->request.signature[i] ^= 0x10;
	}
	says(a, "the signature was not made with this key", "sign this module again");
	put("ops.pem", pem, 0664);
	assert_int_equal(decides(a, policy), 0);
	says(a, "ops.pem' can be written by users", "");
	pem[40]++;
	put("ops.pem", pem, 0644);
	assert_int_equal(decides(a, policy), 0);
	put("ops.pem", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", 0644);
	assert_int_equal(decides(a, policy), 0);
	says(a, "not an Ed25519 public key", "");
	free_asked(a);
}

TEST(with_options)
{
	struct asked *a = asks("", "abc");
	static const char plain[] = "allow user alice sha256 " ABC " seconds=10",
			  more[] = "allow user alice sha256 " ABC " seconds=10\n"
				   "allow group staff sha256 " ABC " globals process seconds=20";

	a->request.nglobals = 1;
	assert_int_equal(decides(a, plain), 0);
	says(a, "line 1 of the policy allows this module without NAME=VALUE", "'globals'");
	assert_int_equal(decides(a, more), 2);
	a->request.nglobals = 0;
	a->request.head.pid = 1;
	assert_int_equal(decides(a, plain), 0);
	says(a, "without -x", "'process'");
	assert_int_equal(decides(a, more), 2);
	a->request.head.pid = 0;
	a->request.head.milliseconds = 10001;
	assert_int_equal(decides(a, plain), 0);
	says(a, "sessions of 10 seconds", "shorter -T");
	assert_int_equal(decides(a, more), 2);
	a->request.head.milliseconds = 10000;
	assert_int_equal(decides(a, plain), 1);
	assert_int_equal(decides(a, more), 1);
	free_asked(a);
}

/* ---- the file, sessions at a time ---- */

TEST(loads)
{
	struct check_problem why;
	struct policy p;

	put("policy", "allow user alice sha256 " ABC "\n", 0600);
	assert_int_equal(check_load(in("policy"), &p, &why), 0);
	assert_int_equal(p.n, 1);
	policy_deinit(&p);
	put("policy", "allow user alice sha256 " ABC "\nallow\n", 0600);
	assert_int_equal(check_load(in("policy"), &p, &why), -1);
	assert_int_equal(p.n, 0);
	assert_non_null(strstr(why.line, "/policy:2:6: error: "));
	assert_non_null(strstr(why.line, " [E_POLICY]"));
	policy_deinit(&p);
	put("policy", "", 0606);
	assert_int_equal(check_load(in("policy"), &p, &why), -1);
	assert_non_null(strstr(why.line, "can be written by users other than root [E_POLICY]"));
	assert_int_equal(check_load(in("no-policy"), &p, &why), -1);
	assert_non_null(strstr(why.line, "/no-policy' does not exist [E_POLICY]"));
}

static int takes_slot(uid_t uid, unsigned n)
{
	return slots_take(in("run/grants"), uid, SLOTS_SESSIONS, n);
}

TEST(counts)
{
	int one, two, three, all[POLICY_SESSIONS_MAX];

	one = takes_slot(1000, 2);
	two = takes_slot(1000, 2);
	assert_true(one >= 0 && two >= 0);
	assert_int_equal(takes_slot(1000, 2), -EUSERS);
	assert_int_equal(takes_slot(1000, 1), -EUSERS);
	three = takes_slot(1001, 1);
	assert_true(three >= 0);
	assert_int_equal(takes_slot(1001, 1), -EUSERS);
	close(three);
	three = takes_slot(UINT32_MAX, 1);
	assert_true(three >= 0);
	close(three);
	three = slots_take(in("run/grants"), 1000, SLOTS_REQUESTS, 1);
	assert_true(three >= 0);
	assert_int_equal(slots_take(in("run/grants"), 1000, SLOTS_REQUESTS, 1), -EUSERS);
	close(three);
	/* Another rule allows two, this one allows one, and one is there, whichever it is. */
	close(one);
	assert_int_equal(takes_slot(1000, 1), -EUSERS);
	close(two);
	one = takes_slot(1000, 1);
	assert_true(one >= 0);
	close(one);
	for (unsigned i = 0; i < POLICY_SESSIONS_MAX; i++)
		assert_true((all[i] = takes_slot(1000, POLICY_SESSIONS_MAX)) >= 0);
	assert_int_equal(takes_slot(1000, POLICY_SESSIONS_MAX), -EUSERS);
	for (unsigned i = 0; i < POLICY_SESSIONS_MAX; i++)
		close(all[i]);
	assert_int_equal(chmod(in("run"), 0755), 0);
	assert_int_equal(takes_slot(1000, 1), -EPERM);
}

/* Several at once get what there is, and no more. */
TEST(counts_at_once)
{
	enum { PROCESSES = 8, ALLOWED = 3 };
	int ready[2], taken[2], n = 0;
	pid_t pids[PROCESSES];
	char byte;

	assert_int_equal(chmod(in("run"), 0700), 0);
	assert_int_equal(pipe(ready) | pipe(taken), 0);
	for (unsigned i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		if (pids[i])
			continue;
		close(ready[1]);
		byte = read(ready[0], &byte, 1) == 0 && takes_slot(1002, ALLOWED) >= 0 ? 'y' : 'n';
		if (write(taken[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	close(ready[1]);
	for (unsigned i = 0; i < PROCESSES; i++) {
		assert_int_equal(read(taken[0], &byte, 1), 1);
		n += byte == 'y';
	}
	assert_int_equal(n, ALLOWED);
	for (unsigned i = 0; i < PROCESSES; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
}

UNIT_AROUND(begin, end)
