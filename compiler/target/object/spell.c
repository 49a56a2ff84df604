/* SPDX-License-Identifier: GPL-2.0 */
#include "target/object/spell.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Templates of namespace std, and those of which their last arguments are instances unless the
 * source has others: C++17, clauses 23 to 26. */
static const struct { const char *name, *defaults; } templates[] = {
	{ "basic_string", " char_traits allocator " },
	{ "basic_string_view", " char_traits " },
	{ "vector", " allocator " }, { "deque", " allocator " },
	{ "list", " allocator " }, { "forward_list", " allocator " },
	{ "set", " less allocator " }, { "multiset", " less allocator " },
	{ "map", " less allocator " }, { "multimap", " less allocator " },
	{ "unordered_set", " hash equal_to allocator " },
	{ "unordered_multiset", " hash equal_to allocator " },
	{ "unordered_map", " hash equal_to allocator " },
	{ "unordered_multimap", " hash equal_to allocator " },
	{ "unique_ptr", " default_delete " },
	{ "stack", " deque " }, { "queue", " deque " }, { "priority_queue", " vector less " },
};

/* The longer one of two that begin in the same way comes first. */
static const struct { const char *from, *to; } aliases[] = {
	{ "std::basic_string<char>const", "std::string const" },
	{ "std::basic_string<char>", "std::string" },
	{ "std::basic_string<wchar_t>const", "std::wstring const" },
	{ "std::basic_string<wchar_t>", "std::wstring" },
	{ "std::basic_string_view<char>const", "std::string_view const" },
	{ "std::basic_string_view<char>", "std::string_view" },
};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void replace(char *s, const char *from, const char *to)
{
	size_t n = strlen(from), m = strlen(to);

	while ((s = strstr(s, from))) {
		memcpy(s, to, m);
		memmove(s + m, s + n, strlen(s + n) + 1);
		s += m;
	}
}

/* The end of the arguments that begin at @s with '<', or NULL. */
static char *end_of(char *s)
{
	int depth = 0;

	for (; *s; s++) {
		depth += *s == '<';
		depth -= *s == '>' && s[-1] != '-';
		if (!depth)
			return s + 1;
	}
	return NULL;
}

/* The '<' of the arguments of which @s is a part, not before @begin; NULL: there is none. */
static const char *around(const char *begin, const char *s)
{
	int depth = 0;

	while (s-- > begin) {
		depth += (*s == '>' && s > begin && s[-1] != '-') || *s == ')';
		if ((*s == '<' || *s == '(') && depth-- == 0)
			return *s == '<' ? s : NULL;
	}
	return NULL;
}

/* Whether a name at @s, which begins at @begin, may be one of namespace std. */
static bool is_of_std(const char *begin, const char *s)
{
	static const char *const before[] = { "std::", "std::__1::", "std::__cxx11::" };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++) {
		size_t n = strlen(before[i]);

		if ((size_t)(s - begin) >= n && strncmp(s - n, before[i], n) == 0)
			return true;
	}
	return s == begin;
}

/* Whether the template whose arguments begin at @open has an instance of @name, of @n bytes, by
 * default. */
static bool has_default(const char *begin, const char *open, const char *name, size_t n)
{
	const char *from = open;

	while (from > begin && is_name(from[-1]))
		from--;
	if (!is_of_std(begin, from))
		return false;
	for (size_t i = 0; i < sizeof(templates) / sizeof(*templates); i++) {
		const char *known = templates[i].defaults;

		if (strlen(templates[i].name) != (size_t)(open - from) ||
		    strncmp(templates[i].name, from, (size_t)(open - from)) != 0)
			continue;
		while ((known = strchr(known, ' ')) && *++known)
			if (strncmp(known, name, n) == 0 && known[n] == ' ')
				return true;
	}
	return false;
}

/* Removes the argument ",std::NAME<...>" at @s if it is a default. Returns whether it was. */
static bool drop_default(const char *begin, char *s)
{
	static const char start[] = ",std::";
	const char *name = s + sizeof(start) - 1, *open;
	char *end;
	size_t n = 0;

	if (strncmp(s, start, sizeof(start) - 1) != 0)
		return false;
	while (is_name(name[n]))
		n++;
	open = name[n] == '<' ? around(begin, s) : NULL;
	end = open && has_default(begin, open, name, n) ? end_of(s + sizeof(start) - 1 + n) : NULL;
	if (!end || (*end != ',' && *end != '>'))
		return false;
	memmove(s, end, strlen(end) + 1);
	return true;
}

void spell_short(char *s)
{
	char *from = strpbrk(s, "<(");

	if (!from || !strstr(s, "std::"))
		return;
	replace(from, "std::__cxx11::", "std::");
	replace(from, "std::__1::", "std::");
	for (char *p = from; *p; p++)
		while (*p == ',' && drop_default(s, p))
			;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		replace(from, aliases[i].from, aliases[i].to);
}
