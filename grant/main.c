/* SPDX-License-Identifier: GPL-2.0 */
/*
 * probec-grant: runs a module for a user who is not root, if a rule of the administrator allows it.
 * systemd starts it with the rights of root for one connection, which is standard input, and it
 * serves one request. Nothing is decided about the module but its hash, its place and its
 * signature: neither scripts nor modules are parsed here. Standard error is the log.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "config.h"
#include "content.h"
#include "decide.h"
#include "peer.h"
#include "policy.h"
#include "relay.h"
#include "request.h"
#include "slots.h"
#include "start.h"

/* proberun sends its request at once. */
enum { SOCKET = STDIN_FILENO, REQUEST_SECONDS = 5 };

static const char help[] =
	"usage: probec-grant [--policy FILE]\n"
	"       probec-grant --check [FILE]\n"
	"\n"
	"Runs a module for an unprivileged user if the policy allows it. systemd starts it for\n"
	"each connection to " GRANT_SOCKET " (probec-grant.socket).\n"
	"\n"
	"  --policy FILE   use the policy FILE (" POLICY_FILE ")\n"
	"  --check [FILE]  report mistakes in the policy\n"
	"  --version       print the version\n"
	"  --help          print this text\n";

struct grant {
	const char *policy_file;
	struct policy policy;
	struct peer peer;
	struct request request;
	struct content content;
	struct refusal refusal;
	const struct policy_rule *rule;
	int asking, slot;      /* of slots.h; -1: none */
};

/* ---- the log ---- */

/* Levels of syslog, as systemd takes them from the beginning of a line. */
#define NOTICE "<5>"
#define WARNING "<4>"

/* A line about the request. Its name consists of harmless characters. */
static void log_line(const struct grant *g, const char *level, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void log_line(const struct grant *g, const char *level, const char *fmt, ...)
{
	char hash[CONTENT_HEX_SIZE] = "-", text[1024];
	va_list ap;

	if (g->content.fd >= 0)
		content_hex(&g->content, hash);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "%suser %s, uid %u, pid %d, module %s, sha256 %s: %s\n", level,
		g->peer.name ? g->peer.name : "-", (unsigned)g->peer.uid, (int)g->peer.pid,
		*g->request.name ? g->request.name : "-", hash, text);
}

/* ---- the steps ---- */

/* Each returns 0, or -1 with g->refusal. */

static int refuse_module(struct grant *g, const char *wrong)
{
	decide_refuse(&g->refusal, "give a module that probec -p4 made",
		      "the module can't be accepted: %s", wrong);
	return -1;
}

static int refuse_request(struct grant *g, const char *wrong)
{
	decide_refuse(&g->refusal, "use the proberun that was installed with probec-grant",
		      "the request is not valid: %s", wrong);
	return -1;
}

static int refuse_slot(struct grant *g, int err)
{
	decide_refuse(&g->refusal, "ask the administrator", "'" SLOTS_FILE "': %s", strerror(-err));
	return -1;
}

/* Reading and closing what comes from a user may take as long as the user likes. */
static int begin_request(struct grant *g)
{
	const char *wrong = peer_find(SOCKET, &g->peer);

	if (wrong)
		return refuse_request(g, wrong);
	g->asking = slots_take(SLOTS_FILE, g->peer.uid, SLOTS_REQUESTS, SLOTS_REQUESTS_MAX);
	if (g->asking >= 0)
		return 0;
	if (g->asking != -EUSERS)
		return refuse_slot(g, g->asking);
	decide_refuse(&g->refusal, "wait until some of them are done",
		      "%d requests of the user are still in progress", SLOTS_REQUESTS_MAX);
	return -1;
}

static int read_request(struct grant *g)
{
	const char *wrong = request_receive(SOCKET, REQUEST_SECONDS, &g->request);

	if (wrong)
		return refuse_request(g, wrong);
	if (g->request.module < 0)
		return 0;
	wrong = content_open(g->request.module, true, &g->content);
	return wrong ? refuse_module(g, wrong) : 0;
}

/* Users learn that the policy is wrong, and not what is in it. */
static int read_policy(struct grant *g)
{
	struct check_problem why;

	if (!check_load(g->policy_file, &g->policy, &why))
		return 0;
	log_line(g, WARNING, "%s", why.line);
	decide_refuse(&g->refusal, "ask the administrator; probec-grant --check shows the reason",
		      "this machine has no valid policy, so nothing is allowed");
	return -1;
}

static int take_slot(struct grant *g)
{
	unsigned n = g->rule->limits.sessions;

	g->slot = slots_take(SLOTS_FILE, g->peer.uid, SLOTS_SESSIONS, n);
	if (g->slot >= 0)
		return 0;
	if (g->slot != -EUSERS)
		return refuse_slot(g, g->slot);
	decide_refuse(&g->refusal, "end a session, or wait for its end",
		      "line %u of the policy allows %u session%s of a user at a time",
		      g->rule->line, n, n == 1 ? "" : "s");
	return -1;
}

static int run(struct grant *g)
{
	unsigned asked = (g->request.head.milliseconds + 999) / 1000;
	const struct policy_limits *limits = &g->rule->limits;
	char program[PATH_MAX];
	struct relay_end end;
	struct started s;
	int err = start_find(program);

	if (!err)
		err = start_proberun(program, &g->peer, &g->request, limits, &g->content, &s);
	if (err) {
		decide_refuse(&g->refusal, "ask the administrator",
			      "proberun can't be started: %s", strerror(-err));
		return -1;
	}
	log_line(g, NOTICE, "granted by line %u", g->rule->line);
	relay_run(SOCKET, &s, limits, asked ? asked : limits->seconds, &end);
	log_line(g, NOTICE, "ended with status %d after %llu bytes%s%s", end.status,
		 (unsigned long long)end.bytes, end.why ? ": " : "", end.why ? end.why : "");
	return 0;
}

static int serve(struct grant *g)
{
	const char *wrong;

	if (begin_request(g) || read_request(g) || read_policy(g))
		return -1;
	g->rule = decide_rule(&g->policy, &g->peer, &g->request, &g->content, &g->refusal);
	if (!g->rule || take_slot(g))
		return -1;
	wrong = content_copy(&g->content);
	if (wrong)
		return refuse_module(g, wrong);
	/* Nothing of the user's is open any more but the connection. */
	close(g->asking);
	return run(g);
}

static int serve_connection(const char *policy_file)
{
	struct grant g = { .policy_file = policy_file, .content.fd = -1, .asking = -1,
			   .slot = -1 };
	struct stat st;
	int err;

	if (fstat(SOCKET, &st) || !S_ISSOCK(st.st_mode)) {
		fputs("probec-grant: error: standard input is not a connection [E_GRANT]\n"
		      "      = systemctl enable --now probec-grant.socket; probec-grant --help\n",
		      stderr);
		return 1;
	}
	signal(SIGPIPE, SIG_IGN);
	err = serve(&g);
	if (err) {
		log_line(&g, WARNING, "refused: %s", g.refusal.why);
		relay_refuse(SOCKET, g.refusal.why, g.refusal.next);
	}
	content_deinit(&g.content);
	policy_deinit(&g.policy);
	peer_deinit(&g.peer);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "policy", required_argument, NULL, 'p' },
						 { "check", no_argument, NULL, 'c' },
						 { "version", no_argument, NULL, 'V' },
						 { "help", no_argument, NULL, 'h' },
						 { NULL, 0, NULL, 0 } };
	const char *policy_file = POLICY_FILE;
	bool check = false;
	int c;

	while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (c) {
		case 'p': policy_file = optarg; break;
		case 'c': check = true; break;
		case 'V': puts("probec-grant " PROBEC_VERSION); return 0;
		case 'h': fputs(help, stdout); return 0;
		default: return 1;
		}
	}
	if (check)
		return check_report(optind < argc ? argv[optind] : policy_file);
	return serve_connection(policy_file);
}
