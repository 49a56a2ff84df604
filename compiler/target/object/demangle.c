/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes and compares the names of C++ and Rust functions.
 *
 * A large program has a million symbols, and decoding one takes microseconds. Each identifier of
 * the source appears literally in the mangled name, except for a few names of the standard library
 * and words that the decoder itself writes. So nearly all symbols that do not match are recognised
 * by strstr() alone: they lack the longest identifier of the pattern that is not such a word.
 */
#include "target/object/demangle.h"

#include <ctype.h>
#include <fnmatch.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "shared/memory.h"
#include "target/object/spell.h"

/*
 * Words that a decoded name may have but its mangled form may not: the abbreviations of section
 * 5.1.10 of the ABI ("Compression"), and the words that the decoder writes for special names,
 * operators and types.
 */
static const char *const unwritten[] = {
	"std", "allocator", "basic_string", "string", "basic_istream", "istream", "basic_ostream",
	"ostream", "basic_iostream", "iostream", "char_traits", "operator", "new", "delete",
	"co_await", "sizeof", "alignof", "typeid", "throw", "cast", "anonymous", "namespace",
	"lambda", "unnamed", "type", "auto", "clone", "closure", "shim", "impl", "dyn", "as",
	"const", "mut", "volatile", "restrict", "noexcept", "abi", "default", "arg", "string",
	"literal", "decltype", "nullptr", "void", "wchar_t", "bool", "char", "signed", "unsigned",
	"short", "int", "long", "float", "double", "__int128", "__float128", "decimal32",
	"decimal64", "decimal128", "half", "char16_t", "char32_t", "char8_t", "str", "usize",
	"isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128", "f32",
	"f64", "vtable", "for", "typeinfo", "name", "fn", "guard", "variable", "virtual", "non",
	"thunk", "to", "covariant", "return", "construction", "in", "reference", "temporary",
	"transaction", "initialization", "function", "global", "constructors", "destructors",
	"keyed", "TLS", "init", "wrapper", "true", "false",
};

static const char operators[] = "+-*/%^&|~!=<>,";

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* ---- decoding ---- */

bool demangle_is_mangled(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

bool demangle_is_rust(const char *symbol)
{
	/* "17h", 16 hexadecimal digits, "E" */
	const char *hash = strstr(symbol, "17h");

	if (strncmp(symbol, "_R", 2) == 0)
		return true;
	while (hash && (strspn(hash + 3, "0123456789abcdef") != 16 || hash[19] != 'E'))
		hash = strstr(hash + 1, "17h");
	return hash && strncmp(symbol, "_ZN", 3) == 0;
}

static void append(const char *text, size_t n, void *buf)
{
	buf_write(buf, text, n);
}

/* For the name that users see. */
#define SHOWN (DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP)

/* Returns false if the name is not mangled after all. */
static bool decode(const char *symbol, int options, struct buf *ret)
{
	buf_init(ret);
	/* Rust's older names are valid C++ names, but not the other way round. */
	if (rust_demangle_callback(symbol, options, append, ret) && ret->len)
		return true;
	ret->len = 0;
	if (cplus_demangle_v3_callback(symbol, options, append, ret) && ret->len)
		return true;
	buf_deinit(ret);
	return false;
}

/* Removes " [clone .isra.0]": for users it is the same function, as in C. */
static void drop_clone(char *s)
{
	char *clone = strstr(s, "[clone ");

	if (!clone)
		return;
	while (clone > s && clone[-1] == ' ')
		clone--;
	*clone = '\0';
}

static const char *decoded(struct arena *a, const char *symbol, int options)
{
	const char *name;
	struct buf text;

	if (!demangle_is_mangled(symbol) || !decode(symbol, options, &text))
		return symbol;
	drop_clone(text.s);
	name = arena_strdup(a, text.s);
	buf_deinit(&text);
	return name;
}

const char *demangle_shown(struct arena *a, const char *symbol)
{
	return decoded(a, symbol, SHOWN);
}

/* Removes tags: "name[abi:cxx11](int)". Returns whether there were any. */
static bool drop_tags(char *s)
{
	char *tag, *end;
	bool any = false;

	while ((tag = strstr(s, "[abi:")) && (end = strchr(tag, ']'))) {
		memmove(tag, end + 1, strlen(end + 1) + 1);
		any = true;
	}
	return any;
}

const char *demangle_name(struct arena *a, const char *symbol)
{
	char *name = arena_strdup(a, decoded(a, symbol, DMGL_ANSI));

	drop_tags(name);
	return name;
}

enum demangle_variant demangle_variant(struct arena *a, const char *symbol)
{
	static const enum demangle_variant constructors[] = {
		[gnu_v3_complete_object_ctor] = DEMANGLE_COMPLETE,
		[gnu_v3_base_object_ctor] = DEMANGLE_BASE,
		[gnu_v3_unified_ctor] = DEMANGLE_UNIFIED,
		[gnu_v3_object_ctor_group] = DEMANGLE_NO_VARIANT,
	}, destructors[] = {
		[gnu_v3_deleting_dtor] = DEMANGLE_DELETING,
		[gnu_v3_complete_object_dtor] = DEMANGLE_COMPLETE,
		[gnu_v3_base_object_dtor] = DEMANGLE_BASE,
		[gnu_v3_unified_dtor] = DEMANGLE_UNIFIED,
		[gnu_v3_object_dtor_group] = DEMANGLE_NO_VARIANT,
	};
	const char *plain = arena_strndup(a, symbol, strcspn(symbol, "."));
	enum demangle_variant one;

	if (!demangle_is_mangled(symbol))
		return DEMANGLE_NO_VARIANT;
	one = constructors[is_gnu_v3_mangled_ctor(plain)];
	return one ? one : destructors[is_gnu_v3_mangled_dtor(plain)];
}

/* ---- names as text ---- */

/* The length of the operator after the word "operator" at @s[at], if it is not a name:
 * "operator<<". */
static size_t operator_length(const char *s, size_t at)
{
	size_t n;

	if (strncmp(s + at, "operator", 8) != 0 || (at && is_word(s[at - 1])) ||
	    is_word(s[at + 8]))
		return 0;
	n = strspn(s + at + 8, operators);
	if (!n && (strncmp(s + at + 8, "()", 2) == 0 || strncmp(s + at + 8, "[]", 2) == 0))
		n = 2;
	return 8 + n;
}

/* Removes spaces, except those that separate two words, or an operator from its template
 * arguments. */
static void drop_spaces(char *s)
{
	size_t n = 0;

	for (size_t i = 0; s[i]; i++) {
		if (s[i] == ' ' && n &&
		    !(is_word(s[n - 1]) && is_word(s[i + 1])) &&
		    !(strchr(operators, s[n - 1]) && s[n - 1] != '>' && s[i + 1] == '<'))
			continue;
		s[n++] = s[i];
	}
	s[n] = '\0';
}

/* The index after the template arguments that begin at @s[at] with '<', or @at if they do not
 * end. */
static size_t skip_arguments(const char *s, size_t at)
{
	int depth = 0;

	for (size_t i = at; s[i]; i++) {
		size_t skip = operator_length(s, i);

		if (skip) {
			i += skip - 1;
			continue;
		}
		depth += s[i] == '<';
		depth -= s[i] == '>' && s[i - 1] != '-';
		if (!depth)
			return i + 1;
	}
	return at;
}

/* Removes template arguments. A '<' at the beginning of a Rust name does not begin any: "<T as
 * Trait>::method". */
static void drop_arguments(char *s)
{
	size_t n = 0;

	for (size_t i = 0; s[i];) {
		size_t keep = operator_length(s, i), end;

		if (keep) {
			memmove(s + n, s + i, keep);
			n += keep;
			i += keep;
			i += s[i] == ' ';
			continue;
		}
		end = s[i] == '<' && i ? skip_arguments(s, i) : i;
		if (end > i) {
			/* Rust writes "::" before the arguments. */
			if (n > 2 && s[n - 1] == ':' && s[n - 2] == ':')
				n -= 2;
			i = end;
			continue;
		}
		s[n++] = s[i++];
	}
	s[n] = '\0';
}

/* ---- comparing ---- */

static bool is_equal(const struct demangle_pattern *p, const char *name)
{
	return strcmp(p->wanted, name) == 0 || (p->is_glob && fnmatch(p->wanted, name, 0) == 0);
}

/* Whether the pattern is the whole name, or its end after a "::" outside of brackets. */
static bool is_end(const struct demangle_pattern *p, const char *name)
{
	int depth = 0;

	if (is_equal(p, name))
		return true;
	for (size_t i = 0; name[i] && !p->anchored; i++) {
		size_t skip = operator_length(name, i);

		if (skip) {
			i += skip - 1;
			continue;
		}
		if (strchr("<({[", name[i]))
			depth++;
		else if (strchr(")}]", name[i]) || (name[i] == '>' && i && name[i - 1] != '-'))
			depth--;
		else if (!depth && name[i] == ':' && name[i + 1] == ':' &&
			 is_equal(p, name + i + 2))
			return true;
	}
	return false;
}

/* Writes Rust's "<ns::Type<T> as Trait>::method" as "ns::Type<T>::method". Returns false if the
 * name has another form. */
static bool write_method(const char *name, struct buf *ret)
{
	size_t end = *name == '<' ? skip_arguments(name, 0) : 0, type;
	int depth = 0;

	if (!end || name[end] != ':')
		return false;
	for (type = 1; type < end - 1; type++) {
		depth += name[type] == '<';
		depth -= name[type] == '>' && name[type - 1] != '-';
		if (!depth && strncmp(name + type, " as ", 4) == 0)
			break;
	}
	buf_write(ret, name + 1, type - 1);
	buf_puts(ret, name + end);
	return true;
}

/* Compares with and without tags and template arguments. Changes @name. */
static bool matches_name(const struct demangle_pattern *p, char *name)
{
	drop_spaces(name);
	if (p->has_lists)
		spell_short(name);
	if (is_end(p, name))
		return true;
	if (!p->has_tags && drop_tags(name) && is_end(p, name))
		return true;
	drop_arguments(name);
	return is_end(p, name);
}

static bool matches_text(const struct demangle_pattern *p, const char *text)
{
	struct buf name;
	bool same;

	buf_init(&name);
	same = write_method(text, &name) && matches_name(p, name.s);
	name.len = 0;
	buf_puts(&name, text);
	same = same || matches_name(p, name.s);
	buf_deinit(&name);
	return same;
}

int demangle_parameters(const char *shown)
{
	const char *close = strrchr(shown, ')'), *p = close;
	int n = 1, depth = 0;

	for (; p && p >= shown; p--) {
		depth += *p == ')' || *p == ']' || *p == '}' ||
			 (*p == '>' && p > shown && p[-1] != '-');
		depth -= *p == '(' || *p == '[' || *p == '{' || *p == '<';
		if (depth == 0)
			return p + 1 == close ? 0 : n;
		n += depth == 1 && *p == ',';
	}
	return -1;
}

/* Compares with and without the qualifiers after the parameters: " const", "&". Changes @name. */
static bool matches_params(const struct demangle_pattern *p, char *name)
{
	char *close = strrchr(name, ')');

	if (matches_text(p, name))
		return true;
	if (!close || !close[1])
		return false;
	close[1] = '\0';
	return matches_text(p, name);
}

/* The cold part of a function is entered by a jump; the resolver of an indirect one (IFUNC), which
 * gcc makes for target_clones, runs before any call. */
static bool is_no_call(const char *symbol)
{
	return strstr(symbol, ".cold") || strstr(symbol, ".resolver");
}

static bool is_thunk(const char *name)
{
	return strstr(name, " thunk to ");
}

static bool matches_decoded(const struct demangle_pattern *p, const char *symbol)
{
	struct buf name;
	bool same;

	if (is_no_call(symbol) || !decode(symbol, DMGL_ANSI, &name))
		return false;
	drop_clone(name.s);
	if (is_thunk(name.s) && !p->wants_thunks) {
		buf_deinit(&name);
		return false;
	}
	same = matches_text(p, name.s);
	buf_deinit(&name);
	if (same || !p->has_params || !decode(symbol, SHOWN, &name))
		return same;
	drop_clone(name.s);
	same = matches_params(p, name.s);
	buf_deinit(&name);
	return same;
}

static bool matches_symbol(const struct demangle_pattern *p, const char *symbol)
{
	return strcmp(p->text, symbol) == 0 || (p->is_glob && fnmatch(p->glob, symbol, 0) == 0);
}

bool demangle_is_same(const struct demangle_pattern *p, const char *symbol)
{
	struct buf name;
	bool same;

	if (p->plain || p->is_glob || !p->may_be_exact || !strstr(symbol, p->literal))
		return false;
	if (!demangle_is_mangled(symbol) || !decode(symbol, SHOWN, &name))
		return strcmp(symbol, p->text) == 0;
	drop_clone(name.s);
	same = strcmp(name.s, p->text) == 0 && !is_no_call(symbol);
	buf_deinit(&name);
	return same;
}

bool demangle_matches(const struct demangle_pattern *p, const char *symbol)
{
	if (p->is_exact)
		return demangle_is_same(p, symbol);
	if (p->plain || !demangle_is_mangled(symbol))
		return matches_symbol(p, symbol) ||
		       (!p->plain && strstr(symbol, p->literal) && matches_text(p, symbol));
	if (demangle_is_mangled(p->text))
		return matches_symbol(p, symbol);
	return strstr(symbol, p->literal) && matches_decoded(p, symbol);
}

/* ---- the pattern ---- */

static bool is_written(const char *word, size_t n)
{
	for (size_t i = 0; i < sizeof(unwritten) / sizeof(*unwritten); i++)
		if (memmem(unwritten[i], strlen(unwritten[i]), word, n))
			return false;
	return !isdigit((unsigned char)*word);
}

/* Finds the longest word outside of brackets: parameters and arguments may be omitted or
 * abbreviated. */
static const char *find_literal(struct arena *a, const char *text)
{
	const char *best = "";
	size_t most = 0;
	int depth = 0;

	for (const char *s = text; *s && *s != '[' && *s != '\\';) {
		size_t n = 0;

		while (is_word(s[n]))
			n++;
		if (!depth && n > most && is_written(s, n)) {
			best = s;
			most = n;
		}
		depth += *s && strchr("(<{", *s);
		depth -= *s && strchr(")>}", *s);
		s += n ? n : 1;
	}
	return arena_strndup(a, best, most);
}

/*
 * Whether the special character of patterns at @s[at] is a part of a name: of an operator, of a
 * tag, or of a type in a list of parameters or arguments. @depth: the number of brackets around it.
 */
static bool is_literal(const char *s, size_t at, int depth)
{
	size_t before = at;

	while (before && s[before - 1] == ' ')
		before--;
	if (s[at] == '[')
		return strncmp(s + at, "[abi:", 5) == 0 || strncmp(s + at, "[]", 2) == 0 ||
		       (depth && isdigit((unsigned char)s[at + 1]));
	if (s[at] != '*')
		return false;
	/* Raw pointers of Rust. */
	if (depth && (strncmp(s + at, "*mut ", 5) == 0 || strncmp(s + at, "*const ", 7) == 0))
		return true;
	/* A pointer to a function, and to anything else. */
	if (depth && before && s[before - 1] == '(')
		return strncmp(s + at, "*)(", 3) == 0;
	if (depth)
		return before && (is_word(s[before - 1]) || strchr("*>&)", s[before - 1]));
	return before >= 8 && strncmp(s + before - 8, "operator", 8) == 0 &&
	       (s[at + 1] == '(' || (s[at + 1] == '=' && s[at + 2] == '('));
}

/* Copies @text for fnmatch() to @ret, which has room for twice its length, with a backslash before
 * each special character that is a part of a name. Returns whether others are left. */
static bool write_glob(const char *text, char *ret)
{
	bool is_glob = false;
	int depth = 0;

	for (size_t i = 0; text[i]; i++) {
		size_t skip = operator_length(text, i);

		if (strchr("*?[", text[i]) && is_literal(text, i, depth))
			*ret++ = '\\';
		else
			is_glob |= strchr("*?[", text[i]) != NULL;
		*ret++ = text[i];
		/* The brackets and signs of an operator begin no list. */
		for (; skip > 1 && text[i + 1] && !strchr("*?[", text[i + 1]); skip--)
			*ret++ = text[++i];
		depth += strchr("(<", text[i]) && skip != 1;
		depth -= depth && strchr(")>", text[i]) && skip != 1;
	}
	*ret = '\0';
	return is_glob;
}

bool demangle_is_pattern(const char *text)
{
	char *glob = memory_zeroed(2, strlen(text) + 1);
	bool ret = write_glob(text, glob);

	free(glob);
	return ret;
}

/* Moves each const before the type of a parameter behind it, where decoded names have it. */
static void move_const(char *s)
{
	static const char word[] = "const ";
	const size_t n = sizeof(word) - 1;

	for (char *p = strchr(s, '('); p && *p; p++) {
		char *from = p + 1, *end = from + n;
		size_t type;

		if (!strchr("(,<", *p) || strncmp(from, word, n) != 0)
			continue;
		while (is_word(*end) || *end == ':' || *end == ' ' || *end == '<')
			end = *end == '<' && skip_arguments(end, 0) ? end + skip_arguments(end, 0) :
								      end + 1;
		type = (size_t)(end - from) - n;
		memmove(from, from + n, type);
		/* The space comes before the word now; drop_spaces() decides whether it stays. */
		from[type] = ' ';
		memcpy(from + type + 1, "const", n - 1);
	}
}

void demangle_pattern_read(struct arena *a, const char *text, bool plain,
			   struct demangle_pattern *ret)
{
	bool anchored = strncmp(text, "::", 2) == 0, is_glob;
	char *wanted = arena_strdup(a, anchored ? text + 2 : text);
	char *glob = arena_alloc(a, 2 * strlen(text) + 1);
	char *of_text = arena_alloc(a, 2 * strlen(text) + 1);

	drop_spaces(wanted);
	move_const(wanted);
	drop_spaces(wanted);
	spell_short(wanted);
	is_glob = write_glob(wanted, glob);
	write_glob(text, of_text);
	*ret = (struct demangle_pattern){
		.text = text, .wanted = is_glob ? glob : wanted, .anchored = anchored,
		.plain = plain, .is_glob = is_glob, .glob = of_text,
		.has_params = strchr(text, '('), .has_lists = strpbrk(text, "(<"),
		.has_tags = strstr(text, "[abi:"),
		.may_be_exact = strchr(text, '(') || strstr(text, "::"),
		.wants_thunks = strstr(text, "thunk"), .literal = find_literal(a, wanted),
	};
}
