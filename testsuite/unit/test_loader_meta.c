/* SPDX-License-Identifier: GPL-2.0 */
/* A module's self-description: parsed correctly, and rejected in every damaged form. */
#include "machine/kernel.h"
#include "module/meta.h"
#include "module/module.h"
#include "unit.h"

static const char good[] = "probec\t14\t0.1\n"
			   "kernel\t6.1.0-test\tabcdef0123\n"
			   "later\tsomething\tthat a newer compiler says\n"
			   "script\treads.kp\n"
			   "file\t0\t/home/me/reads.kp\n"
			   "file\t2\ttapset.kp\n"
			   "place\t0\t0\t3\t5\t9\tprobe\\tx { a\\\\b }\n"
			   "place\t3\t2\t1\t1\t2\t\n"
			   "probe\t0\tbegin\tbegin\t0\n"
			   "probe\t1\tentry\tkernel.function(\"vfs_*\")\t3\n"
			   "site\t0\t1\tvmlinux\tvfs_read\t0\t0\t1\tkernel.function(\"vfs_read\")\n"
			   "site\t1\t1\tvmlinux\tvfs_write\t2\t0x10\t0\tpp\n"
			   "print\t0\t-\thello\\n\t0\n"
			   "print\t2\tls\t%d\\000%s\\011|\t-\n"
			   "print\t3\tls\t%d %s\t-\tn + 1\\n\"a\\\\n\"\n"
			   "print\t4\tsll\t%s%d%d\t-\tkey1\\ncount\\nsum\ttotal\n"
			   "global\t0\tn\tlong\n"
			   "global\t1\tname\tstring\n"
			   "switch\t1\n"
			   "cap\tmaxerrors\t5\n"
			   "cap\tmaxaction\t1000\n"
			   "target\t1\n"
			   "target_only\t1\n"
			   "end\n";

static int parse(const char *text, size_t len, struct meta *m, char why[256])
{
	return meta_parse(text, len, m, why, 256);
}

TEST(reads)
{
	struct meta m;
	char why[256];
	size_t len;

	assert_int_equal(parse(good, sizeof(good) - 1, &m, why), 0);
	assert_string_equal(m.compiler, "0.1");
	assert_string_equal(m.release, "6.1.0-test");
	assert_string_equal(m.build_id, "abcdef0123");
	assert_string_equal(m.script, "reads.kp");
	assert_int_equal(m.nprobes, 2);
	assert_string_equal(m.probes[1].kind, "entry");
	assert_int_equal(m.probes[1].srcloc, 3);
	assert_true(m.has_switches && m.probes[1].has_switch && !m.probes[0].has_switch);
	assert_int_equal(m.nsrclocs, 4);
	assert_string_equal(m.srclocs[0].file, "/home/me/reads.kp");
	assert_string_equal(m.srclocs[0].text, "probe\tx { a\\b }");
	assert_int_equal(m.srclocs[0].line, 3);
	assert_int_equal(m.srclocs[0].end_col, 9);
	assert_null(m.srclocs[1].file);
	assert_string_equal(m.srclocs[3].file, "tapset.kp");
	assert_int_equal(m.nsites, 2);
	assert_int_equal(m.sites[0].wildcard, 1);
	assert_int_equal(m.sites[1].namesake, 2);
	assert_int_equal(m.sites[1].offset, 16);
	assert_int_equal(m.nprints, 5);
	assert_string_equal(m.prints[0].types, "");
	assert_int_equal(m.prints[0].format_len, 6);
	assert_null(m.prints[1].format);
	assert_int_equal(m.prints[2].format_len, 7);
	assert_memory_equal(m.prints[2].format, "%d\0%s\t|", 7);
	assert_int_equal(m.prints[2].srcloc, META_NO_SRCLOC);
	assert_null(m.prints[2].names);
	assert_null(m.prints[3].global);
	assert_string_equal(meta_name(&m.prints[3], 1, &len), "\"a\\n\"");
	assert_memory_equal(meta_name(&m.prints[3], 0, &len), "n + 1", 5);
	assert_int_equal(len, 5);
	assert_null(meta_name(&m.prints[3], 2, &len));
	assert_string_equal(m.prints[4].global, "total");
	assert_int_equal(meta_keys(&m.prints[4]), 1);
	assert_int_equal(m.nglobals, 2);
	assert_int_equal(m.globals[1].is_string, 1);
	assert_int_equal(m.uses_target, 1);
	assert_true(m.target_only);
	meta_deinit(&m);
}

/* A description that is cut anywhere is rejected: nothing of it is used before its end was seen. */
TEST(cut)
{
	for (size_t len = 0; len < sizeof(good) - 1; len++) {
		struct meta m;
		char why[256];

		assert_int_equal(parse(good, len, &m, why), -1);
		assert_true(why[0] != '\0');
	}
}

/* Any single byte may be wrong: whether the description is rejected or not, nothing is read out of
 * bounds (run with sanitizers). */
TEST(any_byte)
{
	static const char bytes[] = { '\0', '\t', '\n', '\\', '9', '-', (char)0xff };

	for (size_t i = 0; i < sizeof(good) - 1; i++)
		for (size_t b = 0; b < sizeof(bytes); b++) {
			struct meta m;
			char text[sizeof(good)], why[256];

			memcpy(text, good, sizeof(good));
			text[i] = bytes[b];
			if (parse(text, sizeof(good) - 1, &m, why) == 0)
				meta_deinit(&m);
		}
}

TEST(damaged)
{
	static const char *const bad[] = {
		"",
		"end\n",
		"probec\t14\t0.1\nend\n",
		"kernel\t6.1\t-\nprobec\t13\t0.1\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\nend\n",
		"probec\tone\t0.1\nkernel\t6.1\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\\q\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nprobe\t0\tbegin\tbegin\t0\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nprobe\t1\tbegin\tbegin\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nprobe\t4000000000\tbegin\tbegin\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\n"
		"probe\t99999999999999999999\tbegin\tbegin\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\n"
		"probe\t0\tbegin\tb\t-\nprobe\t0\tbegin\tb\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nsite\t0\t0\tvmlinux\tf\t0\t0\t0\tpp\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nprint\t0\tlqs\tx\t-\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nplace\t0\t0\t1\t1\t1\ttext\nend\n",
		"probec\t14\t0.1\nkernel\t6.1\t-\nglobal\t0\tn\tfloat\nend\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct meta m;
		char why[256];

		if (parse(bad[i], strlen(bad[i]), &m, why) == 0)
			fail_msg("accepted: %s", bad[i]);
	}
}

TEST(other_version)
{
	static const char text[] = "probec\t7\t7.0\nwhatever\nend\n";
	struct meta m;
	char why[256];

	assert_int_equal(parse(text, sizeof(text) - 1, &m, why), -1);
	assert_non_null(strstr(why, "version 7"));
	assert_non_null(strstr(why, "probec 7.0"));
}

TEST(build_ids)
{
	static const unsigned char notes[] = {
		6, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 'L', 'i', 'n', 'u', 'x', 0, 0,    0, 9,    9,
		0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0,   0,   'G', 'N', 'U', 0, 0xab, 1, 0xff, 0,
	};
	char id[KERNEL_BUILD_ID_SIZE];

	assert_int_equal(kernel_build_id_find(notes, sizeof(notes), id), 1);
	assert_string_equal(id, "ab01ff");
	for (size_t len = 0; len < sizeof(notes); len++)
		assert_int_equal(kernel_build_id_find(notes, len, id), 0);
}

/* Files of many shapes that are not modules are rejected without reading outside of the image. */
TEST(no_module)
{
	struct module m;
	const char *why;
	FILE *f = fopen("/proc/self/exe", "r");
	char head[64];

	assert_non_null(f);
	assert_int_equal(fread(head, 1, sizeof(head), f), sizeof(head));
	fclose(f);
	for (size_t len = 0; len <= sizeof(head); len++) {
		char *image = malloc(len ? len : 1);

		memcpy(image, head, len);
		if (len > 16)
			image[16] = 1; /* ET_REL */
		assert_int_equal(module_parse(image, len, &m, &why), -1);
		module_deinit(&m);
	}
}
