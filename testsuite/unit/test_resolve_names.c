/* SPDX-License-Identifier: GPL-2.0 */
/* compiler/analyse/resolve: variables, arrays, functions, tapsets, unused code. */
#include "resolve_fixture.h"
#include "unit.h"

TEST(globals_and_locals)
{
	struct analysed a = analyse("global n, m[7], w%\n"
				    "probe begin { x = 1; n = x; m[\"a\", 2] = n; w[x] <<< 1 }\n"
				    "probe end { foreach ([k, l] in m)\n"
				    "	println(k, l, n, @count(w[1])) }");

	assert_quiet(&a);
	assert_int_equal(a.p->globals.n, 3);
	assert_string_equal(a.p->globals.v[0]->cname, "n");
	assert_false(a.p->globals.v[0]->is_array);
	assert_true(a.p->globals.v[1]->is_array);
	assert_int_equal(a.p->globals.v[1]->nkeys, 2);
	assert_int_equal(a.p->globals.v[2]->index, 2);
	assert_int_equal(a.p->probes.n, 2);
	assert_int_equal(a.p->probes.v[0]->locals.n, 1);
	assert_int_equal(a.p->probes.v[1]->locals.n, 2);
	analysed_end(&a);
}

TEST(wrong_names)
{
	refused("probe begin { println(@count(a)) }", "[E_AGGREGATE]");
	refused("global a probe begin { a[1] = 2; a[1, 2] = 3 }",
		"error: array 'a' is used with 2");
	refused("global a probe begin { a[1] = 2; a = 3 }", "[E_NOT_ARRAY]");
	refused("global a probe begin { a = 2; a[1] = 3 }", "[E_NOT_ARRAY]");
	refused("global a, a probe begin { a = 1 }", "[E_REDEFINED]");
	refused("function f(x, x) { } probe begin { f(1, 2) }", "parameter 'x'");
	refused("function f(x) { x[1] = 2 } probe begin { f(1) }", "[E_NOT_ARRAY]");
}

TEST(functions)
{
	struct analysed a = analyse("function g(n) { return n > 1 ? n * g(n - 1) : 1 }\n"
				    "function f(a) { return g(a) }\n"
				    "function f(a, b) { return f(a) + b }\n"
				    "probe begin { println(f(1, 2)) }");

	assert_quiet(&a);
	assert_int_equal(a.p->functions.n, 3);
	assert_string_equal(a.p->functions.v[0]->cname, "g");
	assert_true(a.p->functions.v[0]->recursive);
	assert_true(a.p->functions.v[0]->pure);
	assert_string_equal(a.p->functions.v[1]->cname, "f");
	assert_false(a.p->functions.v[1]->recursive);
	assert_string_equal(a.p->functions.v[2]->cname, "f_2");
	analysed_end(&a);
}

TEST(wrong_functions)
{
	refused("function count_it() { } probe begin { countit() }", "did you mean 'count_it'?");
	refused("function f(a) { } probe begin { f() }", "no function 'f' takes 0 arguments");
	refused("function f(a) { } probe begin { f() }", "note: 'f' with 1 parameter");
	refused("function f(a) { } function f(b) { } probe begin { f(1) }", "[E_REDEFINED]");
	refused("function f() %{ %} probe begin { f() }", "embedded C needs guru mode");
}

TEST(overloads)
{
	struct analysed a = analyse("function f(a) { if (a > 1) next; return 1 }\n"
				    "function f(a) : 3 { return 3 }\n"
				    "function f(a) : 2 { return 2 }\n"
				    "probe begin { println(f(1)) }");

	assert_int_equal(a.rc, 0);
	assert_int_equal(a.p->functions.n, 2);
	assert_says(&a.said, "warning: function 'f' is never called");
	analysed_end(&a);
}

static const char library[] =
	"# function comment() { }\n"
	"private global calls\n"
	"function lib:long (n:long) { calls++; return n + calls + helper() }\n"
	"private function helper() { return 1 }\n"
	"function text:string () %{ /* pure */ function inner %}\n"
	"probe lib.point = kernel.function(\"vfs_read\") { size = $count }\n";

TEST(library_on_demand)
{
	struct analysed a = analyse_with(library, "probe begin { println(lib(1)) }");

	assert_quiet(&a);
	assert_int_equal(a.p->functions.n, 2);
	assert_string_equal(a.p->functions.v[0]->name, "helper");
	assert_int_equal(a.p->globals.n, 1);
	assert_int_equal(a.s->files_read.n, 1);
	analysed_end(&a);

	a = analyse_with(library, "probe begin { println(1) }");
	assert_quiet(&a);
	assert_int_equal(a.s->scripts.n, 1);
	assert_int_equal(a.s->files_read.n, 1);
	analysed_end(&a);

	a = analyse_with(library, "function lib(n) { return n } probe begin { println(lib(1)) }");
	assert_quiet(&a);
	assert_false(a.p->functions.v[0]->src->in_tapset);
	analysed_end(&a);

	a = analyse_with(library, "probe begin { println(helper()) }");
	assert_int_equal(a.rc, -1);
	analysed_end(&a);

	a = analyse_with(library, "probe begin { println(texts()) }");
	assert_says(&a.said, "did you mean 'text'?");
	analysed_end(&a);

	a = analyse_with(library, "probe begin { println(text) }");
	assert_true(a.p->probes.v[0]->locals.v[0]->unassigned);
	assert_string_equal(a.p->probes.v[0]->locals.v[0]->meant->text,
			    "'text' is a function: write text()");
	analysed_end(&a);
}

/* Text that the scan of a tapset skips, and definitions right behind it. */
TEST(library_scanned)
{
	static const char text[] =
		"// function no() { }\n"
		"/* function no() { } * / \" %{ /* **/function a() { return 7/2%3 }#function no()\n"
		"function b:string() { return \"\\\" function no() { } /* \\\\\" }\n"
		"function c:long() %{ \" % } function no() { } // %}function d() { return 1 }\n"
		"global function_no = 1, e = \"/*\", f[5]\n"
		"function g() { return 1 } // ends without a newline";
	static const char *const there[] = { "a()", "b()", "d()", "e", "f[1]", "g()" };
	struct analysed a;

	for (size_t i = 0; i < sizeof(there) / sizeof(*there); i++) {
		char script[80];

		snprintf(script, sizeof(script), "probe begin { println(%s) }", there[i]);
		a = analyse_with(text, script);
		assert_int_equal(a.s->scripts.n, 2);
		analysed_end(&a);
	}
	a = analyse_with(text, "probe begin { no() }");
	assert_int_equal(a.rc, -1);
	assert_int_equal(a.s->scripts.n, 1);
	analysed_end(&a);
}

TEST(unused)
{
	struct analysed a = analyse("global never, unset, done\n"
				    "function idle() { }\n"
				    "probe begin { x = 1; println(unset)\n"
				    "	done = 1; println(done) }");

	assert_int_equal(a.rc, 0);
	assert_says(&a.said, "global 'never' is never used");
	assert_true(a.p->globals.v[0]->unassigned); /* reported when types are known */
	assert_says(&a.said, "function 'idle' is never called");
	assert_says(&a.said, "warning: 'x' is assigned and never read");
	assert_int_equal(a.p->globals.n, 2);
	assert_int_equal(a.p->functions.n, 0);
	analysed_end(&a);
}

TEST(shown_at_the_end)
{
	struct analysed a = analyse("global n, by, s, k1\n"
				    "function name() { return \"a\" . \"b\" }\n"
				    "probe begin { n++; by[name(), 1] <<< 3; s[1] = name()\n"
				    "	k1 += 2 }");
	struct probe *p;

	assert_quiet(&a);
	assert_int_equal(a.p->probes.n, 1);
	assert_int_equal(analyse_until(a.all, "printing"), 0);
	assert_int_equal(a.p->probes.n, 2);
	p = a.p->probes.v[1];
	assert_int_equal(p->kind, PK_END);
	assert_true(p->order == INT64_MAX);
	assert_body(&a, p->body, "printf(\"n=%d\\n\", n)");
	assert_body(&a, p->body, "\"by[\\\"%s\\\",%d] @count=%d");
	assert_body(&a, p->body, "@count-");
	assert_body(&a, p->body, "printf(\"s[%d]=\\\"%s\\\"\\n\", _k1, s[_k1])");
	assert_int_equal(a.p->globals.v[1]->type, T_STATS);
	analysed_end(&a);
}

TEST(set_from_outside)
{
	struct state *s;
	struct capture said;
	const char *text = "global level = 3 probe begin { println(level) }";

	s = fixture_open(WITH_ALL);
	vec_push(s->arena, &s->opt.globals, "level=5");
	vec_push(s->arena, &s->opt.globals, "levl=5");
	capture_begin(&said);
	s->main = parse_source(s, source_from_text(s->arena, "t.kp", text, strlen(text)));
	assert_int_equal(analyse_until(analyse_begin(s), "unused"), -1);
	capture_end(&said);
	assert_string_equal(s->main->globals.v[0]->g_value, "5");
	assert_says(&said, "did you mean 'level'?");
	fixture_close(s);
}
