/* SPDX-License-Identifier: GPL-2.0 */
/* The files are those of root, but what containers are called is up to others: a name is a text of
 * a limited length without control characters. */
#include "machine/containers.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shared/clock.h"
#include "shared/file.h"
#include "shared/memory.h"

#define AGAIN_NS 1000000000LL
#define FIRST_PROCESS "/proc/1/root"
#define SPACE " \t\r\n"

const char containers_letters[] = { [CONTAINER] = 'c', [CONTAINER_POD] = 'p',
				   [CONTAINER_NAMESPACE] = 'n', [CONTAINER_KINDS] = 0 };

enum { ID = 64, UID = 36, SHORT = 12, NAME = 128, FILE_MAX = 4 << 20, ROWS_MAX = 1 << 16 };

struct container_row {
	enum container_kind kind;
	char id[ID + 1], name[NAME];
};

static bool is_id(const char *s, size_t len)
{
	return len == ID && strspn(s, "0123456789abcdef") >= ID;
}

/* The same id is read once: of several files that have it, the first one counts. */
static void add(struct containers *c, enum container_kind kind, const char *id, size_t id_len,
		const char *name, size_t len)
{
	struct container_row *row;

	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].kind == kind && strncmp(c->rows[i].id, id, id_len) == 0)
			return;
	if (c->n == ROWS_MAX || !len || id_len > ID)
		return;
	memory_grow(c->rows, c->n, c->capacity, 64);
	row = &c->rows[c->n++];
	*row = (struct container_row){ .kind = kind };
	memcpy(row->id, id, id_len);
	len = len < NAME ? len : NAME - 1;
	memcpy(row->name, name, len);
	for (char *p = row->name; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
}

/* ---- pieces of JSON ---- */

/* Finds KEY: "TEXT" or KEY: ["TEXT" from @s on, and returns the text, as it is written. @key: with
 * its quotes; texts in which such words are quoted have backslashes there. */
static const char *find_text(const char *s, const char *key, size_t *len)
{
	while (s && (s = strstr(s, key)) != NULL) {
		s += strlen(key);
		s += strspn(s, SPACE);
		if (*s != ':')
			continue;
		s += 1 + strspn(s + 1, SPACE "[");
		if (*s != '"')
			continue;
		*len = strcspn(s + 1, "\"\\");
		return s + 1;
	}
	return NULL;
}

/* ---- files below c->root ---- */

/* False: it can't be read, or is empty. */
static bool read_text(const struct containers *c, const char *path, struct buf *t)
{
	char full[PATH_MAX + sizeof(FIRST_PROCESS)];

	t->len = 0;
	snprintf(full, sizeof(full), "%s%s", c->root, path);
	return file_read_limited(full, FILE_MAX, t) == 0 && t->len;
}

/* Calls @each for each entry of the directory @path. */
static void each_entry(struct containers *c, const char *path,
		       void (*each)(struct containers *c, const char *path, const char *name))
{
	char full[PATH_MAX + sizeof(FIRST_PROCESS)];
	struct dirent *e;
	DIR *d;

	snprintf(full, sizeof(full), "%s%s", c->root, path);
	d = opendir(full);
	while (d && (e = readdir(d)) != NULL)
		if (*e->d_name != '.')
			each(c, path, e->d_name);
	if (d)
		closedir(d);
}

/* ---- the runtimes ---- */

/* NAMESPACE_NAME_UID; neither of the first two has an underscore. */
static void add_pod(struct containers *c, const char *path, const char *entry)
{
	const char *name = strchr(entry, '_'), *uid = name ? strchr(name + 1, '_') : NULL;

	(void)path;
	if (!uid || strlen(uid + 1) != UID)
		return;
	add(c, CONTAINER_POD, uid + 1, UID, name + 1, (size_t)(uid - name - 1));
	add(c, CONTAINER_NAMESPACE, uid + 1, UID, entry, (size_t)(name - entry));
}

/* Reads PATH/ID/FILE of the container @id. False: it is none, or can't be read. */
static bool read_config(const struct containers *c, const char *path, const char *id,
			const char *file, struct buf *t)
{
	char whole[PATH_MAX];

	return is_id(id, strlen(id)) &&
	       (size_t)snprintf(whole, sizeof(whole), "%s/%s/%s", path, id, file) < sizeof(whole) &&
	       read_text(c, whole, t);
}

/* Adds the container @id by the name that @text has for @key. A container of Kubernetes is called
 * as it is in the pod. */
static void add_by_key(struct containers *c, const char *id, const char *text, const char *key)
{
	size_t len;
	const char *name = find_text(text, key, &len);

	if (name)
		add(c, CONTAINER, id, ID, name, len);
}

static void add_of_containerd(struct containers *c, const char *path, const char *id)
{
	struct buf t = { 0 };

	if (read_config(c, path, id, "config.json", &t)) {
		add_by_key(c, id, t.s, "\"io.kubernetes.cri.container-name\"");
		add_by_key(c, id, t.s, "\"nerdctl/name\"");
	}
	buf_deinit(&t);
}

static void add_namespace(struct containers *c, const char *path, const char *name)
{
	char inner[PATH_MAX];

	if ((size_t)snprintf(inner, sizeof(inner), "%s/%s", path, name) < sizeof(inner))
		each_entry(c, inner, add_of_containerd);
}

static void add_of_crio(struct containers *c, const char *path, const char *id)
{
	struct buf t = { 0 };

	if (read_config(c, path, id, "userdata/config.json", &t))
		add_by_key(c, id, t.s, "\"io.kubernetes.container.name\"");
	buf_deinit(&t);
}

/* docker's own names begin with a slash; the same word may be the key of a label. */
static void add_of_docker(struct containers *c, const char *path, const char *id)
{
	const char *at = NULL;
	struct buf t = { 0 };
	size_t len;

	if (read_config(c, path, id, "config.v2.json", &t)) {
		add_by_key(c, id, t.s, "\"io.kubernetes.container.name\"");
		at = t.s;
	}
	while ((at = find_text(at, "\"Name\"", &len)) != NULL)
		if (len > 1 && *at == '/') {
			add(c, CONTAINER, id, ID, at + 1, len - 1);
			break;
		}
	buf_deinit(&t);
}

/* The list of podman's storage: objects with an id and names. */
static void add_of_list(struct containers *c, const char *path)
{
	struct buf t = { 0 };
	const char *at = read_text(c, path, &t) ? t.s : NULL;
	size_t len, name_len;

	while ((at = find_text(at, "\"id\"", &len)) != NULL) {
		const char *name = is_id(at, len) ? find_text(at, "\"names\"", &name_len) : NULL;
		size_t next_len;
		const char *next = find_text(at, "\"id\"", &next_len);

		if (name && (!next || name < next))
			add(c, CONTAINER, at, ID, name, name_len);
	}
	buf_deinit(&t);
}

static void read_root(struct containers *c)
{
	static const char *const storage[] = { "/run/containers/storage",
					       "/var/lib/containers/storage" };
	/* Containers that are removed when they end are in a list of their own. */
	static const char *const lists[] = { "overlay-containers/containers.json",
					     "overlay-containers/volatile-containers.json",
					     "vfs-containers/containers.json",
					     "vfs-containers/volatile-containers.json" };
	char path[128];

	each_entry(c, "/var/log/pods", add_pod);
	each_entry(c, "/run/containerd/io.containerd.runtime.v2.task", add_namespace);
	each_entry(c, "/var/lib/docker/containers", add_of_docker);
	for (size_t i = 0; i < sizeof(storage) / sizeof(*storage); i++) {
		snprintf(path, sizeof(path), "%s/overlay-containers", storage[i]);
		each_entry(c, path, add_of_crio);
	}
	for (size_t i = 0; i < sizeof(storage) / sizeof(*storage); i++)
		for (size_t j = 0; j < sizeof(lists) / sizeof(*lists); j++) {
			snprintf(path, sizeof(path), "%s/%s", storage[i], lists[j]);
			add_of_list(c, path);
		}
}

/* In a container that sees the processes of the machine, the machine's files are those of the first
 * one. */
static void read_all(struct containers *c)
{
	struct stat own, first;

	c->n = 0;
	c->root = FIRST_PROCESS;
	if (stat(FIRST_PROCESS "/", &first) == 0)
		read_root(c);
	c->root = "";
	if (stat(FIRST_PROCESS "/", &first) != 0 || stat("/", &own) != 0 ||
	    first.st_dev != own.st_dev || first.st_ino != own.st_ino)
		read_root(c);
	c->read_at = clock_ns();
}

/* ---- what is asked ---- */

static const struct container_row *find(const struct containers *c, enum container_kind kind,
					const char *id, size_t len)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->rows[i].kind == kind && strlen(c->rows[i].id) == len &&
		    memcmp(c->rows[i].id, id, len) == 0)
			return &c->rows[i];
	return NULL;
}

static const char *name_of(struct containers *c, const struct container_row *row, bool shared)
{
	c->name.len = 0;
	buf_puts(&c->name, row->name);
	if (row->kind != CONTAINER_NAMESPACE && shared)
		buf_printf(&c->name, "@%.*s", SHORT, row->id);
	return c->name.s;
}

static bool is_shared(const struct containers *c, const struct container_row *row)
{
	for (size_t i = 0; i < c->n; i++)
		if (&c->rows[i] != row && c->rows[i].kind == row->kind &&
		    strcmp(c->rows[i].name, row->name) == 0)
			return true;
	return false;
}

const char *containers_name(struct containers *c, enum container_kind kind, const char *id,
			    size_t len)
{
	const struct container_row *row = find(c, kind, id, len);

	if (!row && (!c->read_at || clock_ns() - c->read_at >= AGAIN_NS)) {
		read_all(c);
		row = find(c, kind, id, len);
	}
	return row ? name_of(c, row, is_shared(c, row)) : NULL;
}

static int by_name(const void *a, const void *b)
{
	const struct container_row *x = a, *y = b;

	return x->kind != y->kind ? (x->kind > y->kind) - (x->kind < y->kind) :
				    strcmp(x->name, y->name);
}

void containers_each(struct containers *c,
		     void (*f)(void *arg, enum container_kind kind, const char *id,
			       const char *name),
		     void *arg)
{
	read_all(c);
	if (c->n)
		qsort(c->rows, c->n, sizeof(*c->rows), by_name);
	for (size_t i = 0; i < c->n; i++) {
		const struct container_row *row = &c->rows[i];
		bool shared = (i && by_name(row - 1, row) == 0) ||
			      (i + 1 < c->n && by_name(row, row + 1) == 0);

		f(arg, row->kind, row->id, name_of(c, row, shared));
	}
}

const char *containers_id(struct containers *c, enum container_kind kind, const char *name,
			  size_t *at)
{
	if (!c->read_at)
		read_all(c);
	while (*at < c->n) {
		const struct container_row *row = &c->rows[(*at)++];

		if (row->kind == kind && strcmp(row->name, name) == 0)
			return row->id;
	}
	return NULL;
}

void containers_deinit(struct containers *c)
{
	free(c->rows);
	buf_deinit(&c->name);
	*c = (struct containers){ 0 };
}
