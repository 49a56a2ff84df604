/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The actions of script.y as functions, so that the grammar stays readable. Each makes one node and
 * reports errors that a grammar rule can't express. Lists are built first and passed to nodes.
 */
#ifndef PARSE_TREE_H
#define PARSE_TREE_H

#include "ast/walk.h"
#include "parse/parser.h"

struct expr_list { VEC(struct expr *) v; };
struct stmt_list { VEC(struct stmt *) v; };
struct path { VEC(struct accessor) v; int pretty; };

/* A sequence of components; braces expand to several. Each may end with a suffix ('?', '!' or 0)
 * and a condition of its own, written in the braces. */
struct pp_seq { VEC(struct pp_component) v; int suffix; struct expr *cond; };
struct pp_set { VEC(struct pp_seq *) v; };
struct pp_list { VEC(struct probe_point *) v; bool epilogue; };

struct sort_var { struct expr *var; int dir; };
struct sort_vars { VEC(struct sort_var) v; };
struct sort { int dir; bool has_agg; enum agg_op agg; };

/** tree_take - move the elements of one list into another of the same element type. */
#define tree_take(dst, src)                                                                    \
	((dst)->v = (src)->v, (dst)->n = (src)->n, (dst)->cap = (src)->cap)

/** tree_join - the smallest range that contains both, in the text into which both were expanded. */
struct range tree_join(struct range a, struct range b);

/** tree_list, tree_sort_vars - a list of one element. */
struct expr_list *tree_list(struct parser *p, struct expr *e);
struct sort_vars *tree_sort_vars(struct parser *p, const struct sort_var *var);

struct expr *tree_num(struct parser *p, struct range r, int64_t v);
/** tree_real - a number of type double; @sign: "" or "-", @text: as written, without a sign. */
struct expr *tree_real(struct parser *p, struct range r, const char *sign, const char *text);
struct expr *tree_str(struct parser *p, struct range r, const struct token *t);
struct expr *tree_name(struct parser *p, struct range r, const char *name);
struct expr *tree_unary(struct parser *p, struct range r, enum unary_op op, struct expr *a);
struct expr *tree_binary(struct parser *p, struct range r, enum binary_op op, struct expr *a,
			 struct expr *b);
struct expr *tree_assign(struct parser *p, struct range r, int op, struct expr *left,
			 struct expr *right);
struct expr *tree_incdec(struct parser *p, struct range r, bool inc, bool prefix, struct expr *a);
struct expr *tree_cond(struct parser *p, struct range r, struct expr *c, struct expr *a,
		       struct expr *b);
struct expr *tree_regex(struct parser *p, struct range r, bool negate, struct expr *a,
			const struct token *re);
struct expr *tree_embedded(struct parser *p, struct range r, const struct token *t);
/** tree_index - @array[@keys]; a histogram is the only aggregate function that has buckets. */
struct expr *tree_index(struct parser *p, struct range r, struct expr *array,
			struct expr_list *keys);
/** tree_slice - the same in the head of a foreach, where keys may be "*". */
struct expr *tree_slice(struct parser *p, struct range r, struct expr *array,
			struct expr_list *keys);
struct expr *tree_in(struct parser *p, struct range r, struct expr_list *keys, struct expr *array);
struct expr *tree_call(struct parser *p, struct range r, const char *name, struct range name_range,
		       struct expr_list *args);
/** tree_print - takes the format or delimiter, which must be a literal, from @args. */
struct expr *tree_print(struct parser *p, struct range r, enum print_kind kind,
			struct expr_list *args);
struct expr *tree_agg(struct parser *p, struct range r, enum agg_op op, struct expr *a,
		      struct expr_list *args);
/** tree_context - "$name", where @name may have a pretty suffix, followed by @path. */
struct expr *tree_context(struct parser *p, struct range r, const char *name, struct path *path);
struct expr *tree_at(struct parser *p, struct range r, const char *name, struct expr_list *args,
		     struct path *path);
/** tree_deref - members and elements of a script's own value; @path NULL: the value itself. */
struct expr *tree_deref(struct parser *p, struct range r, struct expr *base, struct path *path);
/** tree_address - & before a $-expression, an @-operator or a tree_deref(). */
struct expr *tree_address(struct range r, struct expr *e);
/** tree_accessor - add ->@member or [@index]. A "$" at the end of the member is a pretty suffix,
 *  after which nothing may follow. */
void tree_accessor(struct parser *p, struct path *path, struct range r, const char *member,
		   struct expr *index);
/** tree_path - a path of one step. */
struct path *tree_path(struct parser *p, struct range r, const struct accessor *step);

struct stmt *tree_stmt_expr(struct parser *p, enum stmt_kind kind, struct range r, struct expr *e);
/** tree_return - `return` at @word with @e at @value. Warns if a line ends between them: its author
 *  may not have meant what follows as its value. */
struct stmt *tree_return(struct parser *p, struct range r, struct range word, struct range value,
			 struct expr *e);
struct stmt *tree_block(struct parser *p, struct range r, const struct stmt_list *body);
struct stmt *tree_while(struct parser *p, struct range r, struct expr *c, struct stmt *body);
struct stmt *tree_if(struct parser *p, struct range r, struct expr *c, struct stmt *then,
		     struct stmt *els);
struct stmt *tree_for(struct parser *p, struct range r, struct expr *init, struct expr *c,
		      struct expr *step, struct stmt *body);
struct stmt *tree_foreach(struct parser *p, struct range r, const struct sort_var *value,
			  const struct sort_vars *keys, struct expr *array, const struct sort *sort,
			  struct expr *limit, struct stmt *body);
struct stmt *tree_try(struct parser *p, struct range r, struct stmt *body, struct expr *var,
		      struct stmt *handler);

/** tree_pp_part - a set of one sequence with one component. */
struct pp_set *tree_pp_part(struct parser *p, struct range r, const char *name, bool has_arg,
			    struct expr *arg);
/** tree_pp_join - every sequence of @a followed by every sequence of @b. */
struct pp_set *tree_pp_join(struct parser *p, struct range r, struct pp_set *a, struct pp_set *b);
void tree_pp_add(struct parser *p, struct pp_set *set, const struct pp_set *more);
/** tree_pp_end - add a suffix and a condition to all sequences of @set: "!" is stronger than "?",
 *  conditions are joined by &&. */
void tree_pp_end(struct parser *p, struct range r, struct pp_set *set, int suffix,
		 struct expr *cond);
/** tree_points - the probe points of @set. */
struct pp_list *tree_points(struct parser *p, struct range r, const struct pp_set *set);
void tree_points_add(struct parser *p, struct pp_list *list, const struct pp_list *more);

void tree_global(struct parser *p, struct range r, const char *name, bool wrap,
		 const struct token *size, struct expr *init);
/** tree_global_order - the order in which the last global is shown at the end: "@sum-". */
void tree_global_order(struct parser *p, const struct sort *sort);
/** tree_type - a type whose name is not a keyword: stack. */
enum type tree_type(struct parser *p, struct range r, const char *name);
/** tree_function - begin a function. It is declared at once, so that its body can't be lost. */
struct function *tree_function(struct parser *p, struct range r, const char *name,
			       struct range name_range, enum type declared,
			       struct range type_range);
/** tree_function_body, tree_function_code - the end of @f: its block, or embedded C. */
void tree_function_body(struct range r, struct function *f, struct stmt *body);
void tree_function_code(struct range r, struct function *f, const struct token *code);
/** tree_function_priority - ":N" after the parameters. */
void tree_function_priority(struct parser *p, const struct token *prio);
/** tree_param - add a parameter to the last function that was begun. */
void tree_param(struct parser *p, struct range r, const char *name, enum type type,
		struct range type_range);
void tree_probe(struct parser *p, struct range r, const struct pp_list *names,
		const struct pp_list *points, struct stmt *body, struct stmt *epilogue);
/** tree_printer_type - add LANGUAGE("TYPE") to a printer (NULL: a new one), which is returned. */
struct printer_decl *tree_printer_type(struct parser *p, struct printer_decl *to, struct range r,
				       const char *language, struct range language_range,
				       const struct token *pattern);
/** tree_printer - declare the printer @d, which is @name(@args). */
void tree_printer(struct parser *p, struct range r, struct printer_decl *d, const char *name,
		  struct range name_range, const struct expr_list *args);
void tree_decl(struct parser *p, enum decl_kind kind, void *node);
/** tree_private - mark the declarations from number @first on as private. */
void tree_private(struct parser *p, size_t first);
/** tree_finish - after the last declaration: checks that need all of the text. */
void tree_finish(struct parser *p);

#endif
