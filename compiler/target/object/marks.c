/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SDT markers. Each is a note (type 3, owner "stapsdt") whose description is three addresses, of 8
 * bytes, or of 4 in a file of 32 bits, then three strings: provider, name, arguments. The addresses
 * are those of the marker, of the section .stapsdt.base when the note was made, and of the
 * semaphore that counts users (0: none). A tool that moved the code later (prelink) did not adjust
 * notes, so both other addresses are corrected by the distance that .stapsdt.base moved. Source:
 * <sys/sdt.h> of SystemTap, which is in the public domain, and its wiki page
 * "UserSpaceProbeImplementation".
 */
#include "target/object/private.h"
#include "target/object/section.h"

#include <string.h>

#include "state.h"

enum { NOTE_TYPE = 3, ADDRESSES = 3 };

/* The string at *@p, which is advanced past it. NULL if it does not end before @end. */
static const char *take_string(const char **p, const char *end)
{
	const char *text = *p, *nul = memchr(text, '\0', (size_t)(end - text));

	if (!nul)
		return NULL;
	*p = nul + 1;
	return text;
}

/* Returns false if the note is damaged. */
static bool read_mark(struct state *s, struct object_file *f, const char *desc, size_t size,
		      uint64_t base)
{
	size_t word = f->o.is_32bit ? 4 : 8;
	const char *p = desc + ADDRESSES * word, *end = desc + size;
	struct object_mark mark = { 0 };
	uint64_t at[ADDRESSES] = { 0 }, moved;

	if (size < ADDRESSES * word)
		return false;
	for (size_t i = 0; i < ADDRESSES; i++)
		memcpy(&at[i], desc + i * word, word);
	mark.provider = take_string(&p, end);
	mark.name = mark.provider ? take_string(&p, end) : NULL;
	mark.arguments = mark.name ? take_string(&p, end) : NULL;
	if (!mark.arguments)
		return false;
	moved = base ? base - at[1] : 0;
	mark.address = at[0] + moved;
	if (at[2] && !object_data_offset(f, at[2] + moved, &mark.counter))
		return false;
	mark.provider = arena_strdup(s->arena, mark.provider);
	mark.name = arena_strdup(s->arena, mark.name);
	mark.arguments = arena_strdup(s->arena, mark.arguments);
	vec_push(s->arena, &f->o.marks, mark);
	return true;
}

void object_read_marks(struct state *s, Elf *elf, struct object_file *f)
{
	GElf_Shdr head, base = { .sh_addr = 0 };
	Elf_Scn *scn = section_find(elf, ".note.stapsdt", &head);
	Elf_Data *data = scn ? elf_getdata(scn, NULL) : NULL;
	size_t at = 0, name, desc;
	GElf_Nhdr note;

	if (!data || !data->d_buf)
		return;
	if (!section_find(elf, ".stapsdt.base", &base))
		base.sh_addr = 0;
	while ((at = gelf_getnote(data, at, &note, &name, &desc))) {
		const char *bytes = data->d_buf;

		if (note.n_type != NOTE_TYPE || note.n_namesz != sizeof("stapsdt") ||
		    memcmp(bytes + name, "stapsdt", sizeof("stapsdt")) != 0)
			continue;
		if (!read_mark(s, f, bytes + desc, note.n_descsz, base.sh_addr))
			return;
	}
}
