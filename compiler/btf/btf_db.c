/* SPDX-License-Identifier: GPL-2.0 */
/* Opening BTF. */
#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/libbpf.h>

#include "base/arena.h"
#include "base/map.h"
#include "btf/btf_private.h"

static int print_nothing(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	(void)level;
	(void)fmt;
	(void)ap;
	return 0;
}

/* libbpf reads split BTF from a file only. */
static struct btf *read_split(struct btf *base, const void *data, size_t size)
{
	char path[64];
	struct btf *btf = NULL;
	int fd = memfd_create("btf", MFD_CLOEXEC);

	if (fd < 0)
		return NULL;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		btf = btf__parse_raw_split(path, base);
	close(fd);
	return btf;
}

static int open_db(struct arena *a, struct btf_db *base, const void *data, size_t size,
		   struct btf_db **ret)
{
	/* Our caller says what is wrong, in its own words. */
	libbpf_print_fn_t before = libbpf_set_print(print_nothing);
	struct btf *btf = size > UINT32_MAX ? NULL :
			  base ? read_split(base->btf, data, size) :
				 btf__new(data, (uint32_t)size);

	libbpf_set_print(before);
	if (!btf)
		return -EINVAL;

	struct btf_db *db = NEW(a, struct btf_db);

	db->arena = a;
	db->btf = btf;
	db->first = base ? btf__type_cnt(base->btf) : 1;
	db->is_split = base;
	db->protos = NEW(a, struct map);
	map_init(db->protos, a);
	*ret = db;
	return 0;
}

int btf_db_open(struct arena *a, const void *data, size_t size, struct btf_db **ret)
{
	return open_db(a, NULL, data, size, ret);
}

int btf_db_open_split(struct arena *a, struct btf_db *base, const void *data, size_t size,
		      struct btf_db **ret)
{
	return open_db(a, base, data, size, ret);
}

void btf_db_close(struct btf_db *db)
{
	if (!db)
		return;
	btf__free(db->btf);
	btf_match_close(db);
	btf_funcs_close(db);
	db->btf = NULL;
}

void btf_db_set_user(struct btf_db *db)
{
	db->of_user = true;
}

bool btf_db_of_user(const struct btf_db *db)
{
	return db->of_user;
}
