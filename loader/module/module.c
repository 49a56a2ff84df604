/* SPDX-License-Identifier: GPL-2.0 */
/* The module: a small reader of relocatable ELF files that trusts no offset, and the three system
 * calls for modules. */
#include "module/module.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "records.h"

#include "arch/arch.h"
#include "common/namespace.h"
#include "common/say.h"
#include "shared/file.h"
#include "shared/memory.h"

enum { MODULE_BYTES_MAX = 256 << 20 };

static const char signature[] = "~Module signature appended~\n";

/* Returns the bytes of a section, or NULL if it is outside of the image. */
static const char *section_bytes(const struct module *m, const Elf64_Shdr *sh)
{
	if (sh->sh_type == SHT_NOBITS || sh->sh_offset > m->len ||
	    sh->sh_size > m->len - sh->sh_offset)
		return NULL;
	return m->image + sh->sh_offset;
}

static int section_header(const struct module *m, const Elf64_Ehdr *eh, unsigned i, Elf64_Shdr *ret)
{
	if (i >= eh->e_shnum)
		return -1;
	memcpy(ret, m->image + eh->e_shoff + (size_t)i * sizeof(*ret), sizeof(*ret));
	return 0;
}

/* Finds "name=" in .modinfo, a sequence of NUL-terminated strings. */
static int module_name(struct module *m, const char *info, size_t len)
{
	while (len > 0) {
		size_t n = strnlen(info, len);

		if (n > 5 && n < len && memcmp(info, "name=", 5) == 0 && n - 5 <= PRT_NAME_LEN) {
			memcpy(m->name, info + 5, n - 5 + 1);
			return 0;
		}
		n += n < len;
		info += n;
		len -= n;
	}
	return -1;
}

static void find_placeholders(struct module *m)
{
	char *end = m->image + m->len;

	for (char *p = m->image;
	     (p = memmem(p, (size_t)(end - p), PRT_PLACEHOLDER, PRT_NAME_LEN)) != NULL;
	     p += PRT_NAME_LEN) {
		size_t *at = memory_zeroed(m->nname_at + 1, sizeof(*at));

		if (m->name_at)
			memcpy(at, m->name_at, m->nname_at * sizeof(*at));
		free(m->name_at);
		m->name_at = at;
		at[m->nname_at++] = (size_t)(p - m->image);
	}
}

static bool header_is_module(const struct module *m, Elf64_Ehdr *eh)
{
	if (m->len < sizeof(*eh))
		return false;
	memcpy(eh, m->image, sizeof(*eh));
	return memcmp(eh->e_ident, ELFMAG, SELFMAG) == 0 && eh->e_ident[EI_CLASS] == ELFCLASS64 &&
	       eh->e_ident[EI_DATA] == ELFDATA2LSB && eh->e_type == ET_REL &&
	       eh->e_machine == ARCH_MACHINE && eh->e_shentsize == sizeof(Elf64_Shdr) &&
	       eh->e_shoff <= m->len &&
	       (size_t)eh->e_shnum * sizeof(Elf64_Shdr) <= m->len - eh->e_shoff;
}

int module_parse(char *image, size_t len, struct module *ret, const char **why)
{
	Elf64_Ehdr eh;
	Elf64_Shdr names, sh;
	const char *strings;
	size_t sig = sizeof(signature) - 1;

	*ret = (struct module){ .image = image, .len = len };
	*why = "it is not an " ARCH_NAME " kernel module";
	if (!header_is_module(ret, &eh) || section_header(ret, &eh, eh.e_shstrndx, &names))
		return -1;
	strings = section_bytes(ret, &names);
	*why = "it is damaged";
	if (!strings || !names.sh_size || strings[names.sh_size - 1])
		return -1;
	for (unsigned i = 0; section_header(ret, &eh, i, &sh) == 0; i++) {
		const char *bytes = section_bytes(ret, &sh);

		if (!bytes || sh.sh_name >= names.sh_size)
			continue;
		if (strcmp(strings + sh.sh_name, PRT_META_SECTION) == 0) {
			ret->meta = bytes;
			ret->meta_len = strnlen(bytes, sh.sh_size);
		} else if (strcmp(strings + sh.sh_name, PRT_DIRECT_SECTION) == 0) {
			ret->direct = bytes;
			ret->direct_len = sh.sh_size;
			ret->has_direct = true;
		} else if (strcmp(strings + sh.sh_name, ".modinfo") == 0) {
			module_name(ret, bytes, sh.sh_size);
		}
	}
	*why = "it was not made by probec: it has no section .probec";
	if (!ret->meta)
		return -1;
	*why = "it has no name";
	if (!ret->name[0] || strchr(ret->name, '/') || ret->name[0] == '.')
		return -1;
	ret->is_signed = len > sig && memcmp(image + len - sig, signature, sig) == 0;
	ret->has_placeholder = strcmp(ret->name, PRT_PLACEHOLDER) == 0 && !ret->is_signed;
	if (ret->has_placeholder)
		find_placeholders(ret);
	return 0;
}

int module_read(const char *path, struct module *ret)
{
	struct buf file = { 0 };
	const char *why;
	int err = file_read_limited(path, MODULE_BYTES_MAX, &file);

	*ret = (struct module){ 0 };
	if (err) {
		buf_deinit(&file);
		say_error("E_IO", "probec -p4 SCRIPT makes a module and prints its path",
			  "can't read the module '%s': %s", path,
			  err == -ENOTSUP ? "it is not a regular file" :
			  err == -EFBIG ? "it is larger than 256 MB" : strerror(-err));
		return -1;
	}
	if (module_parse(file.s, file.len, ret, &why)) {
		say_error("E_BAD_MODULE", "probec -p4 SCRIPT makes one", "%s: %s", path, why);
		return -1;
	}
	return 0;
}

void module_forget(struct module *m)
{
	free(m->image);
	free(m->name_at);
	m->image = NULL;
	m->name_at = NULL;
	m->meta = m->direct = NULL;
	m->len = m->direct_len = m->meta_len = m->nname_at = 0;
}

void module_deinit(struct module *m)
{
	module_forget(m);
	*m = (struct module){ 0 };
}

void module_rename(struct module *m, const char *name)
{
	char to[PRT_NAME_LEN] = { 0 };

	memcpy(to, name, strnlen(name, PRT_NAME_LEN));
	for (size_t i = 0; i < m->nname_at; i++)
		memcpy(m->image + m->name_at[i], to, PRT_NAME_LEN);
	snprintf(m->name, sizeof(m->name), "%.*s", PRT_NAME_LEN, name);
}

bool module_is_loaded(const char *name)
{
	char path[128];

	/* A loaded module has the file initstate, a built-in one does not. */
	snprintf(path, sizeof(path), "/sys/module/%s/initstate", name);
	return access(path, F_OK) == 0;
}

long module_size(const char *name)
{
	char path[128], size[32];

	snprintf(path, sizeof(path), "/sys/module/%s/coresize", name);
	return file_read_line(path, size, sizeof(size)) ? 0 : atol(size);
}

int module_load(const struct module *m)
{
	const char *options = getenv("PROBERUN_MODULE_OPTIONS");

	return syscall(SYS_init_module, m->image, m->len, options ? options : "") == 0 ? 0 : -errno;
}

int module_load_direct(const struct module *m)
{
	if (!m->direct || syscall(SYS_init_module, m->direct, m->direct_len, "") == 0)
		return 0;
	return errno == EEXIST ? 0 : -errno;
}

int module_kmsg_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		lseek(fd, 0, SEEK_END);
	return fd;
}

/* Reads the messages that the kernel logged about the module since kmsg was opened, as one line of
 * at most @size bytes. */
static void kernel_words(const struct module *m, int kmsg, char *buf, size_t size)
{
	char record[8192];
	size_t len = 0;
	ssize_t n;

	buf[0] = '\0';
	while (kmsg >= 0 &&
	       ((n = read(kmsg, record, sizeof(record) - 1)) > 0 || (n < 0 && errno == EPIPE))) {
		char *text;

		if (n < 0)
			continue;
		record[n] = '\0';
		record[strcspn(record, "\n")] = '\0';
		text = strchr(record, ';');
		if (!text ||
		    !(strstr(text, m->name) || strstr(text, "odule") || strstr(text, "Lockdown")) ||
		    strstr(text, "taint"))
			continue;
		n = snprintf(buf + len, size - len, "%s%s", len ? "; " : "", text + 1);
		len += (size_t)n;
		if (len >= size)
			return;
	}
}

/* The mode of the kernel's lockdown, which may forbid loading modules: "integrity",
 * "confidentiality", or NULL. The result points into @buf. */
static const char *lockdown_mode(char *buf, size_t size)
{
	char *open, *close;

	if (file_read_line("/sys/kernel/security/lockdown", buf, size) != 0)
		return NULL;
	open = strchr(buf, '[');
	close = open ? strchr(open, ']') : NULL;
	if (!close)
		return NULL;
	*close = '\0';
	return strcmp(open + 1, "none") == 0 ? NULL : open + 1;
}

static void explain_refusal(const struct module *m, int err, const char *words)
{
	char buf[256];
	const char *mode = lockdown_mode(buf, sizeof(buf));
	const char *next = m->is_signed ?
		"this kernel does not trust its key: mokutil --import CERT.der enrols the "
		"certificate, a reboot confirms it; or probec --vm SCRIPT" :
		"probec --make-key makes a key and says how to enrol it, --sign auto signs with "
		"it; or probec --vm SCRIPT";

	if (err == -EKEYREJECTED || err == -ENOKEY || err == -EBADMSG)
		say_error("E_LOCKDOWN", next,
			  "the kernel accepts only modules signed with a key it trusts%s%s",
			  *words ? ": " : "", words);
	else if (mode)
		say_error("E_LOCKDOWN", next, "kernel lockdown (%s) refuses the module%s", mode,
			  m->is_signed ? ", which is signed with another key" : "");
	else if (file_read_line("/proc/sys/kernel/modules_disabled", buf, sizeof(buf)) == 0 &&
		 buf[0] == '1')
		say_error("E_LOCKDOWN", "reboot, or probec --vm SCRIPT",
			  "kernel.modules_disabled is set: nothing is loaded until the next boot");
	else
		say_error("E_LOCKDOWN",
			  "loading needs CAP_SYS_MODULE, which a container can get only from its "
			  "host",
			  "the kernel refuses to load '%s': %s", m->name, strerror(-err));
}

void module_explain(const struct module *m, int err, int kmsg)
{
	char words[1024];

	kernel_words(m, kmsg, words, sizeof(words));
	switch (err) {
	case -EPERM:
	case -EKEYREJECTED:
	case -ENOKEY:
	case -EBADMSG:
		explain_refusal(m, err, words);
		break;
	case -ENOSYS:
		say_error("E_NO_MODULES",
			  "probec --vm SCRIPT runs it in a throwaway virtual machine",
			  "this kernel has no loadable modules");
		break;
	case -ENOMEM:
		say_error("E_NO_MEMORY", "free some memory, or use a smaller -D MAXMAPENTRIES=N",
			  "the kernel has no memory for the module%s%s", *words ? ": " : "", words);
		break;
	case -EEXIST:
		say_error("E_LOAD", m->is_signed ?
			  "a signed module keeps its name, so it runs in one session at a time: "
			  "end that session, or sign this one with another -m" :
			  "end the session that uses it, or remove it with rmmod",
			  "a module named '%s' is loaded already", m->name);
		break;
	case -ENOENT:
		say_error("E_NO_MODULES",
			  "it was built for another kernel, or this one has no kprobes: "
			  "probec --vm SCRIPT",
			  "the kernel lacks symbols that the module uses%s%s", *words ? ": " : "",
			  words);
		break;
	default:
		say_error("E_LOAD", *words ? NULL : "dmesg shows the kernel's message",
			  "the kernel refused the module: %s%s%s", strerror(-err),
			  *words ? ": " : "", words);
	}
}

int module_remove(const char *name, double seconds)
{
	long pause = 2000000; /* ns, doubled up to 64 ms */

	for (;;) {
		struct timespec ts = { 0, pause };

		if (syscall(SYS_delete_module, name, O_NONBLOCK) == 0 || errno == ENOENT)
			return 0;
		if ((errno != EAGAIN && errno != EBUSY && errno != EINTR) || seconds <= 0)
			return -errno;
		nanosleep(&ts, NULL);
		seconds -= (double)pause / 1e9;
		if (pause < 64000000)
			pause *= 2;
	}
}

/* Parses "probec_NAME_N SIZE 0 ..." with a namespace_name(): returns whether the process of that
 * name has ended and nobody uses the module. */
static bool left_behind(const char *line, char *name, size_t size)
{
	const char *rest;
	char *end;
	size_t n = strcspn(line, " ");

	if (n >= size || strncmp(line, "probec_", 7) != 0 ||
	    !namespace_has_ended(line + 7, &rest) || *rest != '_' ||
	    !isdigit((unsigned char)rest[1]))
		return false;
	memcpy(name, line, n);
	name[n] = '\0';
	strtol(rest + 1, &end, 10);
	if (*end != ' ')
		return false;
	strtol(end + 1, &end, 10);
	return strncmp(end, " 0 ", 3) == 0;
}

void module_sweep(void)
{
	struct buf modules = { 0 };
	char name[64], *line;
	size_t at = 0;

	module_remove(PRT_DIRECT_MODULE, 0);
	if (file_read("/proc/modules", &modules) != 0)
		modules.len = 0;
	while ((line = buf_line(&modules, &at)) != NULL)
		if (left_behind(line, name, sizeof(name)) && module_remove(name, 0) == 0)
			say_step("removed %s, which a killed session had left", name);
	buf_deinit(&modules);
}
