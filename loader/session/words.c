/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One pass over the text splits it into words and notes syntax that only a shell understands. In
 * doubt the shell gets the text unchanged: the meaning is then the same, and only target() differs.
 */
#include "session/words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "shared/buf.h"
#include "shared/memory.h"
#include "shared/word.h"

/* Any of them ends a word without quotes. */
#define WORD_ENDS " \t\n<>"

struct splitter {
	const char *p;
	struct buf bytes;     /* all words, each with a NUL after it */
	size_t n;             /* words */
	bool in_word;
	bool special;         /* one command, but with redirections, expansions, assignments */
	bool redirected;      /* a redirection precedes the program */
	bool compound;        /* more than one command, or not understood */
	bool plain;           /* nothing in the current word is quoted or expanded */
	const char *program;  /* where the first word that is not an assignment begins; or NULL */
	bool program_is_plain;
	bool after_operator;  /* the next word is the file of a redirection */
	const char *start;    /* where the current word begins */
	size_t start_byte;    /* in bytes */
};

static void begin_word(struct splitter *s)
{
	if (s->in_word)
		return;
	s->in_word = true;
	s->plain = true;
	s->start = s->p;
	s->start_byte = s->bytes.len;
}

static void add(struct splitter *s, char c)
{
	begin_word(s);
	buf_write(&s->bytes, &c, 1);
}

static void end_word(struct splitter *s)
{
	const char *word;

	if (!s->in_word)
		return;
	s->in_word = false;
	buf_write(&s->bytes, "", 1);
	s->n++;
	word = s->bytes.s + s->start_byte;
	if (s->after_operator) {
		s->after_operator = false;
	} else if (!s->program && word_is_assignment(word)) {
		/* Behind a redirection, exec would take it for a program. */
		s->compound |= s->redirected;
		s->special = true;
	} else if (!s->program) {
		s->program = s->start;
		s->program_is_plain = s->plain;
		if (s->plain && word_is_for_shell(word))
			s->compound = true;
	}
}

static void single_quotes(struct splitter *s)
{
	const char *end = strchr(s->p + 1, '\'');

	begin_word(s);
	s->plain = false;
	if (!end) {
		s->compound = true;
		return;
	}
	buf_write(&s->bytes, s->p + 1, (size_t)(end - s->p - 1));
	s->p = end;
}

static void double_quotes(struct splitter *s)
{
	begin_word(s);
	s->plain = false;
	for (s->p++; *s->p && *s->p != '"'; s->p++) {
		if (*s->p == '`' || (*s->p == '$' && s->p[1] == '(')) {
			s->compound = true;
			return;
		}
		if (*s->p == '$')
			s->special = true;
		if (*s->p == '\\' && s->p[1] && strchr("$`\"\\", s->p[1]))
			s->p++;
		else if (*s->p == '\\' && s->p[1] == '\n') {
			s->p++;
			continue;
		}
		add(s, *s->p);
	}
	s->compound |= !*s->p;
}

/* < and > with their operands, and a descriptor number in front. */
static void redirection(struct splitter *s)
{
	const char *number = s->in_word ? s->start : NULL;

	while (number && number < s->p && isdigit((unsigned char)*number))
		number++;
	if (number == s->p) {
		s->in_word = false;
		s->bytes.len = s->start_byte;
	} else {
		end_word(s);
	}
	/* Here-documents and process substitutions. */
	if (s->after_operator || (*s->p == '<' && s->p[1] == '<') || s->p[1] == '(') {
		s->compound = true;
		return;
	}
	if (s->p[1] == '>' || s->p[1] == '&' || s->p[1] == '|')
		s->p++;
	s->special = true;
	s->redirected |= !s->program;
	s->after_operator = true;
}

static void backslash(struct splitter *s)
{
	s->p++;
	if (*s->p == '\n')
		return;
	if (!*s->p) {
		s->compound = true;
		return;
	}
	add(s, *s->p);
	s->plain = false;
}

/* $NAME, patterns, ~, braces: they form one or several words of one command. */
static void expansion(struct splitter *s)
{
	if (*s->p == '`' ||
	    (*s->p == '$' && (s->p[1] == '(' || s->p[1] == '{' || s->p[1] == '\''))) {
		s->compound = true;
		return;
	}
	add(s, *s->p);
	s->plain = false;
	s->special = true;
}

static void one_byte(struct splitter *s)
{
	switch (*s->p) {
	case ' ':
	case '\t':
		end_word(s);
		return;
	case '\'':
		single_quotes(s);
		return;
	case '"':
		double_quotes(s);
		return;
	case '\\':
		backslash(s);
		return;
	case '<':
	case '>':
		redirection(s);
		return;
	case '\n':
	case '&':
	case '|':
	case ';':
	case '(':
	case ')':
		s->compound = true;
		return;
	case '#':
		s->compound |= !s->in_word;
		break;
	case '$':
	case '`':
	case '*':
	case '?':
	case '[':
	case '{':
	case '~':
		expansion(s);
		return;
	}
	add(s, *s->p);
}

static void take_words(struct splitter *s, struct words *ret)
{
	const char *word = s->bytes.s;

	ret->way = WORDS_DIRECT;
	ret->argv = memory_zeroed(s->n + 1, sizeof(*ret->argv));
	for (size_t i = 0; i < s->n; i++, word += strlen(word) + 1) {
		ret->argv[i] = memory_zeroed(strlen(word) + 1, 1);
		strcpy(ret->argv[i], word);
	}
}

/* Assignments stay in front of exec, where they apply to the program. */
static void take_text(struct splitter *s, const char *command, struct words *ret)
{
	struct buf t = { 0 };

	ret->way = WORDS_SHELL;
	if (!s->compound && s->program && s->program_is_plain) {
		ret->way = WORDS_EXEC;
		buf_write(&t, command, (size_t)(s->program - command));
		buf_puts(&t, "exec ");
		command = s->program;
		ret->program = memory_zeroed(strcspn(command, WORD_ENDS) + 1, 1);
		memcpy(ret->program, command, strcspn(command, WORD_ENDS));
	}
	buf_puts(&t, command);
	ret->text = t.s;
}

/* A newline at the end separates nothing. */
static size_t without_end(const char *command)
{
	size_t len = strlen(command);

	while (len && (command[len - 1] == '\n' || command[len - 1] == ' ') &&
	       (len < 2 || command[len - 2] != '\\'))
		len--;
	return len;
}

void words_split(const char *command, struct words *ret)
{
	struct buf copy = { 0 };
	struct splitter s = { 0 };

	*ret = (struct words){ 0 };
	buf_write(&copy, command, without_end(command));
	for (s.p = copy.s; *s.p && !s.compound; s.p++)
		one_byte(&s);
	end_word(&s);
	s.compound |= s.after_operator;
	if (!s.compound && !s.special && s.program)
		take_words(&s, ret);
	else
		take_text(&s, copy.s, ret);
	buf_deinit(&s.bytes);
	buf_deinit(&copy);
}

void words_deinit(struct words *w)
{
	for (size_t i = 0; w->argv && w->argv[i]; i++)
		free(w->argv[i]);
	free(w->argv);
	free(w->text);
	free(w->program);
	*w = (struct words){ 0 };
}
