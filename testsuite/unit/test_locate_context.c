/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler/analyse/locate/values/context.c and the files below it: $-expressions to access paths.
 */
#include <errno.h>

#include "locate_fixture.h"
#include "target/btf/btf.h"
#include "target/kernel/kernel.h"
#include "analyse/locate/locate.h"
#include "unit.h"

/* Returns the first site of a function; @what may begin with "kprobe:" or end with ":return". */
static struct site *site_of(struct state *s, const char *function, enum probe_kind *kind)
{
	struct located_list list = {0};
	bool is_return = strstr(function, ":return") != NULL;
	bool is_kprobe = strncmp(function, "kprobe:", 7) == 0;
	const char *name = function + (is_kprobe ? 7 : 0);
	const char *text = arena_printf(s->arena, "%s.function(\"%.*s\")%s",
					is_kprobe ? "kprobe" : "kernel",
					(int)strcspn(name, ":"), name, is_return ? ".return" : "");

	if (locate_probe_point(s, read_point(s, text), false, &list) != 0)
		fail_msg("no site for %s", function);
	*kind = list.v.v[0]->kind;
	return list.v.v[0]->sites.v[0];
}

/*
 * An access as text: "arg0 +8 * +16 r4s" is: argument register 0, add 8, follow, add 16, read 4
 * bytes signed; "v8u": the value itself; "[4x4]": an index of scale 4 in an array of 4; ":3+5": 3
 * bits from bit 5; "!" after a base: as saved at entry; "p": a pointer.
 */
static const char *access_text(struct arena *a, const struct access *access)
{
	static const char *const bases[] = {
		[AB_REG_ARG] = "arg", [AB_STACK_ARG] = "stack", [AB_RETURN] = "ret",
	};
	const char *text = arena_printf(a, "%s%u%s", bases[access->base], access->n,
					access->at_entry_saved ? "!" : "");

	vec_each(step, &access->steps) {
		if (step->kind == AS_ADD)
			text = arena_printf(a, "%s %+lld", text, (long long)step->add);
		else if (step->kind == AS_DEREF)
			text = arena_printf(a, "%s *", text);
		else
			text = arena_printf(a, "%s [%ux%lld]", text, step->scale,
					    (long long)step->limit);
	}
	text = arena_printf(a, "%s %c%u%c", text, access->result == AR_READ ? 'r' : 'v',
			    access->size, access->is_signed ? 's' : 'u');
	if (access->bit_size)
		text = arena_printf(a, "%s:%u+%u", text, access->bit_size, access->bit_offset);
	return access->is_pointer ? arena_printf(a, "%sp", text) : text;
}

static void expect(struct state *s, const char *function, const char *expr, const char *access,
		   const char *type)
{
	enum probe_kind kind;
	struct site *site = site_of(s, function, &kind);
	struct expr *e = read_context(s, expr);
	int err = locate_context(s, site, kind, e, false);

	if (err)
		fail_msg("%s %s: %d", function, expr, err);
	assert_int_equal(e->type, strcmp(type, "double") == 0 ? T_DOUBLE : T_LONG);

	const char *got = access_text(s->arena, e->u.context.access);

	if (strcmp(got, access) != 0)
		fail_msg("%s %s: '%s', not '%s'", function, expr, got, access);
	assert_string_equal(e->u.context.access->type_name, type);
	assert_string_equal(e->u.context.access->text, expr);
}

static void expect_error(struct state *s, const char *function, const char *expr, int want,
			 const char *says)
{
	enum probe_kind kind;
	struct capture c;
	struct site *site = site_of(s, function, &kind);

	s->diag = diag_create(s->arena, 0); /* a diag shows 20 errors only */
	capture_begin(&c);

	int quiet = locate_context(s, site, kind, read_context(s, expr), true);

	capture_end(&c);
	assert_string_equal(c.text, "");
	capture_begin(&c);

	int err = locate_context(s, site, kind, read_context(s, expr), false);

	capture_end(&c);
	if (err != want || quiet != want)
		fail_msg("%s %s: %d and quietly %d, not %d: %s", function, expr, err, quiet, want,
			 c.text);
	assert_says(&c, says);
}

FIXTURE_TEST(parameters)
{
	struct state *s = *state;

	expect(s, "vfs_read", "$file", "arg0 v8up", "struct file *");
	expect(s, "vfs_read", "$buf", "arg1 v8up", "const char *");
	expect(s, "vfs_read", "$count", "arg2 v8u", "unsigned long");
	expect(s, "vfs_read:return", "$count", "arg2! v8u", "unsigned long");
	expect(s, "vfs_read:return", "$return", "ret0 v8s", "long");
	expect(s, "many", "$a", "arg0 v4s", "int");
	expect(s, "many", "$c", "arg2 v1s", "char");
	expect(s, "many", "$d", "arg3 v2s", "short");
	expect(s, "many", "$f", "arg5 v8u", "unsigned long");
	expect(s, "many", "$g", "stack0 v4s", "int");
	expect(s, "many:return", "$h", "stack1! v8s", "long");
	expect(s, "say", "$fmt", "arg0 v8up", "const char *");
	expect_error(s, "vfs_read", "$coutn", -ENOENT, "[E_UNKNOWN_CONTEXT_VARIABLE]");
	expect_error(s, "vfs_read", "$coun", -ENOENT, "did you mean '$count'?");
	expect_error(s, "vfs_read", "$zz", -ENOENT, "known here: $file, $buf, $count, $pos;");
	expect_error(s, "get_two", "$zz", -ENOENT, "it has no parameters");
	expect_error(s, "vfs_read", "$return", -ENOENT, "kernel.function(\"vfs_read\").return");
	expect_error(s, "nothing:return", "$return", -ENOENT, "'nothing' returns nothing");
}

FIXTURE_TEST(by_value)
{
	struct state *s = *state;

	expect(s, "by_value", "$uid->val", "arg0 v4u", "unsigned int");
	expect(s, "by_value", "$p->a", "arg1 v4s", "int");
	expect(s, "by_value", "$p->b", "arg1 v8s:32+32", "int");
	expect(s, "by_value", "$t->first", "arg2 v8s", "long");
	expect(s, "by_value", "$t->second", "arg3 v8s", "long");
	expect(s, "by_value", "$big->v[0]", "stack0 v8s", "long");
	expect(s, "by_value", "$big->v[2]", "stack2 v8s", "long");
	expect(s, "by_value", "$last", "arg4 v4s", "int");
	/* The value needs two registers and one is left: the value goes to the stack, and the next
	 * parameter still gets the register. */
	expect(s, "by_value", "$t2->second", "stack4 v8s", "long");
	expect(s, "by_value", "$after", "arg5 v4s", "int");
	expect_error(s, "by_value", "$p", -EINVAL, "as in $p->a");
	expect_error(s, "by_value", "&$p->a", -EINVAL, "it has no address");
	expect_error(s, "by_value", "$big->v[i]", -EINVAL, "only a constant index");
	expect_error(s, "by_value", "$big->v[3]", -EINVAL, "has 3 elements: there is no [3]");
	expect(s, "get_big:return", "$a", "arg1! v4s", "int");
	expect(s, "get_big:return", "$return", "ret0 v8up", "struct big");
	expect(s, "get_big:return", "$return->v[1]", "ret0 +8 r8s", "long");
	expect(s, "get_two:return", "$return->first", "ret0 v8s", "long");
	expect(s, "get_pair:return", "$return->b", "ret0 v8s:32+32", "int");
	expect_error(s, "get_two:return", "$return->second", -EINVAL, "second register");
	expect(s, "floats", "$b", "arg1 v4s", "int");
	expect_error(s, "floats", "$d", -EINVAL, "floating-point register");
	/* Only programs have values there at a probe. */
	expect_error(s, "floats:return", "$return", -EINVAL, "[E_BAD_ACCESS]");
}

FIXTURE_TEST(members)
{
	struct state *s = *state;

	expect(s, "vfs_read", "$file->fd", "arg0 r4s", "int");
	expect(s, "vfs_read", "$file->name", "arg0 +8 r8up", "const char *");
	expect(s, "vfs_read", "$file->word", "arg0 +16 r4s", "int");
	expect(s, "vfs_read", "$file->y", "arg0 +18 r2s", "short");
	expect(s, "vfs_read", "$file->uid->val", "arg0 +88 r4u", "unsigned int");
	expect(s, "vfs_read", "$file->inner->second", "arg0 +104 r8s", "long");
	expect(s, "vfs_read", "$file->next->next->fd", "arg0 +56 * +56 * r4s", "int");
	expect(s, "vfs_read:return", "$file->next->fd", "arg0! +56 * r4s", "int");
	expect(s, "vfs_read", "$file->next", "arg0 +56 r8up", "struct file *const");
	expect(s, "vfs_read", "$file->ratio", "arg0 +80 r8u", "double");
	expect(s, "vfs_read", "$file->priv", "arg0 +72 r8up", "void *");
	expect(s, "vfs_read", "$file->h", "arg0 +64 r8up", "struct hidden *");
	/* Structures and arrays stand for their address. */
	expect(s, "vfs_read", "$file->inner", "arg0 +96 v8up", "struct two");
	expect(s, "vfs_read", "$file->comm", "arg0 +40 v8up", "char[16]");
	expect(s, "vfs_read", "&$file->name", "arg0 +8 v8up", "const char **");
	expect(s, "vfs_read", "&$file->inner", "arg0 +96 v8up", "struct two *");
	expect_error(s, "vfs_read", "$file->f_ops", -ENOENT,
		     "'struct file' has no member 'f_ops' [E_NO_MEMBER]");
	expect_error(s, "vfs_read", "$file->f_ops", -ENOENT, "expr:1:8-12: error");
	expect_error(s, "vfs_read", "$file->nam", -ENOENT, "did you mean 'name'?");
	expect_error(s, "vfs_read", "$file->h->x", -EINVAL, "'struct hidden' is only declared");
	expect_error(s, "vfs_read", "$file->priv->x", -EINVAL, "'$file->priv' is of type 'void *'");
	expect_error(s, "vfs_read", "$file->fd->x", -EINVAL, "type 'int', which has no members");
	expect_error(s, "vfs_read", "$count->x", -EINVAL, "'$count' is of type 'unsigned long'");
	expect_error(s, "vfs_read", "&$file", -EINVAL, "it has no address");
}

FIXTURE_TEST(elements)
{
	struct state *s = *state;

	expect(s, "vfs_read", "$file->arr[2]", "arg0 +32 r4s", "int");
	expect(s, "vfs_read", "$file->arr[i]", "arg0 +24 [4x4] r4s", "int");
	expect(s, "vfs_read", "$file->comm[15]", "arg0 +55 r1s", "char");
	expect(s, "vfs_read", "$file->grid", "arg0 +112 v8up", "short[2][3]");
	expect(s, "vfs_read", "$file->grid[1]", "arg0 +118 v8up", "short[3]");
	expect(s, "vfs_read", "$file->grid[1][2]", "arg0 +122 r2s", "short");
	expect(s, "vfs_read", "$pos[0]", "arg3 r8s", "long");
	expect(s, "vfs_read", "$pos[-1]", "arg3 -8 r8s", "long");
	expect(s, "vfs_read", "$buf[i]", "arg1 [1x0] r1s", "const char");
	expect(s, "vfs_read", "$file[1]", "arg0 +152 v8up", "struct file");
	expect(s, "vfs_read", "$file[i]->fd", "arg0 [152x0] r4s", "int");
	expect(s, "vfs_read", "$file->next[1]->fd", "arg0 +56 * +152 r4s", "int");
	expect_error(s, "vfs_read", "$file->arr[4]", -EINVAL, "has 4 elements: there is no [4]");
	expect_error(s, "vfs_read", "$count[1]", -EINVAL, "has no elements");
	expect_error(s, "vfs_read", "$file->inner[1]", -EINVAL, "has no elements");
	expect_error(s, "vfs_read", "$file->priv[1]", -EINVAL, "have no known size");
	expect_error(s, "vfs_read", "$file->h[1]", -EINVAL, "have no known size");

	enum probe_kind kind;
	struct site *site = site_of(s, "vfs_read", &kind);
	struct expr *e = read_context(s, "$file->arr[i]");

	assert_int_equal(locate_context(s, site, kind, e, false), 0);
	assert_ptr_equal(e->u.context.access->steps.v[1].index, e->u.context.path.v[1].index);
}

FIXTURE_TEST(bit_fields)
{
	struct state *s = *state;

	expect(s, "vfs_read", "$file->low", "arg0 +20 r1u:3+0", "unsigned int");
	expect(s, "vfs_read", "$file->mid", "arg0 +20 r1s:5+3", "int");
	expect(s, "vfs_read", "$file->wide", "arg0 +20 r4u:20+8", "unsigned int");
	/* Packed: no aligned unit holds the bits. */
	expect(s, "vfs_read", "$file->odd", "arg0 +125 r8u:60+0", "unsigned long");
	expect_error(s, "vfs_read", "$file->torn", -EINVAL, "spans 9 bytes");
	expect_error(s, "vfs_read", "&$file->low", -EINVAL, "is a bit-field");
	expect_error(s, "vfs_read", "$file->low->x", -EINVAL, "has no members");
}

FIXTURE_TEST(namesakes)
{
	struct state *s = *state;

	expect(s, "twin", "$a", "arg0 v4s", "int");
	expect_error(s, "twin", "$x", -ENOTUNIQ, "[E_AMBIGUOUS]");
	expect_error(s, "twin", "$x", -ENOTUNIQ, "int twin(int a, long x)");
	expect_error(s, "twin", "$x", -ENOTUNIQ, "int twin(int a, struct file *x)");
	expect_error(s, "twin", "$x->fd", -ENOTUNIQ, "differs between the 2 prototypes");
	expect_error(s, "twin", "$none", -ENOENT, "'$none' is not a parameter of 'twin'");
	expect(s, "same", "$a", "arg0 v4s", "int");

	/* BTF has one prototype for two functions and does not say which one it belongs to. */
	s = fixture_open(WITH_ALL | WITHOUT_NAMESAKES);
	expect_error(s, "twin", "$a", -ENOTUNIQ, "there are 2 functions named 'twin'");
	expect_error(s, "same", "$a", -ENOTUNIQ, "int same(int a)");
	expect(s, "nothing", "$x", "arg0 v4s", "int");

	enum probe_kind kind = PK_ENTRY;

	assert_false(same_meaning(site_of(s, "same", &kind), site_of(s, "lonely", &kind), kind,
				  "$a", false));
	fixture_close(s);
}

FIXTURE_TEST(no_prototype)
{
	struct state *s = *state;

	expect_error(s, "kprobe:vfs_read", "$file", -ENODATA, "use kernel.function(\"vfs_read\")");
	expect_error(s, "cloned.isra.0", "$a", -ENODATA, "compiler clones such as 'cloned.isra.0'");
	expect_error(s, "no_btf", "$a", -ENODATA, "BTF has no prototype of 'no_btf'");

	struct capture c;

	capture_begin(&c);
	assert_int_equal(locate_context(s, NULL, PK_BEGIN, read_context(s, "$a"), false), -ENOENT);
	capture_end(&c);
	assert_says(&c, "this kind of probe has no $variables");

	s = fixture_open(WITH_SYMBOLS);
	expect_error(s, "vfs_read", "$file", -ENODATA, "[E_NO_BTF]");
	fixture_close(s);
}

static void expect_names(struct state *s, const char *function, const char *want)
{
	enum probe_kind kind;
	struct name_list names = {0};
	struct site *site = site_of(s, function, &kind);

	locate_context_names(s, site, kind, CONTEXT_ALL, &names);

	const char *text = "";

	vec_each(name, &names.v)
		text = arena_printf(s->arena, "%s%s ", text, *name);
	assert_string_equal(text, want);
}

FIXTURE_TEST(names)
{
	struct state *s = *state;

	expect_names(s, "vfs_read", "$file $buf $count $pos ");
	expect_names(s, "vfs_read:return", "$file $buf $count $pos $return ");
	expect_names(s, "nothing:return", "$x ");
	expect_names(s, "say", "$fmt ");
	expect_names(s, "no_btf:return", "");
	expect_names(s, "kprobe:vfs_read:return", "");
}

FIXTURE_TEST(same_meaning)
{
	struct state *s = *state;
	enum probe_kind kind;
	struct site *read = site_of(s, "vfs_read", &kind), *write = site_of(s, "vfs_write", &kind);
	struct site *none = site_of(s, "no_btf", &kind), *twin = site_of(s, "twin", &kind);
	struct site *many = site_of(s, "many", &kind), *same = site_of(s, "same", &kind);
	struct site *nothing = site_of(s, "nothing", &kind);

	assert_true(same_meaning(read, write, PK_ENTRY, "$file", false));
	assert_true(same_meaning(read, write, PK_RETURN, "$return", false));
	/* The first parameter of each is an int; the others do not matter. */
	assert_true(same_meaning(many, same, PK_ENTRY, "$a", false));
	assert_true(same_meaning(twin, same, PK_ENTRY, "$a", false));
	/* The namesakes of twin disagree. */
	assert_false(same_meaning(twin, many, PK_ENTRY, "$x", false));
	assert_false(same_meaning(twin, nothing, PK_ENTRY, "$x", false));
	/* The value is elsewhere; has another size; is absent. */
	assert_false(same_meaning(site_of(s, "floats", &kind), many, PK_ENTRY, "$b", true));
	assert_false(same_meaning(many, twin, PK_RETURN, "$b", true));
	assert_false(same_meaning(read, many, PK_RETURN, "$return", true));
	assert_true(same_meaning(same, many, PK_RETURN, "$return", false));
	assert_true(same_meaning(read, many, PK_ENTRY, "$return", false));
	assert_true(same_meaning(read, many, PK_ENTRY, "$nope", false));
	assert_true(same_meaning(site_of(s, "kprobe:vfs_read", &kind),
				 site_of(s, "kprobe:many", &kind), PK_ENTRY, "$a", false));
	assert_false(same_meaning(none, many, PK_ENTRY, "$a", false));
}

TEST(type_names)
{
	struct arena *a = arena_create();
	struct btf *b = btf__new_empty();
	int c_int = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int proto = btf__add_func_proto(b, c_int);
	int fn = btf__add_ptr(b, proto);
	int un = btf__add_union(b, "u", 4);
	int cptr = btf__add_const(b, btf__add_ptr(b, un));
	int ptr = btf__add_ptr(b, btf__add_ptr(b, btf__add_volatile(b, c_int)));
	int en = btf__add_enum(b, "colour", 4);

	btf__add_enum_value(b, "RED", -1);

	int anon = btf__add_struct(b, NULL, 0);
	uint32_t size;
	const void *data = btf__raw_data(b, &size);
	struct btf_db *db;

	assert_int_equal(btf_db_open(a, data, size, &db), 0);
	assert_string_equal(btf_types_name(db, a, 0), "void");
	assert_string_equal(btf_types_name(db, a, (uint32_t)fn), "int (*)(...)");
	assert_string_equal(btf_types_name(db, a, (uint32_t)cptr), "union u *const");
	assert_string_equal(btf_types_name(db, a, (uint32_t)ptr), "volatile int **");
	assert_string_equal(btf_types_name(db, a, (uint32_t)en), "enum colour");
	assert_string_equal(btf_types_name(db, a, (uint32_t)anon), "struct {...}");
	assert_true(btf_types_shape(db, (uint32_t)en).is_signed);
	assert_int_equal(btf_types_shape(db, 9999).kind, BTF_VOID);
	btf__free(b);
	btf_db_close(db);
	assert_int_equal(btf_db_open(a, "not BTF at all", 14, &db), -EINVAL);
	arena_destroy(a);
}
