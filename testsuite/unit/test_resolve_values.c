/* SPDX-License-Identifier: GPL-2.0 */
/* @cast and its relatives, autocast, printed structures: compiler/analyse/resolve/casts.c and
 * autocast.c, compiler/analyse/locate/values/value.c and show.c. */
#include "resolve_fixture.h"
#include "unit.h"

#include "ast/walk.h"

/* Finds the first access path from a value, or otherwise the first $variable, in a body. */
static bool find_access(struct expr **e, void *data)
{
	const struct expr **found = data;

	if ((*e)->kind == EX_CONTEXT && (!*found || (!(*found)->u.context.base &&
						     (*e)->u.context.base)))
		*found = *e;
	return true;
}

static const struct access *access_of(struct stmt *body)
{
	const struct expr *found = NULL;
	struct visitor v = { .expr = find_access, .data = &found };

	walk_stmt(&body, &v);
	assert_non_null(found);
	assert_non_null(found->u.context.access);
	return found->u.context.access;
}

/* "+8 * [4] r4": add 8, dereference, index of scale 4, read 4 bytes; "v8": the value itself. */
static const char *text_of(struct arena *a, const struct access *acc)
{
	static const char *const kinds[] = { "", "%d", "%u", "%p", "%f", "%c", "%C", "%s" };
	const char *text = "";

	vec_each(step, &acc->steps) {
		const char *one = step->kind == AS_DEREF ? "*" :
				  step->kind == AS_ADD ? arena_printf(a, "%+d", (int)step->add) :
				  arena_printf(a, "[%u]", step->scale);

		text = arena_printf(a, "%s%s ", text, one);
	}
	if (acc->result != AR_SHOW)
		return arena_printf(a, "%s%c%u", text, acc->result == AR_READ ? 'r' : 'v',
				    acc->size);
	text = arena_printf(a, "%s%s: ", text, acc->show_value ? "value" : "at");
	vec_each(it, &acc->items.v) {
		text = arena_printf(a, "%s%s%s", text, it->text, kinds[it->kind]);
		if (it->kind)
			text = arena_printf(a, "%s@%u", text, it->offset);
		if (it->bit_size)
			text = arena_printf(a, "%s<%u+%u>", text, it->bit_size,
					    it->bit_offset);
	}
	return text;
}

static void expect_body(const char *text, const char *want)
{
	struct analysed a = analyse(text);

	assert_quiet(&a);

	struct probe *last = a.p->probes.v[a.p->probes.n - 1];
	const char *got = text_of(a.s->arena, access_of(last->body));

	if (strcmp(got, want) != 0)
		fail_msg("%s: '%s', not '%s'", text, got, want);
	analysed_end(&a);
}

/* Returns the value that a begin probe prints. */
static void expect(const char *expr, const char *want)
{
	char text[256];

	snprintf(text, sizeof(text), "probe begin { p = 4096 println(%s) }", expr);
	expect_body(text, want);
}

static void refused_value(const char *expr, const char *says)
{
	char text[256];

	snprintf(text, sizeof(text), "probe begin { p = 4096 println(%s) }", expr);
	refused(text, says);
}

TEST(cast)
{
	expect("@cast(p, \"file\")->fd", "r4");
	expect("@cast(p, \"struct file\")->name", "+8 r8");
	expect("@cast(p, \"const struct file\", \"kernel\")->name", "+8 r8");
	expect("@cast(p, \"file\", \"kernel<linux/fs.h>\")->name", "+8 r8");
	expect("@cast(p, \"file\")->y", "+18 r2");
	expect("@cast(p, \"file\")->mid", "+20 r1");
	expect("@cast(p, \"file\")->next->next->fd", "+56 * +56 * r4");
	expect("@cast(p, \"file\")->arr[2]", "+32 r4");
	expect("@cast(p, \"file\")->arr[p]", "+24 [4] r4");
	expect("@cast(p, \"file\")[1]->fd", "+152 r4");
	expect("@cast(p, \"file\")->name[3]", "+8 * +3 r1");
	expect("&@cast(p, \"file\")->comm", "+40 v8");
	expect("@cast(p, \"file\")->comm", "+40 v8");
	expect("@cast(p, \"file\")", "v8");
	expect("@cast(p, \"long\")[2]", "+16 r8");
	expect("@cast(p, \"unsigned long\")[p]", "[8] r8");
	expect("@cast(p, \"int\")[1]", "+4 r4");
	expect("@cast(p, \"struct file *\")[1]->fd", "+8 * r4");
	expect("@cast(p, \"kuid_t\")->val", "r4");
	expect("@cast(p, \"ext4_own\", \"ext4\")->flags", "+4 r4");
	expect("@cast(p, \"ext4_own\", \"kernel:ext4\")->flags", "+4 r4");
	expect("@cast(@cast(p, \"file\")->next, \"pair\")->b", "+4 r4");
	expect("@kderef(2, p + 1)", "r2");
}

TEST(module_of_probe)
{
	expect_body("probe module(\"ext4\").function(\"ext4_open\") "
		    "{ println(@cast(1, \"ext4_own\")->flags) }", "+4 r4");
	expect_body("probe module(\"ext4\").function(\"ext4_open\") "
		    "{ println(@cast(1, \"ext4_own\", \"module\")->flags) }", "+4 r4");
	refused_value("@cast(p, \"ext4_own\")->flags", "no type 'ext4_own' in the BTF of");
}

TEST(cast_refused)
{
	refused_value("@cast(p, \"fiel\")->fd", "did you mean 'file'?");
	refused_value("@cast(p, \"fiel\")->fd", "[E_UNKNOWN_TYPE]");
	refused_value("@cast(p, \"file\")->nane", "did you mean 'name'?");
	refused_value("@cast(p, \"file\")->fd->x", "has no members");
	refused_value("@cast(p, \"file\")->h->x", "only declared");
	refused_value("&@cast(p, \"file\")->low", "bit-field");
	refused_value("@cast(p)->fd", "[E_ARITY]");
	refused_value("@cast(p, p)->fd", "[E_ARITY]");
	refused_value("@cast(p, \"file\", \"<stdio.h>\")->fd", "types of '<stdio.h>'");
	refused_value("@cast(p, \"file\", \"nope\")->fd", "[E_NO_BTF]");
	refused_value("@kderef(3, p)", "[E_ARITY]");
}

/* Variables of the kernel: in BTF or not, per CPU or not. */
static const char this_cpu[] = "function __this_cpu:long (addr:long) { return addr }\n";

static void expect_variable(const char *expr, const char *want, const char *symbol)
{
	char text[256];

	snprintf(text, sizeof(text), "probe begin { println(%s) }", expr);

	struct analysed a = analyse_with(this_cpu, text);

	assert_quiet(&a);

	const char *got = text_of(a.s->arena, access_of(a.p->probes.v[0]->body));

	if (strcmp(got, want) != 0)
		fail_msg("%s: '%s', not '%s'", expr, got, want);
	assert_int_equal(a.p->globals.n, 1);
	assert_string_equal(a.p->globals.v[0]->kernel_symbol, symbol);
	analysed_end(&a);
}

TEST(variables)
{
	expect_variable("@var(\"pair_per_cpu\")->b", "+4 r4", "pair_per_cpu");
	expect_variable("@var(\"pair_per_cpu@kernel/fork.c\", \"kernel\")->b", "+4 r4",
			"pair_per_cpu");
	expect_variable("&@var(\"pair_per_cpu\")->b", "+4 v8", "pair_per_cpu");
	expect_variable("@var(\"file_per_cpu\")->next->fd", "* +56 * r4", "file_per_cpu");
	expect_variable("@var(\"global_count\")", "r8", "global_count");
	expect_variable("@var(\"pair_per_cpu\")$", "at: {.a=%d@0, .b=%d@4}", "pair_per_cpu");
	expect_variable("@cast(&@var(\"init_task\"), \"pair\")->b", "+4 r4", "init_task");
	refused_value("@var(\"jiffies\")", "the type of 'jiffies' needs debug information");
	refused_value("@var(\"jiffies\")", "@cast(&@var(\"jiffies\"), ");
	refused_value("@var(\"a b\")", "'a b' is not the name of a variable");
	refused_value("@var(\"x\", \"ext4\")", "the type of 'x' needs debug information");
	refused_value("@var(p)", "[E_ARITY]");
}

static void expect_text(const char *text, const char *function, const char *body)
{
	struct analysed a = analyse(text);

	assert_quiet(&a);

	const char *got = NULL;

	vec_each(f, &a.p->functions)
		if (strcmp((*f)->name, function) == 0)
			got = body_text(&a, (*f)->body);
	assert_non_null(got);
	if (!strstr(got, body))
		fail_msg("%s: no '%s' in %s", text, body, got);
	analysed_end(&a);
}

TEST(enums)
{
	struct analysed a = analyse("probe begin { println(@enum(\"BLUE\")) }");

	assert_quiet(&a);
	assert_non_null(strstr(body_text(&a, a.p->probes.v[0]->body), "println(7)"));
	analysed_end(&a);
	/* A binary tree of comparisons; of two names for a value, the first counts. */
	expect_text("probe begin { println(@enumname(1, \"enum colour\")) }", "__enumname",
		    "v < 7 ? v == -1 ? \"RED\" : \"\" : v == 7 ? \"BLUE\" : \"\"");
	expect_text("probe kernel.function(\"paint\") { println(@enumname($c)) }", "__enumname",
		    "\"BLUE\"");
	expect_text("probe kernel.function(\"paint\") { p = $p println(@enumname(p->c)) }",
		    "__enumname", "\"BLUE\"");
	refused_value("@enum(\"BLEU\")", "no enum has a constant 'BLEU'");
	refused_value("@enum(\"BLEU\")", "did you mean 'BLUE'?");
	refused_value("@enumname(p)", "the enum of the value");
	refused_value("@enumname(p, \"struct file\")", "the enum of the value");
	refused_value("@enumname(p, \"enum color\")", "no type 'enum color'");
}

static void expect_words(const char *text, const char *words)
{
	struct analysed a = analyse(text);
	const char *got = NULL;

	assert_quiet(&a);
	vec_each(f, &a.p->functions)
		if (strcmp((*f)->name, "__flags") == 0)
			got = (*f)->embedded;
	assert_non_null(got);
	if (!strstr(got, words))
		fail_msg("%s: no '%s' in %s", text, words, got);
	analysed_end(&a);
}

TEST(flags)
{
	static const char colours[] = "{\n\t\t{ 0xffffffffULL, \"RED\" },\n"
				      "\t\t{ 0x7ULL, \"BLUE\" },\n\t}";
	static const char shapes[] = "{\n\t\t{ 0x6ULL, \"BEYOND\" },\n\t\t{ 0x1ULL, \"ONE\" },\n"
				     "\t\t{ 0x2ULL, \"TWO\" },\n\t\t{ 0x0ULL, \"NONE\" },\n\t}";

	expect_words("probe begin { println(@flags(1, \"enum colour\")) }", colours);
	expect_words("probe kernel.function(\"paint\") { println(@flags($c)) }", colours);
	expect_words("probe kernel.function(\"paint\") { p = $p println(@flags(p->c)) }", colours);
	/* Bits without a name of their own come first, and what two names say is no third one. */
	expect_words("probe begin { println(@flags(1, \"enum shape\")) }", shapes);
	refused_value("@flags(p)", "the enum of the value of '@flags'");
	refused_value("@flags(p)", "name it: @flags(v, ");
	refused_value("@flags(p, \"file\", \"kernel\")", "the enum of the value of '@flags'");
	refused_value("@flags(p, \"nothing\")", "the library has no flags 'nothing'");
	refused_value("@flags(p, \"enum color\")", "no type 'enum color'");
	refused_value("@flags()", "[E_ARITY]");
	refused_value("@flags(p, p)", "[E_ARITY]");
}

TEST(registers)
{
	refused_value("@kregister(5)", "[E_GURU]");
	refused_value("@kregister(5)", "register(\"rdi\")");
	refused_value("@kregister(17)", "[E_ARITY]");
	refused_value("@uderef(3, p)", "[E_ARITY]");
	refused_value("@uregister(17)", "[E_ARITY]");
}

#define READ "probe kernel.function(\"vfs_read\") "

TEST(autocast)
{
	expect_body(READ "{ f = $file; println(f->fd) }", "r4");
	expect_body(READ "{ f = $file->next; println(f->next->fd) }", "+56 * r4");
	expect_body(READ "{ f = &$file->inner; println(f->second) }", "+8 r8");
	expect_body("global g " READ "{ g[pid()] = $file println(g[1]->fd) } "
		    "function pid() { return 1 }", "r4");
	expect_body("global g " READ "{ foreach (f = k in g) { println(f->fd) } g[1] = $file }",
		    "r4");
	expect_body("function id(x) { return x } " READ "{ println(id($file)->fd) }", "r4");
	expect_body("function c(x) { return @cast(x, \"pair\") } " READ "{ println(c(1)->b) }",
		    "+4 r4");
	expect_body(READ "{ f = g = $file; h = f ? g : 0; println(h->name) }", "+8 r8");
	expect_body(READ "{ b = $buf println((b)[5]) }", "+5 r1");
	/* Assignments in the function count, not the arguments of callers. */
	expect_body("function f(x) { x = @cast(x, \"pair\") return x } "
		    READ "{ println(f($file)->b) }", "+4 r4");
	expect_body("function f(x) { return x->b } " READ "{ println(f(@cast(1, \"pair\"))) }",
		    "v8");
}

TEST(autocast_refused)
{
	refused("probe begin { x = 1 println(x->fd) }", "what it points to is not known");
	refused("probe begin { x = 1 println(x->fd) }", "@cast(value, \"struct NAME\")->fd");
	refused(READ "{ f = $file f = @cast(1, \"pair\") println(f->b) }", "different types");
	refused("function f(x) { return x->b } "
		READ "{ println(f($file) + f(@cast(1, \"pair\"))) }", "different types");
	refused(READ "{ f = $file println(f->nane) }", "did you mean 'name'?");
}

TEST(defined)
{
	expect_body(READ "{ if (@defined(@cast(1, \"file\")->fd)) println($file->fd) "
		    "else println($nope) }", "r4");
	expect_body(READ "{ if (@defined(@cast(1, \"file\")->nope)) println($nope) "
		    "else println($file->fd) }", "r4");
	expect_body(READ "{ if (@defined(@cast($nope, \"file\")->fd)) println($nope) "
		    "else println($file->fd) }", "r4");
	expect_body(READ "{ if (@defined(@enum(\"NO_SUCH\"))) println($nope) "
		    "else println($file->fd) }", "r4");
	expect_body("function f(x) { if (@defined(@cast(x, \"file\")->fd)) return x "
		    "else return @cast(x, \"nothing\")->fd } "
		    READ "{ println(f($file)) }", "v8");
}

TEST(shown)
{
	expect("@cast(p, \"pair\")$", "at: {.a=%d@0, .b=%d@4}");
	expect("@cast(p, \"file\")->inner$", "+96 at: {.first=%d@0, .second=%d@8}");
	expect("@cast(p, \"big\")$", "at: {.v=[...]}");
	expect("@cast(p, \"big\")$$", "at: {.v=[%d@0, %d@8, %d@16]}");
	expect("@cast(p, \"file\")->comm$", "+40 at: %C@0");
	expect("@cast(p, \"file\")->name$", "+8 at: %s@0");
	expect("@cast(p, \"file\")->fd$", "at: %d@0");
	expect("@cast(p, \"file\")->mid$", "at: %d@20<5+3>");
	expect("@cast(p, \"file\")$",
	       "at: {.fd=%d@0, .name=%s@8, .word=%d@16, .x=%d@16, .y=%d@18, .low=%u@20<3+0>, "
	       ".mid=%d@20<5+3>, .wide=%u@20<20+8>, .arr=[...], .comm=%C@40, .next=%p@56, "
	       ".h=%p@64, .priv=%p@72, .ratio=%f@80, .uid={...}, .inner={...}, .grid=[...], "
	       ".odd=%u@125<60+0>, .torn=?}");
	expect("@cast(p, \"file\")->grid$$", "+112 at: [[%d@0, %d@2, %d@4], [%d@6, %d@8, %d@10]]");
	expect_body(READ "{ println($file$) }",
		    "at: {.fd=%d@0, .name=%s@8, .word=%d@16, .x=%d@16, .y=%d@18, .low=%u@20<3+0>, "
		    ".mid=%d@20<5+3>, .wide=%u@20<20+8>, .arr=[...], .comm=%C@40, .next=%p@56, "
		    ".h=%p@64, .priv=%p@72, .ratio=%f@80, .uid={...}, .inner={...}, .grid=[...], "
		    ".odd=%u@125<60+0>, .torn=?}");
	expect_body(READ "{ println($count$) }", "value: %u@0");
	expect_body(READ "{ println($buf$) }", "value: %s@0");
	expect_body(READ "{ f = $file println(f->inner$) }",
		    "+96 at: {.first=%d@0, .second=%d@8}");
	refused(READ "{ println(&$file->inner$) }", "an address is a number");
}
