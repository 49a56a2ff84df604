/* SPDX-License-Identifier: GPL-2.0 */
/* The command line: the meaning of each form, and the message for each invalid one. */
#include <unistd.h>

#include "options/options.h"
#include "state.h"
#include "unit.h"

enum { WORDS = 16 };

struct run {
	struct state s;
	enum options_result result;
	char said[8192]; /* text on standard error */
	char *argv[WORDS + 1];
};

static int setup(void **state)
{
	setenv("PROBEC_CONFIG", "", 1);
	*state = calloc(1, sizeof(struct run));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	struct run *r = *state;

	arena_destroy(r->s.arena);
	free(r);
	return 0;
}

/* Parses @line, whose words are separated by single spaces. */
static void parse(struct run *r, const char *line)
{
	FILE *to = tmpfile();
	int old = dup(2), argc = 0;
	char *words;

	assert_non_null(to);
	arena_destroy(r->s.arena);
	memset(&r->s, 0, sizeof(r->s));
	r->s.arena = arena_create();
	words = arena_strdup(r->s.arena, line);
	r->argv[argc++] = arena_strdup(r->s.arena, "probec");
	while (words && argc < WORDS)
		r->argv[argc++] = strsep(&words, " ");
	r->argv[argc] = NULL;
	dup2(fileno(to), 2);
	r->result = options_parse(&r->s, argc, r->argv);
	fflush(stderr);
	dup2(old, 2);
	close(old);
	rewind(to);
	r->said[fread(r->said, 1, sizeof(r->said) - 1, to)] = '\0';
	fclose(to);
}

static void accepts(struct run *r, const char *line)
{
	parse(r, line);
	assert_string_equal(r->said, "");
	assert_int_equal(r->result, OPTIONS_RUN);
}

static void refuses(struct run *r, const char *line, const char *with)
{
	parse(r, line);
	assert_int_equal(r->result, OPTIONS_WRONG);
	if (!strstr(r->said, with))
		fail_msg("'%s' said '%s', not '%s'", line, r->said, with);
}

TEST_WITH(forms, setup, teardown)
{
	struct run *r = *state;

	accepts(r, "-p4 a.kp");
	assert_int_equal(r->s.opt.last_pass, 4);
	accepts(r, "-p 3 a.kp");
	assert_int_equal(r->s.opt.last_pass, 3);
	accepts(r, "--pass=2 a.kp");
	assert_int_equal(r->s.opt.last_pass, 2);
	accepts(r, "--pass 1 a.kp");
	assert_int_equal(r->s.opt.last_pass, 1);
	accepts(r, "-gvvkp4 a.kp");
	assert_true(r->s.opt.guru && r->s.opt.keep);
	assert_int_equal(r->s.opt.verbose, 2);
	assert_int_equal(r->s.opt.last_pass, 4);
	assert_string_equal(r->s.opt.script_path, "a.kp");
	accepts(r, "-");
	assert_string_equal(r->s.opt.script_path, "-");
	assert_int_equal(r->s.opt.last_pass, 5);
	assert_null(r->s.opt.vm);
	accepts(r, "--vm a.kp");
	assert_string_equal(r->s.opt.vm, "");
	accepts(r, "--vm=6.12 a.kp");
	assert_string_equal(r->s.opt.vm, "6.12");
	accepts(r, "-c ls -T 5 -o out -r 6.1 --disable-cache a.kp");
	assert_string_equal(r->s.opt.command, "ls");
	assert_int_equal(r->s.opt.seconds, 5);
	assert_string_equal(r->s.opt.output, "out");
	assert_string_equal(r->s.opt.target, "6.1");
	assert_true(r->s.opt.no_cache);
	accepts(r, "-x 17 a.kp");
	assert_int_equal(r->s.opt.pid, 17);
	accepts(r, "-u -s 8 -d ext4 --all-modules --suppress-handler-errors a.kp");
	assert_true(r->s.opt.unoptimized && r->s.opt.forgive_errors);
	assert_false(r->s.opt.no_time_limits);
	assert_int_equal(r->s.opt.ring_mb, 8);
	accepts(r, "-F --keep 7 -o out -S 5,3 a.kp");
	assert_true(r->s.opt.background);
	assert_int_equal(r->s.opt.keep_mb, 7);
	assert_string_equal(r->s.opt.rotate, "5,3");
	accepts(r, "-t --format=json a.kp");
	assert_true(r->s.opt.timing);
	assert_string_equal(r->s.opt.format, "json");
	refuses(r, "--format xml a.kp", "text, json, csv, folded, perfetto or ctf");
	accepts(r, "--sign key.pem cert.der a.kp");
	assert_string_equal(r->s.opt.sign_key, "key.pem");
	assert_string_equal(r->s.opt.sign_cert, "cert.der");
	assert_string_equal(r->s.opt.script_path, "a.kp");
	accepts(r, "-g --suppress-time-limits a.kp");
	assert_true(r->s.opt.no_time_limits);
	accepts(r, "--verb --outp=out --no-conf a.kp");
	assert_int_equal(r->s.opt.verbose, 1);
	assert_string_equal(r->s.opt.output, "out");
	assert_string_equal(r->s.opt.script_path, "a.kp");
}

TEST_WITH(arguments, setup, teardown)
{
	struct run *r = *state;

	accepts(r, "a.kp one -v -5 two -- -x --vm");
	assert_string_equal(r->s.opt.script_path, "a.kp");
	assert_int_equal(r->s.opt.verbose, 1);
	assert_int_equal(r->s.opt.argc, 5);
	assert_string_equal(r->s.opt.argv[0], "one");
	assert_string_equal(r->s.opt.argv[1], "-5");
	assert_string_equal(r->s.opt.argv[3], "-x");
	assert_string_equal(r->s.opt.argv[4], "--vm");
	accepts(r, "-e probe -e more arg");
	assert_null(r->s.opt.script_path);
	assert_int_equal(r->s.opt.inline_scripts.n, 2);
	assert_int_equal(r->s.opt.argc, 1);
}

TEST_WITH(limits, setup, teardown)
{
	struct run *r = *state;

	accepts(r, "a.kp");
	assert_int_equal(r->s.opt.caps.maxstringlen, 512);
	assert_int_equal(r->s.opt.caps.maxmapentries, 2048);
	assert_int_equal(r->s.opt.caps.maxaction, 10000);
	assert_int_equal(r->s.opt.caps.maxnesting, 32);
	assert_int_equal(r->s.opt.caps.maxerrors, 0);
	accepts(r, "-D MAXACTION=77 -DMAXERRORS=3 a.kp");
	assert_int_equal(r->s.opt.caps.maxaction, 77);
	assert_int_equal(r->s.opt.caps.maxerrors, 3);
	refuses(r, "-D 1MAX=7 a.kp", "-D is NAME or NAME=VALUE, not '1MAX=7'");
	refuses(r, "-D MAXACTION a.kp", "needs a value");
	refuses(r, "-D MAXACTION=1k a.kp", "needs a whole number, not '1k'");
	refuses(r, "-D MAXSTRINGLEN=1 a.kp", "between 16 and 7168");
	refuses(r, "-D MAXMAPENTRIES=99999999999999999999 a.kp", "must be between");
}

TEST_WITH(lists, setup, teardown)
{
	struct run *r = *state;

	accepts(r, "-l vfs.*");
	assert_int_equal(r->s.opt.list, LIST_POINTS);
	assert_string_equal(r->s.opt.list_what, "vfs.*");
	assert_null(r->s.opt.script_path);
	accepts(r, "-Lvfs.* a.kp one --format=json");
	assert_int_equal(r->s.opt.list, LIST_VALUES);
	assert_string_equal(r->s.opt.script_path, "a.kp");
	assert_int_equal(r->s.opt.argc, 1);
	accepts(r, "--dump-probe-aliases");
	assert_int_equal(r->s.opt.list, LIST_ALIASES);
	accepts(r, "--lines vfs_read");
	assert_int_equal(r->s.opt.list, LIST_LINES);
	accepts(r, "--explain a.kp");
	assert_true(r->s.opt.explain);
	assert_string_equal(r->s.opt.script_path, "a.kp");
	assert_int_equal(r->s.opt.list, LIST_NOTHING);
}

/* Checks that a line is accepted with this note and without errors or warnings. */
static void notes(struct run *r, const char *line, const char *note)
{
	parse(r, line);
	assert_int_equal(r->result, OPTIONS_RUN);
	if (!strstr(r->said, note) || strstr(r->said, "error") || strstr(r->said, "warning"))
		fail_msg("'%s' said '%s', not '%s'", line, r->said, note);
}

/* Names of -D that are no limits. */
TEST_WITH(macros, setup, teardown)
{
	struct run *r = *state;

	notes(r, "-DMY_MACRO a.kp",
	      "note: -D MY_MACRO defines a macro for embedded C; it is not a limit\n");
	assert_string_equal(r->s.opt.c_macros.v[0].value, "1");
	accepts(r, "-DSTP_LEGACY_PRINT -DMAPHASHBIAS=-9999 a.kp");
	assert_string_equal(r->s.opt.c_macros.v[1].value, "-9999");
	notes(r, "-DMAPHASHBIS=2 a.kp", "did you mean 'MAPHASHBIAS'?");
}

/* Options that users of SystemTap know. */
TEST_WITH(systemtap, setup, teardown)
{
	struct run *r = *state;

	notes(r, "-b a.kp", "note: -b does nothing here: ");
	notes(r, "-bvP a.kp", "note: -P does nothing here: ");
	assert_int_equal(r->s.opt.verbose, 1);
	notes(r, "-B CONFIG_A=y a.kp", "note: -B CONFIG_A=y does nothing here: ");
	notes(r, "--prologue-searching=never a.kp",
	      "note: --prologue-searching=never does nothing");
	assert_string_equal(r->s.opt.script_path, "a.kp");
	notes(r, "-DMAXSKIPPED=0 a.kp", "note: -D MAXSKIPPED does nothing here: ");
	notes(r, "-DSTP_FORCE_STDOUT_TTY a.kp",
	      "note: -D STP_FORCE_STDOUT_TTY does nothing here: ");
	notes(r, "-DSTP_PROCFS_BUFSIZE=4096 a.kp", "here: a text has as much room as a string; ");
	notes(r, "-DSTP_EXECTRACE a.kp", "STP_EXECTRACE does nothing here: no statements are ");
	notes(r, "-DSTP_MAXMEMORY=900 a.kp", "here: --memory=MB limits what a session takes");
	notes(r, "-DMAXACTON=5 a.kp", "did you mean 'MAXACTION'?");
	notes(r, "-DMAXSKIPED=1 a.kp", "did you mean 'MAXSKIPPED'?");
	accepts(r, "-w -b --ldd -DSTP_ALIBI a.kp");
	accepts(r, "-a x86_64 --privilege=stapdev --runtime=kernel a.kp");
	accepts(r, "-DSTP_NO_OVERLOAD a.kp");
	assert_int_equal(r->s.opt.caps.maxload, 0);
	accepts(r, "-DSTP_OVERLOAD_THRESHOLD=700000000LL a.kp");
	assert_int_equal(r->s.opt.caps.maxload, 70);
	accepts(r, "-DSTP_OVERLOAD_INTERVAL=2000000000LL a.kp");
	assert_int_equal(r->s.opt.caps.maxload, 25);
	accepts(r, "-DMAXACTION_INTERRUPTIBLE=7 -DSTP_TIMING -DSTAP_SUPPRESS_HANDLER_ERRORS a.kp");
	assert_int_equal(r->s.opt.caps.maxaction, 7);
	assert_true(r->s.opt.timing);
	assert_true(r->s.opt.forgive_errors);
	accepts(r, "-E x -E y --vp 00201 --compatible=1.8 --modinfo=a=b --tmpdir=/x a.kp");
	assert_int_equal(r->s.opt.added_scripts.n, 2);
	assert_int_equal(r->s.opt.verbose, 2);
	assert_string_equal(r->s.opt.compatible, "1.8");
	accepts(r, "--skip-badvars --no-global-var-display --poison-cache a.kp");
	assert_true(r->s.opt.skip_badvars && r->s.opt.no_display && r->s.opt.poison_cache);
	accepts(r, "--clean-cache");
	accepts(r, "--make-key");
	assert_string_equal(r->s.opt.make_key, "");
	accepts(r, "--make-key=/x");
	assert_string_equal(r->s.opt.make_key, "/x");
	accepts(r, "--sign auto a.kp");
	assert_string_equal(r->s.opt.sign_key, "auto");
	assert_null(r->s.opt.sign_cert);
	assert_string_equal(r->s.opt.script_path, "a.kp");
	refuses(r, "-DSTP_OVERLOAD_THRESHOLD=x a.kp", "needs a number of cycles");
	refuses(r, "-DSTAP_SUPPRESS_TIME_LIMITS_ENABLE a.kp", "needs guru mode");
	refuses(r, "-a arm64 a.kp", "option -a arm64 of SystemTap is not supported");
	refuses(r, "--runtime=bpf a.kp", "scripts run in the kernel");
	refuses(r, "--privilege=stapusr a.kp", "loading a module needs root");
	refuses(r, "--compatible=new a.kp", "--compatible needs a version");
	refuses(r, "--modinfo=x a.kp", "--modinfo needs NAME=VALUE");
	refuses(r, "--tmpdir=x a.kp", "--tmpdir needs a path");
	refuses(r, "--vp 1x a.kp", "--vp needs a digit");
	refuses(r, "-E x", "no script [E_OPTION]");
}

TEST_WITH(refused, setup, teardown)
{
	struct run *r = *state;

	refuses(r, "--verbsoe a.kp", "did you mean --verbose?");
	refuses(r, "--dump", "several options begin with --dump [E_OPTION]");
	refuses(r, "-Zv -Y a.kp", "unknown option -Y [E_OPTION]");
	refuses(r, "--verbose=2 a.kp", "takes no value");
	refuses(r, "-Z a.kp", "unknown option -Z [E_OPTION]");
	refuses(r, "-i", "option -i of SystemTap is not supported [E_NOT_SUPPORTED]");
	refuses(r, "-l", "-l needs PATTERN [E_OPTION]");
	refuses(r, "-l a --dump-functions", "one list at a time");
	refuses(r, "--explain E_NOTHING", "no message has the id 'E_NOTHING'");
	refuses(r, "-L a --format=csv", "lists are text or json, not csv");
	refuses(r, "--remote a.kp", "no script");
	refuses(r, "--remote a,b --remote b a.kp", "the host 'b' is given twice");
	refuses(r, "--remote -a a.kp", "'-a' is not the name of a host");
	refuses(r, "-p6 a.kp", "-p must be between 1 and 5");
	refuses(r, "-p", "-p needs N");
	refuses(r, "--pass", "--pass needs N");
	refuses(r, "-v", "no script [E_OPTION]");
	refuses(r, "-m a-b a.kp", "-m needs a name");
	refuses(r, "-m x1234567890123456789012345678901234567890123456789012345 a.kp",
		"at most 55");
	refuses(r, "-G 1x=2 a.kp", "-G needs NAME=VALUE");
	refuses(r, "-s 0 a.kp", "-s must be between 1 and 1024");
	refuses(r, "-s 1025 a.kp", "-s must be between 1 and 1024");
	refuses(r, "a.kp --sign key.pem", "--sign needs KEY CERT");
	refuses(r, "--sign=key.pem cert.der a.kp", "--sign takes two words");
	refuses(r, "-S 5 a.kp", "-S needs -o");
	refuses(r, "-o out -S 0 a.kp", "-S MB must be between 1 and");
	refuses(r, "-o out -S 5,0 a.kp", "-S MB,N must be between 1 and");
	refuses(r, "-o out -S 5, a.kp", "-S MB,N needs a whole number");
	refuses(r, "-F -c ls a.kp", "-F and -c are mutually exclusive");
	refuses(r, "--remote=h -m x a.kp", "--remote and -m are mutually exclusive");
	refuses(r, "--monitor=0 a.kp", "--monitor takes a number of seconds from 0.1 to 3600");
	refuses(r, "--monitor=1x a.kp", "--monitor takes a number of seconds from 0.1 to 3600");
	refuses(r, "--monitor=0x9 a.kp", "--monitor takes a number of seconds from 0.1 to 3600");
	refuses(r, "--monitor=3601 a.kp", "--monitor takes a number of seconds from 0.1 to 3600");
	refuses(r, "--monitor --vm a.kp", "--monitor and --vm are mutually exclusive");
	refuses(r, "--monitor -c ls a.kp", "--monitor and -c are mutually exclusive");
	refuses(r, "--monitor --remote=h a.kp", "--remote and --monitor are mutually exclusive");
	refuses(r, "-F --vm a.kp", "-F and --vm are mutually exclusive");
	refuses(r, "--keep 3 a.kp", "--keep needs -F");
	refuses(r, "--suppress-time-limits a.kp", "[E_GURU]");
	refuses(r, "-c ls -x 3 a.kp", "are mutually exclusive");
	refuses(r, "--vm -r 6.1 a.kp", "are mutually exclusive");
	refuses(r, "--color=blue a.kp", "auto, always or never");
}

TEST_WITH(config, setup, teardown)
{
	struct run *r = *state;
	char path[] = "/tmp/probec.unit.XXXXXX";
	static const char text[] = "-vp 2 # a comment\n--output 'a \"file\"' -G \"a=\\\"b c\"\n"
				   "-T5 --color=never";
	int fd = mkstemp(path);

	assert_int_equal(write(fd, text, sizeof(text) - 1), sizeof(text) - 1);
	close(fd);
	setenv("PROBEC_CONFIG", path, 1);
	accepts(r, "-T 6 a.kp -v");
	assert_int_equal(r->s.opt.verbose, 2);
	assert_int_equal(r->s.opt.last_pass, 2);
	assert_int_equal(r->s.opt.seconds, 6);
	assert_string_equal(r->s.opt.output, "a \"file\"");
	assert_int_equal(r->s.opt.globals.n, 1);
	assert_string_equal(r->s.opt.globals.v[0], "a=\"b c");
	accepts(r, "--no-config a.kp");
	assert_int_equal(r->s.opt.last_pass, 5);
	accepts(r, "--no-conf a.kp");
	assert_int_equal(r->s.opt.last_pass, 5);
	setenv("PROBEC_CONFIG", "", 1);
	accepts(r, "a.kp");
	assert_int_equal(r->s.opt.verbose, 0);
	unlink(path);
}
