/* SPDX-License-Identifier: GPL-2.0 */
/*
 * compiler/analyse/resolve: aliases, probe points, sites, $-values, @defined, and their named
 * errors.
 */
#include "resolve_fixture.h"
#include "unit.h"

TEST(sites)
{
	struct analysed a = analyse("probe kernel.function(\"vfs_*\"),\n"
				    "	kernel.function(\"many\").return { println(1) }");

	assert_quiet(&a);
	assert_int_equal(a.p->probes.n, 2);
	assert_int_equal(a.p->probes.v[1]->kind, PK_RETURN);
	assert_true(a.p->probes.v[0]->sites.n > 1);
	assert_int_equal(a.p->probes.v[1]->sites.v[0]->index, (int)a.p->sites.n - 1);
	assert_string_equal(a.p->probes.v[0]->written, "kernel.function(\"vfs_*\")");
	analysed_end(&a);
}

TEST(one_handler_a_context)
{
	struct analysed a = analyse("probe kernel.function(\"vfs_*\") { println($count) }\n"
				    "probe kernel.function(\"*t*\") { println(@defined($a)) }");
	size_t n = 0;

	assert_quiet(&a);
	assert_int_equal(a.p->probes.v[0]->sites.n, 2);
	assert_true(a.p->probes.n > 2);
	for (size_t i = 1; i < a.p->probes.n; i++)
		n += a.p->probes.v[i]->sites.n;
	assert_true(n > a.p->probes.n - 1);
	analysed_end(&a);
}

TEST(saved_values)
{
	struct analysed a = analyse("probe kernel.function(\"vfs_read\").return\n"
				    "{ println($count, $count, $file->fd, $return) }");
	struct probe *p;

	assert_quiet(&a);
	p = a.p->probes.v[0];
	assert_int_equal(p->saved.n, 2);
	assert_int_equal(p->saved.v[0].n, 2);
	assert_int_equal(p->saved.v[1].n, 0);
	analysed_end(&a);
}

TEST(listed_values)
{
	struct analysed a = analyse(
		"probe kernel.function(\"vfs_read\") { println($$parms, $$return) }\n"
		"probe kernel.function(\"vfs_read\").return { println($$return) }");

	assert_quiet(&a);
	assert_body(&a, a.p->probes.v[0]->body,
		    "sprintf(\"file=%#x buf=%#x count=%#x pos=%#x\", $file, $buf, $count, $pos)");
	assert_body(&a, a.p->probes.v[1]->body, "sprintf(\"return=%#x\", $return)");
	analysed_end(&a);
}

TEST(wrong_values)
{
	refused("probe begin { println($x) }", "'begin' has no $variables");
	refused("probe kernel.function(\"vfs_read\") { println($cuont) }",
		"[E_UNKNOWN_CONTEXT_VARIABLE]");
	refused("function f() { return $x } probe begin { f() }", "'f' is called here");
	refused("global g probe begin if ($x) { g = 1 }", "'$x' in the condition");
	refused("probe begin if (g) { println(1) }", "no global 'g'");
}

TEST(defined)
{
	struct analysed a = analyse(
		"probe kernel.function(\"vfs_read\") {\n"
		"	println(@defined($nope) ? $nope->x : 10)\n"
		"	if (@defined($count)) println(20) else println($other)\n"
		"	if (@defined($nope) && $nope > 3) println($nope)\n"
		"	if (!@defined($nope)) println(30)\n"
		"	println(@defined($file->nope), @defined($file->fd))\n"
		"}");
	struct stmt *body;

	assert_quiet(&a);
	body = a.p->probes.v[0]->body;
	assert_body(&a, body, "println(10)");
	assert_body(&a, body, "println(20)");
	assert_body(&a, body, "println(30)");
	assert_body(&a, body, "println(0, 1)");
	assert_no_body(&a, body, "nope");
	analysed_end(&a);
}

TEST(aliases)
{
	struct analysed a = analyse(
		"probe inner = kernel.function(\"vfs_read\") { println(2); size = $count },\n"
		"	{ println(5) }\n"
		"probe outer = inner { println(3) }\n"
		"probe tail += begin { println(8) }\n"
		"probe outer { println(4, size) }\n"
		"probe tail { println(7) }");
	const char *text;

	assert_quiet(&a);
	assert_int_equal(a.p->probes.n, 2);
	text = body_text(&a, a.p->probes.v[0]->body);
	assert_true(strstr(text, "println(2)") < strstr(text, "println(3)"));
	assert_true(strstr(text, "println(3)") < strstr(text, "println(4"));
	assert_true(strstr(text, "println(4") < strstr(text, "println(5)"));
	text = body_text(&a, a.p->probes.v[1]->body);
	assert_true(strstr(text, "println(7)") < strstr(text, "println(8)"));
	assert_string_equal(a.p->probes.v[0]->written, "outer");
	analysed_end(&a);
}

TEST(wrong_points)
{
	refused("probe a = b {} probe b = a {} probe a { println(1) }", "refers to itself");
	refused("probe disk.io = begin {} probe disk.oi { println(1) }", "did you mean 'disk.io'?");
	refused("probe disk.io = begin {} probe disk.io.return { println(1) }",
		"'return' cannot follow 'begin'");
	refused("probe kernel.function(\"vfs_raed\") { println(1) }", "[E_NO_MATCH]");
	refused("probe kernel.function(\"nope\")? { println(1) }", "the script has no probes");
	refused("global x", "the script has no probes");
}

TEST(optional_points)
{
	struct analysed a = analyse(
		"probe kernel.function(\"nope\")?, kernel.function(\"many\") { println(1) }\n"
		"probe kernel.function(\"nope\")!, kernel.function(\"many\")!,\n"
		"	kernel.function(\"say\") { println(2) }\n"
		"global on probe begin if (on) { on = 1 }");

	assert_quiet(&a);
	assert_int_equal(a.p->probes.n, 3);
	assert_string_equal(a.p->probes.v[1]->sites.v[0]->symbol, "many");
	assert_non_null(a.p->probes.v[2]->cond);
	analysed_end(&a);
}

TEST(refused_by_name)
{
	refused("probe begin { println(@entry($x)) }", "@entry is only possible in return probes");
	refused("%{ int x; %} probe begin { println(1) }", "embedded C");
}
