/* SPDX-License-Identifier: GPL-2.0 */
/* How the command of -c is run, and that its words are those of the shell. */
#include <sys/wait.h>
#include <unistd.h>

#include "session/words.h"
#include "unit.h"

static void check(const char *command, enum words_way way, const char *text)
{
	struct words w;

	words_split(command, &w);
	if (w.way != way || (text && strcmp(w.text, text) != 0))
		fail_msg("%s: way %d, %s", command, w.way, w.text ? w.text : "no text");
	assert_int_equal(w.program != NULL, way == WORDS_EXEC);
	words_deinit(&w);
}

static void check_program(const char *command, const char *program)
{
	struct words w;

	words_split(command, &w);
	assert_string_equal(w.program, program);
	words_deinit(&w);
}

TEST(ways)
{
	check("dd if=/dev/zero of=/dev/null", WORDS_DIRECT, NULL);
	check("  'my program' \"a b\" c\\ d\n", WORDS_DIRECT, NULL);
	check("prog a=1 b#c 50% x:y @ + , - ^ ! ]", WORDS_DIRECT, NULL);
	check("find . -name '*.c' \\;", WORDS_DIRECT, NULL);

	check("dd if=a 2>/dev/null", WORDS_EXEC, "exec dd if=a 2>/dev/null");
	check("cat <a >>b 2>&1", WORDS_EXEC, "exec cat <a >>b 2>&1");
	check("<a cat", WORDS_EXEC, "<a exec cat");
	check("A=1 B='x y' env", WORDS_EXEC, "A=1 B='x y' exec env");
	check("ls *.c", WORDS_EXEC, "exec ls *.c");
	check("ls \"$HOME\" ~", WORDS_EXEC, "exec ls \"$HOME\" ~");
	check("find . -exec ls {} \\;", WORDS_EXEC, "exec find . -exec ls {} \\;");

	check("a; b", WORDS_SHELL, "a; b");
	check("a && b", WORDS_SHELL, NULL);
	check("a | b", WORDS_SHELL, NULL);
	check("a &", WORDS_SHELL, NULL);
	check("(a)", WORDS_SHELL, NULL);
	check("a\nb", WORDS_SHELL, NULL);
	check("a # b", WORDS_SHELL, NULL);
	check("cd /tmp", WORDS_SHELL, "cd /tmp");
	check("exec dd", WORDS_SHELL, "exec dd");
	check("if true", WORDS_SHELL, NULL);
	check("$EDITOR a", WORDS_SHELL, NULL);
	check("echo $(a)", WORDS_SHELL, NULL);
	check("echo `a`", WORDS_SHELL, NULL);
	check("echo \"`a`\"", WORDS_SHELL, NULL);
	check("cat <<E", WORDS_SHELL, NULL);
	check(">a A=1 env", WORDS_SHELL, NULL);
	check("A=1", WORDS_SHELL, NULL);
	check(">a", WORDS_SHELL, NULL);
	check("a >", WORDS_SHELL, NULL);
	check("'a", WORDS_SHELL, NULL);
	check("\"a", WORDS_SHELL, NULL);
	check("a \\", WORDS_SHELL, NULL);
	check("", WORDS_SHELL, "");
}

TEST(programs)
{
	check_program("git status >/dev/null 2>&1", "git");
	check_program("cat<a", "cat");
	check_program("<a ./cat\t*", "./cat");
	check_program("A='x y' env>a", "env");
}

/* Writes the arguments that sh(1) makes of @command, each with a NUL behind it. Returns their
 * length, or -1 if sh fails. */
static long shell_words(const char *command, char *ret, size_t size)
{
	char script[512];
	int fds[2], status;
	size_t len = 0;
	ssize_t n;
	pid_t pid;

	snprintf(script, sizeof(script), "set -- %s\nfor w; do printf '%%s\\0' \"$w\"; done",
		 command);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	if (pid == 0) {
		dup2(fds[1], STDOUT_FILENO);
		close(STDERR_FILENO);
		execl("/bin/sh", "sh", "-c", script, (char *)NULL);
		_exit(127);
	}
	close(fds[1]);
	while ((n = read(fds[0], ret + len, size - len)) > 0)
		len += (size_t)n;
	close(fds[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status ? -1 : (long)len;
}

static void compare(const char *command)
{
	char theirs[1024], ours[1024];
	struct words w;
	long len;
	size_t at = 0;

	words_split(command, &w);
	if (w.way == WORDS_DIRECT) {
		len = shell_words(command, theirs, sizeof(theirs));
		for (char **p = w.argv; *p; p++) {
			memcpy(ours + at, *p, strlen(*p) + 1);
			at += strlen(*p) + 1;
		}
		if (len < 0 || at != (size_t)len || memcmp(ours, theirs, at) != 0)
			fail_msg("not the words of sh: %s", command);
	}
	words_deinit(&w);
}

/* A command that supposedly needs no shell has the words that the shell makes of it. */
TEST(as_the_shell)
{
	static const char bytes[] = "aab  '\"\\\t=#-$2!%\n";
	unsigned seed = 1;

	for (int i = 0; i < 800; i++) {
		char command[32] = "prog ";
		size_t len = 5 + (size_t)rand_r(&seed) % 12;

		for (size_t j = 5; j < len; j++)
			command[j] = bytes[(size_t)rand_r(&seed) % (sizeof(bytes) - 1)];
		command[len] = '\0';
		compare(command);
	}
}
