/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The language. README.md explains the precedences; tree.h describes the actions.
 *
 * Two things need explaining. A ";" between statements is optional, so where one statement could
 * end and the next begin ("a -b", "f (x)", "x ++y"), the longer expression wins: rules that end
 * something have %prec LOW, and every token that can also continue has a higher precedence. And the
 * same words mean other things in the head of a probe; feed.c joins them there to one PP_WORD for
 * each component, so the grammar never sees them.
 *
 * Errors: "error" stands where a statement, a block or a declaration ends. feed.c helps: it skips
 * whole {} blocks while recovering, and closes open blocks before the next declaration.
 */
%define api.pure full
%define api.prefix {script_}
%define api.token.prefix {TOK_}
%define api.location.type {struct range}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { struct parser *p }

%code requires {
#include "parse/parser.h"
#include "parse/tree.h"
}

%code {
static int script_lex(SCRIPT_STYPE *value, struct range *range, struct parser *p);
static void script_error(struct range *range, struct parser *p, const char *msg);

#define YYLLOC_DEFAULT(cur, rhs, n)                                                            \
	do {                                                                                   \
		if (n)                                                                         \
			(cur) = tree_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n));                 \
		else                                                                           \
			(cur) = (struct range){ YYRHSLOC(rhs, 0).src, YYRHSLOC(rhs, 0).end,    \
						YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).via };  \
	} while (0)

/* The most levels of nested constructs; an else if takes six. */
#define YYMAXDEPTH 6000
}

%union {
	struct token tok;
	struct expr *expr;
	struct stmt *stmt;
	struct expr_list *exprs;
	struct stmt_list *stmts;
	struct path *path;
	struct accessor step;
	struct pp_set *pp;
	struct pp_list *points;
	struct function *function;
	struct printer_decl *printer;
	struct sort_var sort_var;
	struct sort_vars *sort_vars;
	struct sort sort;
	int num;
	enum type type;
	size_t count;
}

%token END 0 "the end of the file"
%token <tok> IDENT "a name" PP_WORD "a probe point component" CONTEXT "a $variable"
%token <tok> NUMBER "a number" REAL "a number with a fraction" STRING "a string" EMBEDDED "%{"
%token <tok> PRINT "a print function" AGG "an aggregate function" AT "an @operator"
%token <tok> PRETTY "$"
/* A word that feed.c knows by what follows. */
%token <tok> PRINTER "printer"
%token <tok> PROBE "probe" GLOBAL "global" PRIVATE "private" FUNCTION "function" IF "if" ELSE "else"
%token <tok> FOR "for" FOREACH "foreach" IN "in" LIMIT "limit" RETURN "return" DELETE "delete"
%token <tok> WHILE "while" BREAK "break" CONTINUE "continue" NEXT "next" STRING_TYPE "string"
%token <tok> LONG_TYPE "long" TRY "try" CATCH "catch"
%token STAT "<<<" USHR ">>>" SHL_EQ "<<=" SHR_EQ ">>=" EQ "==" NE "!=" LE "<=" GE ">=" MATCH "=~"
%token NOMATCH "!~" ADD_EQ "+=" SUB_EQ "-=" MUL_EQ "*=" DIV_EQ "/=" MOD_EQ "%=" AND_EQ "&="
%token XOR_EQ "^=" OR_EQ "|=" CONCAT_EQ ".=" LAND "&&" LOR "||" INC "++" DEC "--" ARROW "->"
%token SHL "<<" SHR ">>"
/* Never seen by the grammar: earlier stages remove them. */
%token JUNK UNCLOSED ARG AT_UNKNOWN DEFINE PP_OPEN "%(" PP_THEN "%?" PP_ELSE "%:" PP_CLOSE "%)"

%precedence LOW
%precedence ELSE
%right '=' ADD_EQ SUB_EQ MUL_EQ DIV_EQ MOD_EQ SHL_EQ SHR_EQ AND_EQ XOR_EQ OR_EQ CONCAT_EQ STAT
%precedence '?'
%left LOR
%left LAND
%left '|'
%left '^'
%left '&'
%precedence IN
%left '<' '>' LE GE EQ NE MATCH NOMATCH
%left SHL SHR USHR
%left '.'
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY '!' '~'
%precedence INC DEC
%precedence '(' '[' ';' IDENT CONTEXT NUMBER REAL STRING EMBEDDED PRINT AGG AT

%type <expr> expr value base reached indexable agg call literal init arg_expr opt_expr condition key
%type <expr> fe_array fe_limit constant
%type <exprs> exprs args keys constants
%type <stmt> stmt simple block
%type <stmts> stmts
%type <path> path steps
%type <step> step
%type <pp> components component alternatives alternative
%type <points> point points names
%type <function> function_head
%type <printer> printer_types
%type <sort_var> fe_var
%type <sort_vars> fe_keys fe_vars
%type <sort> order fe_sort
%type <num> suffix wrap direction pretty
%type <type> type
%type <tok> size number member word
%type <count> private

%initial-action { @$ = (struct range){ p->src, 0, 0, NULL }; }

%%

script:
	decls			{ tree_finish(p); }
;

decls:
	%empty
|	decls decl		{ feed_recovered(p); }
|	decls error
;

decl:
	';'
|	global_word globals
|	private global_word globals	{ tree_private(p, $1); }
|	private globals		{ tree_private(p, $1); }
|	function
|	private function	{ tree_private(p, $1); }
|	probe
|	private probe		{ tree_private(p, $1); }
|	printer
|	EMBEDDED		{ tree_decl(p, DECL_EMBEDDED, tree_embedded(p, @$, &$1)); }
;

/* A word that begins a declaration ends the search for one. */
private:
	PRIVATE			{ $$ = p->script->order.n; yyerrok; }
;

global_word:
	GLOBAL			{ yyerrok; }
;

function_word:
	FUNCTION		{ yyerrok; }
;

probe_word:
	PROBE			{ yyerrok; }
;

globals:
	global
|	globals ',' global
;

global:
	IDENT wrap size init	{ tree_global(p, @1, $1.s, $2, &$3, $4); }
|	IDENT wrap size order	{
		tree_global(p, @1, $1.s, $2, &$3, NULL);
		tree_global_order(p, &$4);
	}
;

wrap:
	%empty			{ $$ = 0; }
|	'%'			{ $$ = 1; }
;

size:
	%empty			{ $$ = (struct token){ 0 }; }
|	'[' NUMBER ']'		{ $$ = $2; }
;

init:
	%empty			{ $$ = NULL; }
|	'=' literal		{ $$ = $2; }
;

order:
	AGG '+'			{ $$ = (struct sort){ 1, true, $1.op }; }
|	AGG '-'			{ $$ = (struct sort){ -1, true, $1.op }; }
;

literal:
	constant
|	STRING			{ $$ = tree_str(p, @$, &$1); }
|	REAL			{ $$ = tree_real(p, @$, "", $1.s); }
|	'+' REAL		{ $$ = tree_real(p, @$, "", $2.s); }
|	'-' REAL		{ $$ = tree_real(p, @$, "-", $2.s); }
;

constant:
	number			{ $$ = tree_num(p, @$, $1.num); }
;

number:
	NUMBER
|	'+' NUMBER		{ $$ = $2; }
|	'-' NUMBER		{ $$ = $2; $$.num = (int64_t)-(uint64_t)$2.num; }
;

function:
	function_head '(' params ')' priority block	{ tree_function_body(@$, $1, $6); }
|	function_head '(' params ')' priority EMBEDDED	{ tree_function_code(@$, $1, &$6); }
;

function_head:
	function_word IDENT type	{ $$ = tree_function(p, @$, $2.s, @2, $3, @3); }
;

type:
	%empty			{ $$ = T_UNKNOWN; }
|	':' LONG_TYPE		{ $$ = T_LONG; }
|	':' STRING_TYPE		{ $$ = T_STRING; }
|	':' IDENT		{ $$ = tree_type(p, @2, $2.s); }
;

params:
	%empty
|	param_list
;

param_list:
	param
|	param_list ',' param
;

param:
	IDENT type		{ tree_param(p, @1, $1.s, $2, @2); }
;

priority:
	%empty
|	':' number		{ tree_function_priority(p, &$2); }
;

probe:
	probe_word points block		{ tree_probe(p, @$, NULL, $2, $3, NULL); }
|	probe_word names points block	{ tree_probe(p, @$, $2, $3, $4, NULL); }
|	probe_word names points block ',' block	{ tree_probe(p, @$, $2, $3, $4, $6); }
;

printer:
	printer_word printer_types '=' IDENT '(' exprs ')'
				{ tree_printer(p, @$, $2, $4.s, @4, $6); }
;

printer_word:
	PRINTER			{ yyerrok; }
;

printer_types:
	IDENT '(' STRING ')'	{ $$ = tree_printer_type(p, NULL, @$, $1.s, @1, &$3); }
|	printer_types ',' IDENT '(' STRING ')'
				{ $$ = tree_printer_type(p, $1, @$, $3.s, @3, &$5); }
;

names:
	point '='		{ $$ = $1; }
|	point ADD_EQ		{ $$ = $1; $$->epilogue = true; }
|	names point '='		{ $$ = $1; tree_points_add(p, $$, $2); }
|	names point ADD_EQ	{ $$ = $1; tree_points_add(p, $$, $2); $$->epilogue = true; }
;

points:
	point
|	points ',' point	{ $$ = $1; tree_points_add(p, $$, $3); }
;

point:
	alternative		{ $$ = tree_points(p, @$, $1); }
;

suffix:
	%empty			{ $$ = 0; }
|	'?'			{ $$ = '?'; }
|	'!'			{ $$ = '!'; }
;

condition:
	%empty			{ $$ = NULL; }
|	IF '(' expr ')'		{ $$ = $3; }
;

components:
	component
|	components '.' component	{ $$ = tree_pp_join(p, @$, $1, $3); }
;

component:
	PP_WORD				{ $$ = tree_pp_part(p, @$, $1.s, false, NULL); }
|	PP_WORD '(' arg_expr ')'	{ $$ = tree_pp_part(p, @$, $1.s, true, $3); }
|	'{' alternatives '}'		{ $$ = $2; }
;

arg_expr:
	%empty			{ $$ = NULL; }
|	literal
;

alternatives:
	alternative
|	alternatives ',' alternative	{ $$ = $1; tree_pp_add(p, $$, $3); }
;

alternative:
	components suffix condition	{ $$ = $1; tree_pp_end(p, @$, $$, $2, $3); }
;

block:
	'{' stmts '}'		{ $$ = tree_block(p, @$, $2); }
|	'{' stmts error '}'	{
		$$ = ast_stmt(p->arena, ST_BLOCK, @$);
		yyerrok;
		feed_recovered(p);
	}
;

stmts:
	%empty			{ $$ = NEW(p->arena, struct stmt_list); }
|	stmts stmt		{ $$ = $1; vec_push(p->arena, &$$->v, $2); }
;

stmt:
	';'			{ $$ = ast_stmt(p->arena, ST_EMPTY, @$); }
|	block
|	simple %prec LOW
|	simple ';'		{ $$ = $1; }
|	IF '(' expr ')' stmt %prec LOW	{ $$ = tree_if(p, @$, $3, $5, NULL); }
|	IF '(' expr ')' stmt ELSE stmt	{ $$ = tree_if(p, @$, $3, $5, $7); }
|	WHILE '(' expr ')' stmt	{ $$ = tree_while(p, @$, $3, $5); }
|	FOR '(' opt_expr ';' opt_expr ';' opt_expr ')' stmt
				{ $$ = tree_for(p, @$, $3, $5, $7, $9); }
|	FOR '(' error ')' { yyerrok; feed_recovered(p); } stmt	{ $$ = $6; }
|	FOREACH '(' fe_keys IN fe_array fe_sort fe_limit ')' stmt
				{ $$ = tree_foreach(p, @$, NULL, $3, $5, &$6, $7, $9); }
|	FOREACH '(' fe_var '=' fe_keys IN fe_array fe_sort fe_limit ')' stmt
				{ $$ = tree_foreach(p, @$, &$3, $5, $7, &$8, $9, $11); }
|	TRY block CATCH block	{ $$ = tree_try(p, @$, $2, NULL, $4); }
|	TRY block CATCH '(' IDENT ')' block
				{ $$ = tree_try(p, @$, $2, tree_name(p, @5, $5.s), $7); }
|	error ';'		{
		$$ = ast_stmt(p->arena, ST_EMPTY, @$);
		yyerrok;
		feed_recovered(p);
	}
;

simple:
	expr %prec LOW		{ $$ = tree_stmt_expr(p, ST_EXPR, @$, $1); }
|	RETURN %prec LOW	{ $$ = tree_stmt_expr(p, ST_RETURN, @$, NULL); }
|	RETURN expr %prec LOW	{ $$ = tree_return(p, @$, @1, @2, $2); }
|	DELETE expr %prec LOW	{ $$ = tree_stmt_expr(p, ST_DELETE, @$, $2); }
|	BREAK			{ $$ = ast_stmt(p->arena, ST_BREAK, @$); }
|	CONTINUE		{ $$ = ast_stmt(p->arena, ST_CONTINUE, @$); }
|	NEXT			{ $$ = ast_stmt(p->arena, ST_NEXT, @$); }
;

opt_expr:
	%empty			{ $$ = NULL; }
|	expr
;

fe_var:
	IDENT direction		{ $$ = (struct sort_var){ tree_name(p, @1, $1.s), $2 }; }
;

fe_keys:
	fe_var			{ $$ = tree_sort_vars(p, &$1); }
|	'[' fe_vars ']'		{ $$ = $2; }
;

fe_vars:
	fe_var			{ $$ = tree_sort_vars(p, &$1); }
|	fe_vars ',' fe_var	{ $$ = $1; vec_push(p->arena, &$$->v, $3); }
;

fe_array:
	indexable
|	indexable '[' keys ']'	{ $$ = tree_slice(p, @$, $1, $3); }
;

fe_sort:
	direction		{ $$ = (struct sort){ .dir = $1 }; }
|	order
;

direction:
	%empty			{ $$ = 0; }
|	'+'			{ $$ = 1; }
|	'-'			{ $$ = -1; }
;

fe_limit:
	%empty			{ $$ = NULL; }
|	LIMIT expr		{ $$ = $2; }
;

expr:
	value %prec LOW
|	'[' keys ']' IN indexable	{ $$ = tree_in(p, @$, $2, $5); }
|	expr IN indexable		{ $$ = tree_in(p, @$, tree_list(p, $1), $3); }
|	expr '=' expr		{ $$ = tree_assign(p, @$, OP_SET, $1, $3); }
|	expr STAT expr		{ $$ = tree_assign(p, @$, OP_STAT, $1, $3); }
|	expr ADD_EQ expr	{ $$ = tree_assign(p, @$, OP_ADD, $1, $3); }
|	expr SUB_EQ expr	{ $$ = tree_assign(p, @$, OP_SUB, $1, $3); }
|	expr MUL_EQ expr	{ $$ = tree_assign(p, @$, OP_MUL, $1, $3); }
|	expr DIV_EQ expr	{ $$ = tree_assign(p, @$, OP_DIV, $1, $3); }
|	expr MOD_EQ expr	{ $$ = tree_assign(p, @$, OP_MOD, $1, $3); }
|	expr SHL_EQ expr	{ $$ = tree_assign(p, @$, OP_SHL, $1, $3); }
|	expr SHR_EQ expr	{ $$ = tree_assign(p, @$, OP_SHR, $1, $3); }
|	expr AND_EQ expr	{ $$ = tree_assign(p, @$, OP_AND, $1, $3); }
|	expr XOR_EQ expr	{ $$ = tree_assign(p, @$, OP_XOR, $1, $3); }
|	expr OR_EQ expr		{ $$ = tree_assign(p, @$, OP_OR, $1, $3); }
|	expr CONCAT_EQ expr	{ $$ = tree_assign(p, @$, OP_CONCAT, $1, $3); }
|	expr '?' expr ':' expr %prec LOW	{ $$ = tree_cond(p, @$, $1, $3, $5); }
|	expr LOR expr		{ $$ = tree_binary(p, @$, OP_LOR, $1, $3); }
|	expr LAND expr		{ $$ = tree_binary(p, @$, OP_LAND, $1, $3); }
|	expr '|' expr		{ $$ = tree_binary(p, @$, OP_OR, $1, $3); }
|	expr '^' expr		{ $$ = tree_binary(p, @$, OP_XOR, $1, $3); }
|	expr '&' expr		{ $$ = tree_binary(p, @$, OP_AND, $1, $3); }
|	expr '<' expr		{ $$ = tree_binary(p, @$, OP_LT, $1, $3); }
|	expr '>' expr		{ $$ = tree_binary(p, @$, OP_GT, $1, $3); }
|	expr LE expr		{ $$ = tree_binary(p, @$, OP_LE, $1, $3); }
|	expr GE expr		{ $$ = tree_binary(p, @$, OP_GE, $1, $3); }
|	expr EQ expr		{ $$ = tree_binary(p, @$, OP_EQ, $1, $3); }
|	expr NE expr		{ $$ = tree_binary(p, @$, OP_NE, $1, $3); }
|	expr MATCH STRING	{ $$ = tree_regex(p, @$, false, $1, &$3); }
|	expr NOMATCH STRING	{ $$ = tree_regex(p, @$, true, $1, &$3); }
|	expr SHL expr		{ $$ = tree_binary(p, @$, OP_SHL, $1, $3); }
|	expr SHR expr		{ $$ = tree_binary(p, @$, OP_SHR, $1, $3); }
|	expr USHR expr		{ $$ = tree_binary(p, @$, OP_USHR, $1, $3); }
|	expr '.' expr		{ $$ = tree_binary(p, @$, OP_CONCAT, $1, $3); }
|	expr '+' expr		{ $$ = tree_binary(p, @$, OP_ADD, $1, $3); }
|	expr '-' expr		{ $$ = tree_binary(p, @$, OP_SUB, $1, $3); }
|	expr '*' expr		{ $$ = tree_binary(p, @$, OP_MUL, $1, $3); }
|	expr '/' expr		{ $$ = tree_binary(p, @$, OP_DIV, $1, $3); }
|	expr '%' expr		{ $$ = tree_binary(p, @$, OP_MOD, $1, $3); }
|	'-' expr %prec UNARY	{ $$ = tree_unary(p, @$, OP_NEG, $2); }
|	'+' expr %prec UNARY	{ $$ = tree_unary(p, @$, OP_PLUS, $2); }
|	'!' expr		{ $$ = tree_unary(p, @$, OP_NOT, $2); }
|	'~' expr		{ $$ = tree_unary(p, @$, OP_COMPL, $2); }
|	INC value %prec LOW	{ $$ = tree_incdec(p, @$, true, true, $2); }
|	DEC value %prec LOW	{ $$ = tree_incdec(p, @$, false, true, $2); }
|	value INC		{ $$ = tree_incdec(p, @$, true, false, $1); }
|	value DEC		{ $$ = tree_incdec(p, @$, false, false, $1); }
;

value:
	base %prec LOW
|	reached
|	'&' reached		{ $$ = tree_address(@$, $2); }
|	'&' base %prec LOW	{ $$ = tree_address(@$, tree_deref(p, @$, $2, NULL)); }
;

base:
	NUMBER			{ $$ = tree_num(p, @$, $1.num); }
|	REAL			{ $$ = tree_real(p, @$, "", $1.s); }
|	STRING			{ $$ = tree_str(p, @$, &$1); }
|	EMBEDDED		{ $$ = tree_embedded(p, @$, &$1); }
|	'(' expr ')'		{ $$ = $2; }
|	indexable %prec LOW
|	indexable '[' keys ']'	{ $$ = tree_index(p, @$, $1, $3); }
|	call
;

indexable:
	IDENT %prec LOW		{ $$ = tree_name(p, @$, $1.s); }
|	agg
;

call:
	IDENT '(' args ')'	{ $$ = tree_call(p, @$, $1.s, @1, $3); }
|	PRINT '(' args ')'	{ $$ = tree_print(p, @$, $1.op, $3); }
;

agg:
	AGG '(' expr ')'	{ $$ = tree_agg(p, @$, $1.op, $3, NULL); }
|	AGG '(' expr ',' constants ')'	{ $$ = tree_agg(p, @$, $1.op, $3, $5); }
;

constants:
	constant		{ $$ = tree_list(p, $1); }
|	constants ',' constant	{ $$ = $1; vec_push(p->arena, &$$->v, $3); }
;

/* A value with members or elements, and the path that is read from it. */
reached:
	CONTEXT path pretty	{ $2->pretty += $3; $$ = tree_context(p, @$, $1.s, $2); }
|	AT '(' args ')' path pretty	{ $5->pretty += $6; $$ = tree_at(p, @$, $1.s, $3, $5); }
|	base steps pretty	{ $2->pretty += $3; $$ = tree_deref(p, @$, $1, $2); }
|	base PRETTY		{ $$ = tree_deref(p, @$, $1, &(struct path){ .pretty = $2.op }); }
;

path:
	%empty %prec LOW	{ $$ = NEW(p->arena, struct path); }
|	steps %prec LOW
;

steps:
	step			{ $$ = tree_path(p, @$, &$1); }
|	steps step		{ $$ = $1; tree_accessor(p, $$, @2, $2.member, $2.index); }
;

step:
	ARROW member		{ $$ = (struct accessor){ .member = $2.s }; }
|	'[' expr ']'		{ $$ = (struct accessor){ .index = $2 }; }
;

pretty:
	%empty %prec LOW	{ $$ = 0; }
|	PRETTY			{ $$ = $1.op; }
;

member:
	IDENT
|	PRINT
|	word
;

word:
	PROBE | GLOBAL | PRIVATE | FUNCTION | IF | ELSE | FOR | FOREACH | IN | LIMIT | RETURN
|	DELETE | WHILE | BREAK | CONTINUE | NEXT | STRING_TYPE | LONG_TYPE | TRY | CATCH
;

args:
	%empty			{ $$ = NEW(p->arena, struct expr_list); }
|	exprs
;

exprs:
	expr			{ $$ = tree_list(p, $1); }
|	exprs ',' expr		{ $$ = $1; vec_push(p->arena, &$$->v, $3); }
;

keys:
	key			{ $$ = tree_list(p, $1); }
|	keys ',' key		{ $$ = $1; vec_push(p->arena, &$$->v, $3); }
;

key:
	expr
|	'*'			{ $$ = NULL; }
;

%%

static int script_lex(SCRIPT_STYPE *value, struct range *range, struct parser *p)
{
	feed_next(p, &value->tok);
	*range = value->tok.range;
	p->previous = p->last;
	p->last = value->tok;
	return value->tok.kind;
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct parser *p)
{
	yysymbol_kind_t kinds[YYNTOKENS];
	const char *names[YYNTOKENS];
	int n = yypcontext_expected_tokens(ctx, kinds, YYNTOKENS);

	if (n < 0)
		return n;
	for (int i = 0; i < n; i++)
		names[i] = yysymbol_name(kinds[i]);
	expected_report(p, &p->last, names, n);
	feed_syntax_error(p);
	return 0;
}

/* Bison itself reports only that its stack is full. */
static void script_error(struct range *range, struct parser *p, const char *msg)
{
	(void)msg;
	parser_error(p, *range, E_LIMIT, "the script is nested too deeply");
	diag_hint(p->diag, "use functions and variables for parts of it");
}
