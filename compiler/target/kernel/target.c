/* SPDX-License-Identifier: GPL-2.0 */
/* Captured targets: maps the file and finds its sections. Only the lines are read. */
#include "target/kernel/target.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "target/kernel/namelist.h"
#include "runtime/abi/target.h"

static const char *const section_names[TARGET_SECTIONS] = {
	[TARGET_SYMBOLS] = "symbols",         [TARGET_MODULES] = "modules",
	[TARGET_BLACKLIST] = "blacklist",     [TARGET_FTRACE] = "ftrace",
	[TARGET_TRACEPOINTS] = "tracepoints", [TARGET_CONFIG] = "config",
	[TARGET_BTF] = "btf",                 [TARGET_MODULE_IDS] = "module-ids",
	[TARGET_ALIASES] = "aliases",         [TARGET_DATA] = "data",
	[TARGET_INLINED] = "inlined",
};

#define MODULE_BTF "module-btf:"

/* The rest of the file. */
struct target_reader {
	const char *p, *end;
	unsigned line; /* number of the last line that was read */
};

/* Reads the next line without its newline. False at the end, or if the last line has no newline. */
static bool next_line(struct target_reader *r, const char **line, size_t *len)
{
	const char *nl = r->p < r->end ? memchr(r->p, '\n', (size_t)(r->end - r->p)) : NULL;

	if (!nl)
		return false;
	*line = r->p;
	*len = (size_t)(nl - r->p);
	r->p = nl + 1;
	r->line++;
	return true;
}

/* The text after "KEY " in the line, or NULL. */
static const char *value_of(const char *line, const char *key)
{
	size_t n = strlen(key);

	return strncmp(line, key, n) == 0 && line[n] == ' ' ? line + n + 1 : NULL;
}

/* Reads "section NAME LENGTH", and advances past the section. */
static bool read_section(struct arena *a, struct target_reader *r, struct target *t,
			 const char *name_and_length)
{
	const char *space = strchr(name_and_length, ' ');

	if (!space)
		return false;

	size_t name_len = (size_t)(space - name_and_length);
	char *stop;

	errno = 0;

	unsigned long long size = strtoull(space + 1, &stop, 10);
	size_t left = (size_t)(r->end - r->p);

	if (errno || *stop || stop == space + 1 || size >= left || r->p[size] != '\n')
		return false;
	for (int i = 0; i < TARGET_SECTIONS; i++) {
		if (strlen(section_names[i]) == name_len &&
		    memcmp(section_names[i], name_and_length, name_len) == 0) {
			t->section[i].data = r->p;
			t->section[i].size = size;
		}
	}

	size_t prefix = strlen(MODULE_BTF);

	if (name_len > prefix && memcmp(name_and_length, MODULE_BTF, prefix) == 0) {
		struct target_btf one = { name_and_length + prefix, r->p, name_len - prefix, size };

		vec_push(a, &t->module_btf, one);
	}
	r->p += size + 1;
	return true;
}

static int parse(struct arena *a, struct target *t, const char **why)
{
	struct target_reader r = { .p = t->map, .end = (const char *)t->map + t->map_size };
	const char *text;
	size_t len;

	if (!next_line(&r, &text, &len) || len > 64 ||
	    !value_of(arena_strndup(a, text, len), "probec-target")) {
		*why = "it is not a captured target";
		return -EINVAL;
	}
	if (len != strlen(PRT_TARGET_MAGIC) || memcmp(text, PRT_TARGET_MAGIC, len) != 0) {
		*why = arena_printf(a, "its format is '%.*s', but this probec reads '%s'", (int)len,
				    text, PRT_TARGET_MAGIC);
		return -EINVAL;
	}
	while (next_line(&r, &text, &len) && len < 4096) {
		const char *line = arena_strndup(a, text, len), *value;

		if (strcmp(line, "end") == 0)
			return 0;
		if ((value = value_of(line, "release")))
			t->release = value;
		else if ((value = value_of(line, "build-id")))
			t->build_id = strcmp(value, "-") == 0 ? NULL : value;
		else if ((value = value_of(line, "machine")))
			t->machine = value;
		else if ((value = value_of(line, "image")))
			t->image = value;
		else if ((value = value_of(line, "section")) && !read_section(a, &r, t, value))
			break;
	}
	*why = arena_printf(a, "it is damaged or truncated after line %u", r.line);
	return -EINVAL;
}

/* Whether @word, which becomes a part of paths and messages, has only the characters that releases,
 * machines and build-ids have; true for NULL. */
static bool is_plain(const char *word)
{
	if (!word)
		return true;
	for (const char *p = word; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("+-._~:", *p))
			return false;
	return *word && *word != '.';
}

/* Functions of one name would be numbered in another way than by the loader
 * (shared/kernel_symbols.h). */
static bool has_data_as_text(const struct target *t)
{
	const struct namelist l = { t->section[TARGET_SYMBOLS].data,
				    t->section[TARGET_SYMBOLS].size };

	return namelist_count(&l, "_sdata");
}

int target_open(struct arena *a, const char *path, struct target *ret, const char **why)
{
	struct stat st;

	*ret = (struct target){ .path = path };

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		*why = fd < 0 ? strerror(errno) : "it is not a regular file";
		if (fd >= 0)
			close(fd);
		return -ENOENT;
	}
	if (st.st_size == 0) {
		close(fd);
		*why = "it is empty";
		return -EINVAL;
	}

	void *map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	if (map == MAP_FAILED) {
		*why = strerror(errno);
		return -ENOENT;
	}
	ret->map = map;
	ret->map_size = (size_t)st.st_size;
	ret->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;

	int err = parse(a, ret, why);

	if (!err && !ret->release) {
		*why = "it names no release";
		err = -EINVAL;
	}
	if (!err &&
	    !(is_plain(ret->release) && is_plain(ret->build_id) && is_plain(ret->machine))) {
		*why = "its release, machine or build-id is not a name";
		err = -EINVAL;
	}
	if (!err && has_data_as_text(ret)) {
		*why = "it lists variables of this kernel as functions, as older versions of "
		       "proberun did";
		err = -EINVAL;
	}
	if (err)
		target_close(ret);
	return err;
}

const char *target_module_btf(const struct target *t, const char *name, size_t *size)
{
	vec_each(one, &t->module_btf) {
		if (strlen(name) == one->name_len && memcmp(name, one->name, one->name_len) == 0) {
			*size = one->size;
			return one->data;
		}
	}
	return NULL;
}

void target_close(struct target *t)
{
	if (t->map)
		munmap(t->map, t->map_size);
	*t = (struct target){0};
}
