/* SPDX-License-Identifier: GPL-2.0 */
/* Pass 1: printed scripts parse again to the same text; source ranges; literals; copies of
 * trees. */
#include <errno.h>
#include <glob.h>

#include "ast/print.h"
#include "ast/walk.h"
#include "parse/literals.h"
#include "parse/parse.h"
#include "parse/parser.h"
#include "state.h"
#include "unit.h"

static struct state *state_new(void)
{
	struct arena *a = arena_create();
	struct state *s = NEW(a, struct state);

	s->arena = a;
	s->diag = diag_create(a, 0);
	return s;
}

static struct script *parse(struct state *s, const char *text)
{
	return parse_source(s, source_from_text(s->arena, "test", text, strlen(text)));
}

static const struct expr *first_expr(const struct script *sc)
{
	return sc->probes.v[0]->body->u.block.v[0]->u.expr;
}

/* Prints @sc, parses the text and prints it again; both texts must be equal. Returns the first one,
 * or NULL if it does not parse. */
static const char *round_trip(struct state *s, const struct script *sc, const char *name)
{
	struct buf first, second;
	const struct script *again;
	const char *text;

	buf_init(&first);
	buf_init(&second);
	buf_puts(&first, "");
	buf_puts(&second, "");
	print_script(&first, sc);
	text = arena_strndup(s->arena, first.s, first.len);
	again = parse(s, text);
	if (again)
		print_script(&second, again);
	else
		print_error("%s: its printed text does not parse:\n%s", name, text);
	if (!again || strcmp(first.s, second.s) != 0) {
		print_error("%s: printed twice:\n%s---\n%s", name, first.s, second.s);
		text = NULL;
	}
	buf_deinit(&first);
	buf_deinit(&second);
	return text;
}

/* Statements, and their printed form. NULL: as written. */
static const struct { const char *text, *printed; } statements[] = {
	{ "x = a - b - c;", NULL },
	{ "x = a - (b - c);", NULL },
	{ "x = (a - b) - c;", "x = a - b - c;" },
	{ "x = a . b . c;", NULL },
	{ "x = a . (b . c);", NULL },
	{ "x = a + b . c - d;", NULL },
	{ "x = (a . b) + c;", NULL },
	{ "x = 1 << 2 . 3;", NULL },
	{ "x = (1 << 2) . 3;", NULL },
	{ "x = a in b & c in d;", NULL },
	{ "x = a < b in c;", NULL },
	{ "x = a < (b in c);", NULL },
	{ "x = [a] in b;", "x = a in b;" },
	{ "x = [a, *] in b;", NULL },
	{ "x = ([a, b] in c) + 1;", NULL },
	{ "x = a =~ \"b\" == c;", NULL },
	{ "x = a == (b =~ \"c\");", NULL },
	{ "x = a | b ^ c & d;", NULL },
	{ "x = ((a | b) ^ c) & d;", NULL },
	{ "x = a ? b : c ? d : e;", NULL },
	{ "x = (a ? b : c) ? d : e;", NULL },
	{ "x = a ? b = 1 : c = 2;", NULL },
	{ "(a ? b : c) = 2;", NULL },
	{ "a = b = c;", NULL },
	{ "(a = b) = c;", NULL },
	{ "x = (a = b) + 1;", NULL },
	{ "x <<< a <<< b;", NULL },
	{ "x <<< a << b;", NULL },
	{ "x .= \"a\" \"b\" /* glued */ \"c\";", "x .= \"abc\";" },
	{ "x = - -a;", NULL },
	{ "x = -+a;", "x = - +a;" },
	{ "x = ! ~a;", NULL },
	{ "x = - --a;", NULL },
	{ "x = a - -b;", NULL },
	{ "x = a - --b;", NULL },
	{ "x = -(a + b);", NULL },
	{ "x = -a++;", NULL },
	{ "x = (-a)++;", NULL },
	{ "x = a++ + ++b;", NULL },
	{ "x = a & &$b->c;", NULL },
	{ "x = a && &@cast(b, \"t\")->c;", NULL },
	{ "x = 0xffffffffffffffff;", NULL },
	{ "x = -0x8000000000000000;", NULL },
	{ "x = 017 + 0x1F;", "x = 15 + 31;" },
	{ "x = a % (b);", "x = a % b;" },
	{ "x = a % (b % c);", NULL },
	{ "x = \"\\n\\t\\\\\\\"\\001\\377\\000z\";", NULL },
	{ "x = \"\\x41\\e\\101\";", "x = \"AeA\";" },
	{ "x = $a->b->probe[c + 1]->d$;", NULL },
	{ "x = $a[1]$$;", NULL },
	{ "x = $a [1] $;", "x = $a[1]$;" },
	{ "x = $$vars$ . $a$$;", NULL },
	{ "x = @cast(p, \"t\", \"m\")->n[1]$$;", NULL },
	{ "x = @defined($a->b) ? @entry($a) : @var(\"v\")$;", NULL },
	{ "x = @hist_log(a)[3];", NULL },
	{ "x = @variance(a[1, b], 3);", NULL },
	{ "print(@hist_linear(a, -10, 0x10, 2));", "print(@hist_linear(a, -10, 16, 2));" },
	{ "printf(\"%d %%\\n\", a = 1);", NULL },
	{ "printdln(\", \", a, sprintf(\"%s\", b));", NULL },
	{ "x = %{ 1 /* pure */ %} + 1;", NULL },
	{ "a -b;", "a - b;" },
	{ "f (1);", "f(1);" },
	{ "x ++ y", "x++;\n\ty;" },
	{ "x; ++y", "x;\n\t++y;" },
	{ "return -a", "return -a;" },
	{ "if (a) return else next", "if (a)\n\t\treturn;\n\telse\n\t\tnext;" },
	{ "if (a) if (b) c; else d;", "if (a)\n\t\tif (b)\n\t\t\tc;\n\t\telse\n\t\t\td;" },
	{ "if (a) { if (b) c } else d;",
	  "if (a) {\n\t\tif (b)\n\t\t\tc;\n\t} else\n\t\td;" },
	{ "if (a) { } else if (b) ; else { }",
	  "if (a) {\n\t} else if (b)\n\t\t;\n\telse {\n\t}" },
	{ "for (;;) break", "for (;;)\n\t\tbreak;" },
	{ "for (i = 0; i < 3; i++) continue", "for (i = 0; i < 3; i++)\n\t\tcontinue;" },
	{ "foreach (k in a) ;", "foreach (k in a)\n\t\t;" },
	{ "foreach ([k+] in a) ;", "foreach (k+ in a)\n\t\t;" },
	{ "foreach (v- = [k, l] in a[*, 1] limit x + 1) ;",
	  "foreach (v = [k, l] in a[*, 1]- limit x + 1)\n\t\t;" },
	{ "foreach ([k, l-] in a) ;", "foreach ([k, l-] in a)\n\t\t;" },
	{ "foreach (k in a @sum+) ;", "foreach (k in a @sum+)\n\t\t;" },
	{ "foreach (b in @hist_log(a[1])) ;", "foreach (b in @hist_log(a[1]))\n\t\t;" },
	{ "delete a[*, 1];", NULL },
	{ "try { f() } catch (m) { }", "try {\n\t\tf();\n\t} catch (m) {\n\t}" },
	{ ";;{ };", ";\n\t;\n\t{\n\t}\n\t;" },
};

TEST(statements)
{
	unsigned failed = 0;

	for (size_t i = 0; i < sizeof(statements) / sizeof(*statements); i++) {
		struct state *s = state_new();
		const char *text = statements[i].text, *want = statements[i].printed, *got;
		struct script *sc = parse(s, arena_printf(s->arena, "probe begin { %s }", text));

		got = sc ? round_trip(s, sc, text) : NULL;
		want = arena_printf(s->arena, "probe begin {\n\t%s\n}\n", want ? want : text);
		if (!got || strcmp(got, want) != 0) {
			print_error("%s\nprints\n%snot\n%s", text, got ? got : "nothing\n", want);
			failed++;
		}
		arena_destroy(s->arena);
	}
	assert_int_equal(failed, 0);
}

/* Precedence of operators, by the table of grammar/README.md, loosest first. */
static const struct { const char *text, *grouped; } groups[] = {
	{ "a = b = c", "(a (b c))" },
	{ "a <<< b += c", "(a (b c))" },
	{ "a = b ? c : d", "(a (b c d))" },
	{ "a ? b : c ? d : e", "(a b (c d e))" },
	{ "a ? b : c = d", "(a b (c d))" },
	{ "a || b ? c : d", "((a b) c d)" },
	{ "a || b || c", "((a b) c)" },
	{ "a || b && c", "(a (b c))" },
	{ "a && b || c", "((a b) c)" },
	{ "a && b | c", "(a (b c))" },
	{ "a | b ^ c", "(a (b c))" },
	{ "a ^ b & c", "(a (b c))" },
	{ "a & b in c", "(a (b c))" },
	{ "a in b & c", "((a b) c)" },
	{ "a < b in c", "((a b) c)" },
	{ "a == b < c", "((a b) c)" },
	{ "a < b << c", "(a (b c))" },
	{ "a >> b << c", "((a b) c)" },
	{ "a << b . c", "(a (b c))" },
	{ "a . b . c", "((a b) c)" },
	{ "a . b + c", "(a (b c))" },
	{ "a - b + c", "((a b) c)" },
	{ "a + b * c", "(a (b c))" },
	{ "a / b % c", "((a b) c)" },
	{ "-a * b", "((a) b)" },
	{ "! ~a", "((a))" },
	{ "-a++", "((a))" },
	{ "- --a", "((a))" },
	{ "!a in b", "((a) b)" },
};

static void put_grouped(struct buf *b, const struct expr *e)
{
	const struct expr *parts[3] = { NULL, NULL, NULL };

	switch (e->kind) {
	case EX_NAME: buf_puts(b, e->u.name.name); return;
	case EX_UNARY: parts[0] = e->u.unary.a; break;
	case EX_INCDEC: parts[0] = e->u.incdec.a; break;
	case EX_BINARY: parts[0] = e->u.binary.a; parts[1] = e->u.binary.b; break;
	case EX_ASSIGN: parts[0] = e->u.assign.left; parts[1] = e->u.assign.right; break;
	case EX_IN: parts[0] = e->u.in.keys.v[0]; parts[1] = e->u.in.array; break;
	case EX_COND:
		parts[0] = e->u.cond.c;
		parts[1] = e->u.cond.a;
		parts[2] = e->u.cond.b;
		break;
	default: fail();
	}
	for (int i = 0; i < 3 && parts[i]; i++) {
		buf_putc(b, i ? ' ' : '(');
		put_grouped(b, parts[i]);
	}
	buf_putc(b, ')');
}

TEST(precedence)
{
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		struct state *s = state_new();
		struct buf b;

		buf_init(&b);
		put_grouped(&b, first_expr(parse(s, arena_printf(s->arena, "probe begin { %s }",
								groups[i].text))));
		assert_string_equal(b.s, groups[i].grouped);
		buf_deinit(&b);
		arena_destroy(s->arena);
	}
}

static const char *const declarations[] = {
	"global a\nglobal b%\nglobal c%[10]\nglobal d[7]\nglobal e = -1\nglobal f = \"x\"\n",
	"private global a\nprivate function f () {\n}\n",
	"function f:string (a:long, b) :3 {\n\treturn b;\n}\n",
	"function f () %{ /* pure */ STAP_RETURN(1); %}\n%{ top; %}\n",
	"probe a.b(-1).c(\"x\").*d*.**,\n\ttimer.s(1)?,\n\tx!,\n\ty if (a > 1) {\n}\n",
	"probe a = b.c = d {\n}, {\n}\nprobe a.return += e.return? {\n}\n",
	"probe syscall.return.probe.in.if if (a) {\n}\n",
};

TEST(declarations)
{
	for (size_t i = 0; i < sizeof(declarations) / sizeof(*declarations); i++) {
		struct state *s = state_new();
		struct script *sc = parse(s, declarations[i]);

		assert_non_null(sc);
		assert_string_equal(round_trip(s, sc, declarations[i]), declarations[i]);
		arena_destroy(s->arena);
	}
}

static void give_args(struct state *s)
{
	static char one[] = "vfs_read", two[] = "1 + 2", three[] = "a \"b\"";
	static char *args[] = { one, two, three };

	s->opt.argc = 3;
	s->opt.argv = args;
}

/* Every valid script of the parse tests, and all tapsets. */
TEST(files)
{
	static const char *const patterns[] = { "testsuite/parse/ok.*.kp", "tapsets/*.kp" };
	unsigned n = 0, failed = 0;
	glob_t g;

	for (size_t p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		if (glob(patterns[p], 0, NULL, &g))
			continue;
		for (size_t i = 0; i < g.gl_pathc; i++) {
			struct state *s = state_new();
			struct source *src = source_from_file(s->arena, g.gl_pathv[i]);
			struct script *sc;

			/* These scripts query the kernel, and there is none here. */
			if (strstr(src->text, "kernel_v") || strstr(src->text, "CONFIG_")) {
				arena_destroy(s->arena);
				continue;
			}
			give_args(s);
			s->tapset_dir = "tapsets"; /* with the library's macros */
			sc = parse_source(s, src);
			failed += !sc || !round_trip(s, sc, g.gl_pathv[i]);
			arena_destroy(s->arena);
			n++;
		}
		globfree(&g);
	}
	assert_true(n > 10);
	assert_int_equal(failed, 0);
}

static void assert_range(const struct state *s, struct range r, const char *text)
{
	assert_string_equal(arena_strndup(s->arena, r.src->text + r.start, r.end - r.start), text);
}

TEST(ranges)
{
	struct state *s = state_new();
	const struct expr *e = first_expr(parse(s, "probe begin { aa = f( b + $c->d [ 1 ] ) ; }"));
	const struct expr *call = e->u.assign.right, *sum = call->u.call.args.v[0];

	assert_range(s, e->range, "aa = f( b + $c->d [ 1 ] )");
	assert_range(s, call->u.call.name_range, "f");
	assert_range(s, sum->range, "b + $c->d [ 1 ]");
	assert_range(s, sum->u.binary.b->range, "$c->d [ 1 ]");
	assert_range(s, sum->u.binary.b->u.context.path.v[0].range, "->d");
	assert_range(s, sum->u.binary.b->u.context.path.v[1].range, "[ 1 ]");
	arena_destroy(s->arena);
}

/* The range of an expression from a macro lies in the macro, with the range of its use; an
 * expression that joins macro text and other text has a range around the use. */
TEST(ranges_macro)
{
	struct state *s = state_new();
	const struct expr *e = first_expr(parse(s, "@define m(x) %( @x * 2 %)\n"
						   "probe begin { a + @m(b) }"));
	const struct expr *product = e->u.binary.b;

	assert_range(s, e->range, "a + @m(b)");
	assert_range(s, product->u.binary.a->range, "b");
	assert_null(product->u.binary.a->range.via);
	assert_range(s, product->u.binary.b->range, "2");
	assert_string_equal(product->u.binary.b->range.via->name, "@m");
	arena_destroy(s->arena);
}

TEST(arguments)
{
	struct state *s = state_new();
	struct script *sc;
	struct buf b;

	give_args(s);
	sc = parse(s, "probe kernel.function(@1), x.$1, x.$1*, x.$1_iter "
		      "{ y = $2 * $# . @# . @3 }");
	assert_non_null(sc);
	buf_init(&b);
	print_script(&b, sc);
	assert_string_equal(b.s, "probe kernel.function(\"vfs_read\"),\n\tx.vfs_read,\n"
			    "\tx.vfs_read*,\n\tx.vfs_read_iter {\n"
			    "\ty = 1 + 2 * 3 . \"3\" . \"a \\\"b\\\"\";\n}\n");
	assert_int_equal(s->arg_used, 7);
	buf_deinit(&b);
	arena_destroy(s->arena);
}

static bool count_expr(struct expr **e, void *data)
{
	(void)e;
	++*(unsigned *)data;
	return true;
}

static bool rename_x(struct expr **e, void *data)
{
	(void)data;
	if ((*e)->kind == EX_NAME)
		(*e)->u.name.name = "x";
	return true;
}

/* A copy shares nothing that a walk can change. */
TEST(clone_and_walk)
{
	struct state *s = state_new();
	struct script *sc = parse(s, "probe begin { foreach (v = [k,l] in a[1,*] limit n) "
				     "if (k in b) for (;;) "
				     "try { c[d] = $e[f]$ ? @avg(g) : h(i++) } "
				     "catch (m) { while (-o =~ \"r\") printf(\"%d\", p . q) } }");
	unsigned n = 0;
	const struct visitor count = { .expr = count_expr, .data = &n };
	const struct visitor rename = { .expr = rename_x };
	struct stmt *copy;
	struct buf b, after, renamed;

	assert_non_null(sc);
	buf_init(&b);
	buf_init(&after);
	buf_init(&renamed);
	print_script(&b, sc);
	walk_stmt(&sc->probes.v[0]->body, &count);
	/* v k l; the slice, 1, a; n; "k in b"; the assignment; m; the match and the print. */
	assert_int_equal(n, 3 + 3 + 1 + 3 + 12 + 1 + 7);
	copy = ast_clone_stmt(s->arena, sc->probes.v[0]->body);
	walk_stmt(&copy, &rename);
	print_script(&after, sc);
	assert_string_equal(b.s, after.s);
	sc->probes.v[0]->body = copy;
	print_script(&renamed, sc);
	assert_non_null(strstr(renamed.s, "foreach (x = [x, x] in x[1, *] limit x)"));
	buf_deinit(&b);
	buf_deinit(&after);
	buf_deinit(&renamed);
	arena_destroy(s->arena);
}

TEST(numbers)
{
	int64_t v;

	assert_int_equal(literals_number("18446744073709551615", &v), 0);
	assert_true(v == -1);
	assert_int_equal(literals_number("18446744073709551616", &v), -ERANGE);
	assert_int_equal(literals_number("0x7f", &v), 0);
	assert_int_equal(v, 127);
	assert_int_equal(literals_number("08", &v), -EINVAL);
	assert_int_equal(literals_number("1k", &v), -EINVAL);
}

/* Bison's stack limits the depth, with a proper message. */
TEST(depth)
{
	struct state *s = state_new();
	char *text = arena_alloc(s->arena, 60000);

	strcpy(text, "probe begin { x = ");
	memset(text + strlen(text), '(', 50000);
	diag_hold(s->diag);
	assert_null(parse(s, text));
	assert_int_equal(diag_release(s->diag), 1);
	arena_destroy(s->arena);
}

/* A message names no more tokens than there is room for, however many the grammar has. */
TEST(expected_tokens)
{
	struct state *s = state_new();
	struct source *src = source_from_text(s->arena, "test", "x", 1);
	struct parser p = { .state = s, .arena = s->arena, .diag = s->diag, .src = src };
	const struct token last = { .kind = 'x', .range = { .src = src, .end = 1 } };
	const char *names[1000];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		names[i] = "word";
	diag_hold(s->diag);
	expected_report(&p, &last, names, sizeof(names) / sizeof(*names));
	assert_int_equal(diag_release(s->diag), 1);
	assert_int_equal(p.errors, 1);
	arena_destroy(s->arena);
}
