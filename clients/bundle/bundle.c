/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes bundles (shared/bundle.h). A bundle depends on nothing but its modules, proberun and the
 * script: two that are made of the same have the same bytes.
 */
#include "bundle/bundle.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

#include "base/diag.h"
#include "shared/file.h"
#include "target/object/section.h"
#include "options/script.h"
#include "records.h"
#include "shared/bundle.h"
#include "state.h"

static const struct range nowhere;

/* ---- modules ---- */

/* The text of the section .probec, or NULL. */
static const char *find_meta(struct state *s, const struct bundle_module *m)
{
	Elf *elf = elf_memory((char *)m->image, m->size);
	GElf_Shdr head;
	Elf_Scn *scn = elf ? section_find(elf, PRT_META_SECTION, &head) : NULL;
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	const char *ret = data && data->d_buf ?
		arena_strndup(s->arena, data->d_buf, strnlen(data->d_buf, data->d_size)) : NULL;

	elf_end(elf);
	return ret;
}

/* "kernel RELEASE BUILD-ID" */
static bool read_kernel(struct state *s, const char *meta, struct bundle_module *ret)
{
	const char *line = meta ? strstr(meta, "\nkernel\t") : NULL, *tab;
	size_t len;

	if (!line)
		return false;
	line += 8;
	len = strcspn(line, "\t\n");
	tab = line + len;
	if (!len || *tab != '\t')
		return false;
	ret->release = arena_strndup(s->arena, line, len);
	ret->build_id = arena_strndup(s->arena, tab + 1, strcspn(tab + 1, "\t\n"));
	return true;
}

int bundle_read_module(struct state *s, const char *path, struct bundle_module *ret)
{
	struct buf b;
	int err;

	buf_init(&b);
	err = file_read(path, &b);
	if (err) {
		diag_error(s->diag, nowhere, E_IO, "can't read '%s': %s", path, strerror(-err));
	} else {
		elf_version(EV_CURRENT);
		ret->image = memcpy(arena_alloc(s->arena, b.len + 1), b.s, b.len);
		ret->size = b.len;
		if (!read_kernel(s, find_meta(s, ret), ret)) {
			diag_error(s->diag, nowhere, E_BAD_MODULE,
				   "'%s' does not say for which kernel it was built", path);
			err = -1;
		}
	}
	buf_deinit(&b);
	return err ? -1 : 0;
}

/* ---- the index ---- */

/* A field has neither tabs nor NULs. */
static void put_field(struct buf *b, const char *text)
{
	buf_putc(b, '\t');
	for (; text && *text; text++)
		buf_putc(b, *text == '\t' ? ' ' : *text);
}

static void end_record(struct buf *b)
{
	buf_putc(b, '\0');
}

static void put_script(struct state *s, struct buf *b)
{
	const struct script_head *head = s->opt.head;

	buf_puts(b, "script");
	put_field(b, s->text ? s->text->name : s->opt.script_path);
	end_record(b);
	if (!head)
		return;
	if (head->title) {
		buf_puts(b, "about");
		put_field(b, arena_printf(s->arena, "%s - %s", head->name, head->title));
		end_record(b);
	}
	vec_each(line, &head->text) {
		buf_puts(b, "about");
		put_field(b, *line);
		end_record(b);
	}
	vec_each(o, &head->options) {
		buf_puts(b, "option");
		put_field(b, o->letter ? (char[]){ o->letter, '\0' } : "");
		put_field(b, o->name);
		put_field(b, o->value);
		put_field(b, o->global);
		put_field(b, o->help);
		end_record(b);
	}
}

static void put_index(struct state *s, struct buf *b, const bundle_modules *modules,
		      const bundle_words *arguments, size_t offset)
{
	buf_puts(b, "bundle");
	end_record(b);
	put_script(s, b);
	vec_each(m, modules) {
		buf_puts(b, "module");
		put_field(b, m->release);
		put_field(b, m->build_id);
		buf_printf(b, "\t%zu\t%zu", offset, m->size);
		end_record(b);
		offset += m->size;
	}
	vec_each(word, arguments) {
		buf_printf(b, "argument\t%s", *word);
		end_record(b);
	}
	buf_puts(b, "end");
	end_record(b);
}

/* ---- the file ---- */

static int read_proberun(struct state *s, struct buf *b)
{
	int err = file_read(s->static_proberun, b);

	if (!err)
		return 0;
	diag_error(s->diag, nowhere, E_IO, "can't read the static proberun '%s': %s",
		   s->static_proberun, strerror(-err));
	diag_hint(s->diag, "`make static-proberun install` makes it, with the static libraries of "
		  "the packages libc6-dev, liblzma-dev and libiberty-dev");
	return -1;
}

int bundle_write(struct state *s, const char *path, const bundle_modules *modules,
		 const bundle_words *arguments)
{
	struct bundle_trailer t = { .magic = BUNDLE_MAGIC };
	VEC(struct iovec) parts = { 0 };
	struct buf program, index;
	int err;

	buf_init(&program);
	buf_init(&index);
	err = read_proberun(s, &program);
	if (!err) {
		put_index(s, &index, modules, arguments, program.len);
		t.index = program.len;
		vec_push(s->arena, &parts, ((struct iovec){ program.s, program.len }));
		vec_each(m, modules) {
			vec_push(s->arena, &parts, ((struct iovec){ (char *)m->image, m->size }));
			t.index += m->size;
		}
		t.index_size = index.len;
		t.size = t.index + index.len + sizeof(t);
		vec_push(s->arena, &parts, ((struct iovec){ index.s, index.len }));
		vec_push(s->arena, &parts, ((struct iovec){ &t, sizeof(t) }));
		err = file_replace(path, 0755, parts.v, (int)parts.n);
		if (err)
			diag_error(s->diag, nowhere, E_IO, "can't write '%s': %s", path,
				   strerror(-err));
	}
	buf_deinit(&program);
	buf_deinit(&index);
	return err ? -1 : 0;
}
