/* SPDX-License-Identifier: GPL-2.0 */
/* The policy of probec-grant: rules are read as they stand, and a mistake gives none. */
#include "policy.h"
#include "unit.h"

#define HASH "0123456789abcdefABCDEF00000000000000000000000000000000000000ff7f"

static int parse(const char *text, size_t len, struct policy *ret, struct policy_mistake *wrong)
{
	char *copy = malloc(len + 1);

	memcpy(copy, text, len);
	return policy_parse(copy, len, ret, wrong);
}

static struct policy accepts(const char *text)
{
	struct policy_mistake wrong;
	struct policy p;

	if (parse(text, strlen(text), &p, &wrong))
		fail_msg("%u:%u: %s", wrong.line, wrong.col, wrong.text);
	return p;
}

TEST(reads_rules)
{
	struct policy p = accepts(
		"# comment\n"
		"allow user alice sha256 " HASH "\n"
		"\n"
		"  allow\tgroup  tracers directory /usr/lib/probec/granted seconds=90 "
		"sessions=2 memory=128M output=10K globals process guru # end\n"
		"allow user b\303\244r signed /etc/probec/keys/ops.pem output=2G memory=7");
	const struct policy_rule *r = p.rules;

	assert_int_equal(p.n, 3);
	assert_int_equal(r->line, 2);
	assert_int_equal(r->subject, POLICY_USER);
	assert_string_equal(r->name, "alice");
	assert_int_equal(r->object, POLICY_SHA256);
	assert_memory_equal(r->hash, "\x01\x23\x45\x67\x89\xab\xcd\xef\xab\xcd\xef\0", 12);
	assert_memory_equal(r->hash + 30, "\xff\x7f", 2);
	assert_null(r->path);
	assert_int_equal(r->limits.seconds, 60);
	assert_int_equal(r->limits.sessions, 1);
	assert_int_equal(r->limits.memory, 64 << 20);
	assert_int_equal(r->limits.output, 64 << 20);
	assert_false(r->limits.globals || r->limits.process || r->limits.guru);
	r++;
	assert_int_equal(r->line, 4);
	assert_int_equal(r->subject, POLICY_GROUP);
	assert_string_equal(r->name, "tracers");
	assert_int_equal(r->object, POLICY_DIRECTORY);
	assert_string_equal(r->path, "/usr/lib/probec/granted");
	assert_int_equal(r->limits.seconds, 90);
	assert_int_equal(r->limits.sessions, 2);
	assert_int_equal(r->limits.memory, 128 << 20);
	assert_int_equal(r->limits.output, 10 << 10);
	assert_true(r->limits.globals && r->limits.process && r->limits.guru);
	r++;
	assert_int_equal(r->line, 5);
	assert_string_equal(r->name, "b\303\244r");
	assert_int_equal(r->object, POLICY_SIGNED);
	assert_string_equal(r->path, "/etc/probec/keys/ops.pem");
	assert_int_equal(r->limits.output, INT64_C(2) << 30);
	assert_int_equal(r->limits.memory, 7);
	policy_deinit(&p);
	p = accepts("");
	assert_int_equal(p.n, 0);
	policy_deinit(&p);
}

/* The text has no rule that is wrong before that place. */
static void refuses(const char *text, size_t len, unsigned line, unsigned col, const char *words)
{
	struct policy_mistake wrong;
	struct policy p;

	if (!parse(text, len, &p, &wrong))
		fail_msg("'%s' is accepted", text);
	if (wrong.line != line || wrong.col != col || !strstr(wrong.text, words))
		fail_msg("'%s': %u:%u: %s", text, wrong.line, wrong.col, wrong.text);
	assert_int_equal(p.n, 0);
	policy_deinit(&p);
}

TEST(refuses_mistakes)
{
	static const char good[] = "allow user alice sha256 " HASH "\n";
	static const struct { const char *text; unsigned col; const char *words; } all[] = {
		{ "permit user alice", 1, "begins with 'allow'" },
		{ "allow", 6, "'user NAME' or 'group NAME'" },
		{ "allow alice", 7, "'user NAME' or 'group NAME'" },
		{ "allow users alice", 7, "'user NAME' or 'group NAME'" },
		{ "allow user", 11, "the name of a user" },
		{ "allow group ", 13, "the name of a group" },
		{ "allow user alice", 17, "'sha256 HASH'" },
		{ "allow user alice md5 1", 18, "'sha256 HASH'" },
		{ "allow user alice sha256", 24, "a hash is expected" },
		{ "allow user alice sha256 12", 25, "64 hexadecimal digits" },
		{ "allow user alice sha256 " HASH "0", 25, "64 hexadecimal digits" },
		{ "allow user alice sha256 g123456789abcdef0123456789abcdef0123456789abcdef"
		  "0123456789abcdef", 25, "consists of hexadecimal digits" },
		{ "allow user alice directory", 27, "the path of a directory is expected" },
		{ "allow user alice directory granted", 28, "begins with '/'" },
		{ "allow user alice directory /", 28, "an empty part" },
		{ "allow user alice directory /a/", 28, "an empty part" },
		{ "allow user alice directory /a//b", 28, "an empty part" },
		{ "allow user alice directory /a/./b", 28, "an empty part" },
		{ "allow user alice directory /a/..", 28, "an empty part" },
		{ "allow user alice signed", 24, "the path of a key" },
		{ "allow user alice signed key.pem", 25, "begins with '/'" },
		{ "allow user alice directory /a second=1", 31, "'second=1' is none of" },
		{ "allow user alice directory /a seconds", 31, "is none of" },
		{ "allow user alice directory /a globals=1", 31, "is none of" },
		{ "allow user alice directory /a /b", 31, "is none of" },
		{ "allow user alice directory /a seconds=", 31, "a number is expected" },
		{ "allow user alice directory /a seconds=-1", 31, "a number is expected" },
		{ "allow user alice directory /a seconds=+1", 31, "a number is expected" },
		{ "allow user alice directory /a seconds=0", 31, "not from 1 to 604800" },
		{ "allow user alice directory /a seconds=604801", 31, "not from 1 to 604800" },
		{ "allow user alice directory /a seconds=1.5", 31, "only digits" },
		{ "allow user alice directory /a seconds=1K", 31, "only digits" },
		{ "allow user alice directory /a seconds=99999999999999999999", 31, "a number is" },
		{ "allow user alice directory /a sessions=65", 31, "not from 1 to 64" },
		{ "allow user alice directory /a memory=1T", 31, "a size is a number" },
		{ "allow user alice directory /a memory=1MB", 31, "a size is a number" },
		{ "allow user alice directory /a memory=1025G", 31, "not from 1 to" },
		{ "allow user alice directory /a memory=18446744073709551615G", 31, "not from 1" },
		{ "allow user \"alice\"", 12, "have no meaning" },
		{ "allow user alice\r", 17, "have no meaning" },
		{ "allow user al\\ice", 14, "have no meaning" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char text[512];
		int n;

		refuses(all[i].text, strlen(all[i].text), 1, all[i].col, all[i].words);
		n = snprintf(text, sizeof(text), "%s\n%s\n%s", good, all[i].text, good);
		refuses(text, (size_t)n, 3, all[i].col, all[i].words);
	}
	refuses("allow\0user", 10, 1, 6, "a NUL byte");
	refuses("# \0\nx", 5, 1, 3, "a NUL byte");
}

TEST(refuses_too_many)
{
	enum { LINE = sizeof("allow user a directory /a\n") - 1 };
	size_t len = (size_t)LINE * (POLICY_RULES_MAX + 1);
	char *text = malloc(len + 1), name[2 * 256];
	struct policy_mistake wrong;
	struct policy p;

	for (size_t at = 0; at < len; at += LINE)
		memcpy(text + at, "allow user a directory /a\n", LINE);
	assert_int_equal(parse(text, len - LINE, &p, &wrong), 0);
	assert_int_equal(p.n, POLICY_RULES_MAX);
	policy_deinit(&p);
	refuses(text, len, POLICY_RULES_MAX + 1, 1, "more than 4096 rules");
	free(text);
	memset(name, 'a', sizeof(name));
	memcpy(name, "allow user ", 11);
	refuses(name, 11 + 256, 1, 12, "longer than 255 bytes");
}
