/* SPDX-License-Identifier: GPL-2.0 */
/* Builds the stacks of a profile, for all formats. */
#include <string.h>

#include "base/arena.h"
#include "profile/private.h"

/* Most frames of a stack: enough for two of the longest stacks of a session, with keys. */
enum { FRAMES_MAX = 4096 };

static const struct profile_frame *frame_of(struct profile *p, enum frame_kind kind,
					    const char *name, size_t len, const char *module)
{
	const char *key = arena_printf(p->a, "%d%s\n%.*s", kind, module ? module : "", (int)len,
				       name);
	struct profile_frame *f = map_get(&p->frames, key);

	if (f)
		return f;
	f = NEW(p->a, struct profile_frame);
	f->name = arena_strndup(p->a, name, len);
	f->module = module ? arena_strdup(p->a, module) : NULL;
	f->kind = kind;
	f->number = (uint32_t)p->frames.n + 1;
	map_set(&p->frames, key, f);
	return f;
}

void builder_start(struct builder *b)
{
	b->steps.n = b->stacks = 0;
}

void builder_add(struct builder *b, enum frame_kind kind, const char *name, size_t len,
		 const char *module, uint64_t address)
{
	struct profile_step step = { .address = address };

	if (!len) {
		name = "(empty)";
		len = strlen(name);
	}
	step.frame = frame_of(b->p, kind, name, len, module);
	vec_push(b->p->a, &b->steps, step);
}

void builder_add_script(struct builder *b, const char *name, size_t len, const char *file,
			size_t file_len)
{
	const char *slash = memrchr(file, '/', file_len);
	const char *base = slash ? slash + 1 : file;
	const char *text = arena_strndup(b->p->a, name, len);

	if (!file_len) {
		builder_add(b, FRAME_SCRIPT, name, len, NULL, 0);
		return;
	}
	text = arena_printf(b->p->a, "%s (%.*s)", text, (int)(file + file_len - base), base);
	builder_add(b, FRAME_SCRIPT, text, strlen(text),
		    arena_strndup(b->p->a, file, file_len), 0);
}

size_t builder_stack(struct builder *b)
{
	if (b->stacks++)
		builder_add(b, FRAME_NOTE, "--", 2, NULL, 0);
	return b->steps.n;
}

void builder_reverse(struct builder *b, size_t from)
{
	for (size_t i = from, j = b->steps.n; j > i + 1; i++) {
		struct profile_step step = b->steps.v[i];

		b->steps.v[i] = b->steps.v[--j];
		b->steps.v[j] = step;
	}
}

static bool add_number(const struct builder *b, uint64_t *to, uint64_t n)
{
	if (n > INT64_MAX - *to) {
		diag_error(b->l->d, saved_lines_range(b->l, 0, b->l->len), E_BAD_PROFILE,
			   "the sum of the numbers up to here does not fit in 63 bits");
		return false;
	}
	*to += n;
	return true;
}

bool builder_end(struct builder *b, const char *name, bool aggregate, uint64_t count, uint64_t sum)
{
	struct profile *p = b->p;
	struct profile_set *set = map_get(&p->sets, name);
	struct profile_stack s = { .n = b->steps.n, .count = count, .sum = sum };

	if (s.n > FRAMES_MAX) {
		diag_error(b->l->d, saved_lines_range(b->l, 0, b->l->len), E_BAD_PROFILE,
			   "a stack of %zu frames; at most %d are possible", s.n, FRAMES_MAX);
		return false;
	}
	if (!set) {
		set = NEW(p->a, struct profile_set);
		set->name = arena_strdup(p->a, name);
		map_set(&p->sets, set->name, set);
	}
	set->aggregate |= aggregate;
	if (!add_number(b, &set->count, count) || !add_number(b, &set->sum, sum))
		return false;
	if (!s.n)
		return true;
	s.steps = arena_alloc(p->a, s.n * sizeof(*s.steps));
	memcpy(s.steps, b->steps.v, s.n * sizeof(*s.steps));
	vec_push(p->a, &set->stacks, s);
	return true;
}
