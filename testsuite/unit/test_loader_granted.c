/* SPDX-License-Identifier: GPL-2.0 */
/* --granted: the limits of a rule of probec-grant, and the modules and processes within them. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/say.h"
#include "module/meta.h"
#include "session/child.h"
#include "session/granted.h"

static void parses(void **state)
{
	static const char *const wrong[] = { "", "1", "1,", ",1", "1,0", "1,2,", "1,2,x", "x,2",
					     "1,2,guru,x", "1,2,timed,guru", "1,2 " };
	struct granted g;

	(void)state;
	assert_int_equal(granted_parse("1000,67108864", &g), 0);
	assert_true(g.on && !g.guru && !g.timed);
	assert_int_equal(g.uid, 1000);
	assert_int_equal(g.memory, 64 << 20);
	assert_int_equal(granted_parse("1,2,guru", &g), 0);
	assert_true(g.guru && !g.timed);
	assert_int_equal(granted_parse("1,2,guru,timed", &g), 0);
	assert_true(g.guru && g.timed);
	assert_int_equal(granted_parse("1,2,timed", &g), 0);
	assert_true(!g.guru && g.timed);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(granted_parse(wrong[i], &g), -1);
}

static bool is_grant(void *arg, const struct say_message *m)
{
	*(bool *)arg = strcmp(m->id, "E_GRANT") == 0 && m->hint;
	return true;
}

static void checks_module(void **state)
{
	struct granted none = { .on = false }, plain = { .on = true },
		       guru = { .on = true, .guru = true };
	struct meta m = { .guru = true };
	bool said = false;

	(void)state;
	say_sink(is_grant, &said);
	assert_int_equal(granted_check_module(&none, &m), 0);
	assert_int_equal(granted_check_module(&guru, &m), 0);
	assert_int_equal(granted_check_module(&plain, &m), -1);
	assert_true(said);
	m.guru = false;
	assert_int_equal(granted_check_module(&plain, &m), 0);
	say_sink(NULL, NULL);
}

static void checks_process(void **state)
{
	struct granted own = { .on = true, .uid = geteuid() },
		       other = { .on = true, .uid = geteuid() + 1 }, none = { .on = false };
	struct child c = { .pid = fork() };
	bool said = false;

	(void)state;
	if (!c.pid) {
		pause();
		_exit(0);
	}
	c.fd = (int)syscall(SYS_pidfd_open, c.pid, 0);
	say_sink(is_grant, &said);
	assert_int_equal(granted_check_process(&own, &c), 0);
	assert_int_equal(granted_check_process(&none, &c), 0);
	assert_int_equal(granted_check_process(&other, &c), -1);
	assert_true(said);
	/* Its number may belong to any process by now. */
	kill(c.pid, SIGKILL);
	waitpid(c.pid, NULL, 0);
	c.pid = getpid();
	assert_int_equal(granted_check_process(&own, &c), -1);
	say_sink(NULL, NULL);
	close(c.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),
		cmocka_unit_test(checks_module),
		cmocka_unit_test(checks_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
