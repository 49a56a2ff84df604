/* SPDX-License-Identifier: GPL-2.0 */
/* --granted: the limits of a rule of probec-grant, and the modules and processes within them. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/say.h"
#include "device/device.h"
#include "module/meta.h"
#include "session/child.h"
#include "session/granted.h"
#include "unit.h"

TEST(parses)
{
	static const char *const wrong[] = { "", "1", "1,2", "1:1", "1:1,", ":1,1", "1:,1", "1:1,0",
					     "1:1,2,", "1:1,2,x", "x:1,2", "1:x,2", "1:1,2,guru,x",
					     "1:1,2,timed,guru", "1:1,2 " };
	struct granted g;

	assert_int_equal(granted_parse("1000:100,67108864", &g), 0);
	assert_int_equal(g.uid, 1000);
	assert_int_equal(g.gid, 100);
	assert_true(g.on && !g.guru && !g.timed);
	assert_int_equal(g.memory, 64 << 20);
	assert_int_equal(granted_parse("1:1,2,guru", &g), 0);
	assert_true(g.guru && !g.timed);
	assert_int_equal(granted_parse("1:1,2,guru,timed", &g), 0);
	assert_true(g.guru && g.timed);
	assert_int_equal(granted_parse("1:1,2,timed", &g), 0);
	assert_true(!g.guru && g.timed);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(granted_parse(wrong[i], &g), -1);
}

static bool is_grant(void *arg, const struct say_message *m)
{
	*(bool *)arg = strcmp(m->id, "E_GRANT") == 0 && m->hint;
	return true;
}

TEST(checks_module)
{
	struct granted none = { .on = false }, plain = { .on = true },
		       guru = { .on = true, .guru = true };
	struct meta m = { .guru = true };
	bool said = false;

	say_sink(is_grant, &said);
	assert_int_equal(granted_check_module(&none, &m), 0);
	assert_int_equal(granted_check_module(&guru, &m), 0);
	assert_int_equal(granted_check_module(&plain, &m), -1);
	assert_true(said);
	m.guru = false;
	assert_int_equal(granted_check_module(&plain, &m), 0);
	say_sink(NULL, NULL);
}

static struct child begin(void (*become)(void))
{
	struct child ret = { 0 };
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	ret.pid = fork();
	if (!ret.pid) {
		if (become)
			become();
		_exit(write(ready[1], "", 1) == 1 ? pause() : 1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	ret.fd = (int)syscall(SYS_pidfd_open, ret.pid, 0);
	return ret;
}

static void end(struct child *c)
{
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
	close(c->fd);
}

TEST(checks_process)
{
	struct granted own = { .on = true, .uid = geteuid(), .gid = getegid() },
		       other = { .on = true, .uid = geteuid() + 1, .gid = getegid() },
		       none = { .on = false };
	struct child c = begin(NULL);
	bool said = false;

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

static void become_user(void)
{
	if (setresgid(1234, 1234, 1234) || setresuid(1234, 1234, 1234) ||
	    prctl(PR_SET_DUMPABLE, 1))
		_exit(1);
}

static void become_secret(void)
{
	become_user();
	prctl(PR_SET_DUMPABLE, 0);
}

/* Such programs may let themselves be debugged by those who have their rights. */
static void become_setuid(void)
{
	if (setresgid(1234, 1234, 1234) || setresuid(1234, 1234, 0) || prctl(PR_SET_DUMPABLE, 1))
		_exit(1);
}

static void become_setgid(void)
{
	if (setresgid(1234, 1, 1) || setresuid(1234, 1234, 1234) || prctl(PR_SET_DUMPABLE, 1))
		_exit(1);
}

/* The same effective user does not make it a process of the user. */
TEST(checks_rights)
{
	void (*const others[])(void) = { become_secret, become_setuid, become_setgid };
	struct granted user = { .on = true, .uid = 1234, .gid = 1234 };
	struct child c;
	bool said = false;

	if (geteuid())
		skip();
	c = begin(become_user);
	assert_int_equal(granted_check_process(&user, &c), 0);
	end(&c);
	say_sink(is_grant, &said);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		c = begin(others[i]);
		assert_int_equal(granted_check_process(&user, &c), -1);
		end(&c);
	}
	say_sink(NULL, NULL);
}

static bool is_option(void *arg, const struct say_message *m)
{
	*(bool *)arg = strcmp(m->id, "E_OPTION") == 0 && strstr(m->hint, "own") &&
		       !strstr(m->hint, "__");
	return true;
}

/* The globals of the library are nobody's to set. */
TEST(checks_globals)
{
	struct meta_global globals[] = { { .name = "__tz_name" }, { .name = "own" } };
	struct meta m = { .globals = globals, .nglobals = 2 };
	char own_text[] = "own=1", library_text[] = "__tz_name=1", *own = own_text,
	     *library = library_text;
	bool said = false;

	say_sink(is_option, &said);
	assert_int_equal(device_globals_check(&m, &own, 1), 0);
	assert_false(said);
	assert_int_equal(device_globals_check(&m, &library, 1), -1);
	assert_true(said);
	say_sink(NULL, NULL);
}
