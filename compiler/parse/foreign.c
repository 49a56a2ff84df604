/* SPDX-License-Identifier: GPL-2.0 */
/* Recognizes syntax of C, Python, awk and other tracers, and names its counterpart here. */
#include "parse/foreign.h"

#include <stddef.h>
#include <string.h>

struct row {
	const char *words, *hint;
};

#define NO_DECLARATION "variables need no declaration here: write NAME = VALUE"

static const struct row words[] = {
	{ " switch case default ", "there is no switch here: if (...) ... else if (...)" },
	{ " elif elseif elsif ", "write 'else if'" },
	{ " and or not ", "write &&, || and !" },
	{ " goto ", "there is no goto: use loops, break and next" },
	{ " unless until ", "write if (!...) or while (!...)" },
	{ " do ", "there is no 'do': while (...) { } tests first" },
	{ " NULL null nil None false False ", "write 0" },
	{ " true True ", "write 1" },
	{ " int char unsigned bool var let auto ", NO_DECLARATION },
};

/* Types: in front of a name they would declare it. */
static const struct row types[] = {
	{ " int char unsigned signed short long double float void bool var let auto const static "
	  "struct string u8 u16 u32 u64 s8 s16 s32 s64 size_t uint32_t uint64_t int32_t int64_t "
	  "local my ", NO_DECLARATION },
};

static const struct row calls[] = {
	{ " strcmp strncmp strcasecmp ",
	  "strings are compared by == and !=; isinstr(s, part) looks for a part" },
	{ " strcpy strncpy strlcpy memcpy ", "strings are values: write NAME = VALUE" },
	{ " strcat strncat ", "strings are joined by '.'" },
	{ " strstr strchr ", "isinstr(s, part) tells whether a string has a part" },
	{ " atoi strtoul ", "strtol(s, 10) reads a number" },
	{ " puts echo fprintf ", "printf() and println() print" },
	{ " sleep usleep msleep nanosleep ",
	  "a handler never waits: probe timer.s(1) is hit every second" },
	{ " count sum avg hist lhist stats ",
	  "n <<< VALUE collects, and @count(n), @avg(n), @hist_log(n) show what was collected" },
	{ " kstack ustack ", "print_backtrace() prints the stack" },
	{ " str ", "kernel_string(address) and user_string(address) read strings" },
	{ " ksym ", "symname(address) returns the name" },
	{ " clear ", "delete NAME empties an array, or sets a variable to 0" },
	{ " strftime ", "ctime() is the time as text, and tz_ctime() in local time" },
};

static const struct row names[] = {
	{ " comm ", "execname() is the name of the process" },
	{ " nsecs elapsed ", "gettimeofday_ns() is the time" },
	{ " arg0 arg1 arg2 arg3 arg4 arg5 ",
	  "parameters are read by name, $NAME, or by number: pointer_arg(1) is the first" },
	{ " kstack ustack ", "print_backtrace() prints the stack" },
	{ " curtask ", "task_current() is the task" },
	{ " retval ", "results are known at the return: probe POINT.return, and $return there" },
};

static const struct row points[] = {
	{ " kprobe fentry kfunc fbt ", "probe kernel.function(\"NAME\") { ... }" },
	{ " kretprobe fexit kretfunc ", "probe kernel.function(\"NAME\").return { ... }" },
	{ " tracepoint rawtracepoint ", "probe kernel.trace(\"NAME\") { ... }" },
	{ " BEGIN ", "probe begin { ... }" },
	{ " END ", "probe end { ... }" },
	{ " interval tick ", "probe timer.s(1) { ... }" },
	{ " profile ", "probe timer.profile { ... }" },
	{ " def func fn ", "function NAME(...) { ... }" },
};

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

static const char *find(const struct row *rows, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; len && i < n; i++)
		for (const char *at = rows[i].words; (at = strstr(at, word)); at++)
			if (at > rows[i].words && at[-1] == ' ' && at[len] == ' ')
				return rows[i].hint;
	return NULL;
}

const char *foreign_word(const char *word)
{
	return find(words, COUNT(words), word);
}

const char *foreign_type(const char *word)
{
	return find(types, COUNT(types), word);
}

const char *foreign_call(const char *word)
{
	const char *hint = find(calls, COUNT(calls), word);

	return hint ? hint : foreign_word(word);
}

const char *foreign_name(const char *word)
{
	const char *hint = find(names, COUNT(names), word);

	return hint ? hint : foreign_word(word);
}

const char *foreign_point(const char *word)
{
	return find(points, COUNT(points), word);
}
