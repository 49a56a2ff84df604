/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading kbuild's .cmd files, in the form of 6.1 (objtool runs on each object) and of 6.12
 * (objtool runs on the joined object), shortened.
 */
#include "tmp_fixture.h"
#include "unit.h"

#include "build/private.h"
#include "records.h"

static int setup(void **state)
{
	*state = tmp_begin();
	return 0;
}

static int teardown(void **state)
{
	return tmp_end(*state);
}

/* Writes tmp/NAME; PLACE stands for the placeholder and DIR for the directory in both strings. */
static void put(struct state *s, const char *name, const char *text)
{
	struct buf b[2];
	const char *in[2] = { name, text };

	for (int i = 0; i < 2; i++) {
		buf_init(&b[i]);
		buf_puts(&b[i], "");
		for (const char *p = in[i]; *p;) {
			if (strncmp(p, "PLACE", 5) == 0) {
				buf_puts(&b[i], PRT_PLACEHOLDER);
				p += 5;
			} else if (strncmp(p, "DIR", 3) == 0) {
				buf_puts(&b[i], s->tmp_dir);
				p += 3;
			} else {
				buf_putc(&b[i], *p++);
			}
		}
	}
	assert_int_equal(file_write(arena_printf(s->arena, "%s/%s", s->tmp_dir, b[0].s),
				    b[1].s, b[1].len), 0);
	buf_deinit(&b[0]);
	buf_deinit(&b[1]);
}

static const char *text_of(struct state *s, const struct kbuild_words *w)
{
	const char *text = "";

	for (size_t i = 0; i < w->w.n; i++)
		text = arena_printf(s->arena, "%s%s%s", text, i ? " " : "", w->w.v[i]);
	return text;
}

TEST_WITH(split, setup, teardown)
{
	struct state *s = *state;
	struct kbuild_words w = { 0 };

	kbuild_flags_split(s, "gcc  -DX='\"a b\"' -Dq=$$1\\ 2 \"-s t\"; ./obj $(pound)x '' \n more",
			   &w);
	assert_int_equal(w.w.n, 8);
	assert_string_equal(w.w.v[0], "gcc");
	assert_string_equal(w.w.v[1], "-DX=\"a b\"");
	assert_string_equal(w.w.v[2], "-Dq=$1 2");
	assert_string_equal(w.w.v[3], "-s t");
	assert_string_equal(w.w.v[4], ";");
	assert_string_equal(w.w.v[5], "./obj");
	assert_string_equal(w.w.v[6], "#x");
	assert_string_equal(w.w.v[7], "");
}

#define COMPILE                                                                                    \
	"gcc-12 -Wp,-MMD,DIR/.a.o.d -nostdinc -I/h/include -include /h/kconfig.h -D__KERNEL__ "    \
	"-fmacro-prefix-map=/h/= -Wall -Werror=date-time -fno-PIE -mno-sse -mharden-sls=all -O2 "  \
	"-fsanitize=kernel-address --param asan-globals=1 "                                        \
	"-fno-allow-store-data-races -pg -mrecord-mcount -mfentry -DCC_USING_FENTRY -g -DMODULE "  \
	"-DKBUILD_MODNAME='\"PLACE\"' -c -o DIR/sub/a.o DIR/sub/a.c"
#define OBJTOOL "./tools/objtool/objtool --hacks=noinstr --orc "
#define LINK                                                                                       \
	"ld -r -m elf_x86_64 --build-id=sha1 -T arch/x86/module.lds -o DIR/PLACE.ko DIR/PLACE.o "  \
	"DIR/PLACE.mod.o"

static void check_collected(struct state *s, const char *objtool)
{
	struct kbuild_runtime rt = { 0 }, again = { 0 };
	struct kbuild_words objects = { 0 };
	const char *file = arena_printf(s->arena, "%s/flags", s->tmp_dir);

	assert_int_equal(kbuild_flags_collect(s, s->tmp_dir, "/tree", &rt, &objects), 0);
	assert_string_equal(text_of(s, &rt.cc), "gcc-12 -nostdinc -fno-PIE -mno-sse "
			    "-mharden-sls=all -fsanitize=kernel-address --param asan-globals=1 "
			    "-fno-allow-store-data-races");
	assert_string_equal(text_of(s, &rt.objtool), objtool);
	assert_string_equal(text_of(s, &rt.ld),
			    "ld -r -m elf_x86_64 --build-id=sha1 -T /tree/arch/x86/module.lds");
	assert_int_equal(objects.w.n, 2);
	assert_int_equal(kbuild_flags_save(&rt, file), 0);
	assert_int_equal(kbuild_flags_load(s, file, &again), 0);
	assert_string_equal(text_of(s, &again.cc), text_of(s, &rt.cc));
	assert_string_equal(text_of(s, &again.objtool), objtool);
	assert_string_equal(text_of(s, &again.ld), text_of(s, &rt.ld));
}

TEST_WITH(objtool_on_each, setup, teardown)
{
	struct state *s = *state;

	put(s, "PLACE.mod", "DIR/a.o\nDIR/b.o\n");
	put(s, ".a.o.cmd", "cmd_DIR/a.o := " COMPILE " ; " OBJTOOL " --module DIR/a.o\n\n"
	    "source_x := y\n");
	put(s, ".PLACE.o.cmd", "cmd_DIR/PLACE.o := ld -r -o DIR/PLACE.o @DIR/PLACE.mod\n");
	put(s, ".PLACE.ko.cmd", "cmd_DIR/PLACE.ko := " LINK ";  true\n");
	check_collected(s, "/tree/tools/objtool/objtool --hacks=noinstr --orc --module");
}

TEST_WITH(objtool_on_joined, setup, teardown)
{
	struct state *s = *state;

	put(s, "PLACE.mod", "DIR/a.o\nDIR/b.o\n");
	put(s, ".a.o.cmd", "savedcmd_DIR/a.o := " COMPILE "\n");
	put(s, ".PLACE.o.cmd", "savedcmd_DIR/PLACE.o := ld -r -o DIR/PLACE.o @DIR/PLACE.mod  ; "
	    OBJTOOL "--link  --module DIR/PLACE.o\n");
	put(s, ".PLACE.ko.cmd", "savedcmd_DIR/PLACE.ko := " LINK "\n");
	check_collected(s, "/tree/tools/objtool/objtool --hacks=noinstr --orc --link --module");
}

/* clang's optimisation at the link is left out, and files of the tree that arrange the members of
 * structures get their whole names. */
TEST_WITH(files_and_link, setup, teardown)
{
	struct state *s = *state;
	struct kbuild_runtime rt = { 0 };
	struct kbuild_words objects = { 0 };

	put(s, "PLACE.mod", "DIR/a.o\n");
	put(s, ".a.o.cmd", "savedcmd_DIR/a.o := clang-16 -flto=thin -fsplit-lto-unit "
	    "-fplugin=./scripts/gcc-plugins/a.so -fplugin=/b.so -fplugin-arg-a-performance-mode "
	    "-frandomize-layout-seed-file=./scripts/basic/seed -fsanitize=kcfi -c -o DIR/a.o "
	    "DIR/a.c\n");
	put(s, ".PLACE.o.cmd", "savedcmd_DIR/PLACE.o := ld.lld -r -o DIR/PLACE.o DIR/a.o\n");
	put(s, ".PLACE.ko.cmd", "savedcmd_DIR/PLACE.ko := " LINK "\n");
	assert_int_equal(kbuild_flags_collect(s, s->tmp_dir, "/tree", &rt, &objects), 0);
	assert_string_equal(text_of(s, &rt.cc), "clang-16 "
			    "-fplugin=/tree/scripts/gcc-plugins/a.so -fplugin=/b.so "
			    "-fplugin-arg-a-performance-mode "
			    "-frandomize-layout-seed-file=/tree/scripts/basic/seed "
			    "-fsanitize=kcfi");
}

TEST_WITH(damaged_file, setup, teardown)
{
	struct state *s = *state;
	const char *file = arena_printf(s->arena, "%s/flags", s->tmp_dir);
	const char *const texts[] = {
		"", "\n", "probec-runtime 0\n1\ngcc\n0\n1\nld\n", "probec-runtime 1\n",
		"probec-runtime 1\n9\ngcc\n", "probec-runtime 1\n-1\n99999999999\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct kbuild_runtime rt = { 0 };

		assert_int_equal(file_write(file, texts[i], strlen(texts[i])), 0);
		assert_int_not_equal(kbuild_flags_load(s, file, &rt), 0);
	}
}
