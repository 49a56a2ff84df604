/* SPDX-License-Identifier: GPL-2.0 */
/* Declarations shared by the files of this folder. */
#ifndef REMOTE_PRIVATE_H
#define REMOTE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "options/options.h"
#include "remote/remote.h"
#include "shared/buf.h"

struct json_object;
struct json_tokener;
struct merge;     /* merge.h */

/* ---- answer.c ---- */

/* A host's description of itself, before its session. It is not trusted. */
struct host_answer {
	bool begun;
	size_t bytes;            /* of all lines so far */
	char release[128];       /* as uname -r */
	char machine[32];        /* as uname -m */
	const char *build_id;    /* in hex; NULL: not known */
	int64_t clock;           /* ns since 1970, when the size of the bundle came; 0: not known */
	int64_t coarse;          /* ns by which that is rounded down at most */
	const char *wrong;       /* why there is no session; NULL: nothing is wrong */
};

enum answer_result { ANSWER_MORE, ANSWER_READY, ANSWER_STARTED, ANSWER_WRONG };

/** answer_command - the command line for the shell of the host @name, whatever shell that is; it is
 *  the one at @number of --remote, from 0. */
const char *answer_command(struct arena *a, size_t number, const char *name);
/** answer_take - take one line without its end. ANSWER_READY: the host waits for the bundle;
 *  ANSWER_STARTED: all that follows is the session's; ANSWER_WRONG: ret->wrong says why. */
enum answer_result answer_take(struct arena *a, struct host_answer *ret, const char *line,
			       size_t len);

/* ---- sink.c: standard output or standard error, written without waiting ---- */

struct sink {
	int fd;
	struct buf text;
	size_t done;     /* bytes of it that are written */
	int error;       /* errno of a failed write; nothing is written any more */
};

/** sink_open - @fd is the caller's. */
void sink_open(struct sink *k, int fd);
void sink_close(struct sink *k);
/** sink_waits - whether there is text to be written. */
bool sink_waits(const struct sink *k);
/** sink_is_full - whether so much waits that its writers should. */
bool sink_is_full(const struct sink *k);
/** sink_write - write some of the text; fd is ready for it. */
void sink_write(struct sink *k);
/** sink_drain - write all of it, and wait for that. */
void sink_drain(struct sink *k);

/* ---- output.c: what users see of a host ---- */

/* The output of all hosts. */
struct screen {
	struct sink out, err;
	enum options_format format;
	int width;               /* of the longest name */
	struct buf heading;      /* CSV: that of the table that is written now */
	struct merge *merge;     /* --merge; NULL: lines are shown as they come */
	struct json_tokener *tokener;
	bool escape;             /* control characters of the output */
};

/* One stream of a host: an unfinished line, and for CSV where in a table it is. */
struct host_output {
	struct buf part;
	bool in_quotes;          /* CSV: `part` ends within quotes */
	struct buf heading;      /* of the table that its rows are of */
	bool in_table;           /* a heading was read, and no empty line after it */
	struct buf text;         /* --merge: an unfinished line of the script */
	struct buf globals;      /* --merge: those that have come, one JSON object in each line */
	const char *reason;      /* why the host does not count with --merge, or NULL */
};

/** output_init / output_deinit - caller's memory. */
void output_init(struct host_output *l);
void output_deinit(struct host_output *l);
/** output_take - take @n bytes of a host's output, and show the lines that are complete. */
void output_take(struct screen *to, struct host_output *l, const char *host, const char *data,
		size_t n);
/** output_end - show the unfinished line. */
void output_end(struct screen *to, struct host_output *l, const char *host);
/** output_text - take text of a host that stood in an object, and show the lines that are
 *  complete. */
void output_text(struct screen *to, struct host_output *l, const char *host, const char *text,
		size_t n);
/** output_parse - the JSON object that a line is, for the caller to free; NULL: it is not one. */
struct json_object *output_parse(struct screen *to, const char *line, size_t len);
/** output_object - show a line with its host. @o: output_parse() of it; if it is NULL or names a
 *  host itself, the line is a message. */
void output_object(struct screen *to, const char *host, const struct json_object *o,
		  const char *line, size_t len);
/** output_escape - append text, with control characters as \xNN if @to says so. */
void output_escape(const struct screen *to, struct buf *b, const char *text, size_t len);
/** output_message - show a message of a host, each of its lines under the host's name, with control
 *  characters as \xNN. */
void output_message(struct screen *to, const char *host, const char *line, size_t len);

/* ---- triggers.c: --flight: a snapshot on one host is taken on all of them ---- */

struct triggers {
	int64_t at;              /* ms: of the last one that was passed on; 0: there was none */
	bool wanted;             /* SIGUSR2 */
	bool any;                /* a host has begun one */
};
struct host;

/** triggers_serve - pass on the snapshots that hosts have begun, and SIGUSR2, at most one in
 *  @every_ms. @now: ms. The first time, say how the clocks of the hosts differ from ours. */
void triggers_serve(struct triggers *t, struct host *hosts, size_t n, struct screen *to,
		    int64_t now, int64_t every_ms);

/* ---- bundles.c ---- */

/* The bundle for all -r, or for one release. */
struct remote_bundle {
	const char *release;     /* NULL: for all -r */
	const char *path;
	pid_t pid;               /* of the child that builds it; 0: none */
	int fd;                  /* what it says; -1: nothing more */
	struct buf said;         /* lines "RELEASE BUILD-ID" */
	int status;              /* of waitpid(), if the child has ended before it was read */
	bool done, failed;
	const char *image;       /* the file, mapped into memory */
	size_t size;
};
typedef VEC(struct remote_bundle *) remote_bundles;

/** bundles_find - the bundle for @release, which is begun if it is new. */
struct remote_bundle *bundles_find(struct state *s, remote_bundles *all, const char *release,
				   remote_build *build);
/** bundles_read - read what its child says; at the end, the bundle is done or failed. */
void bundles_read(struct state *s, struct remote_bundle *b);
/** bundles_reaped - the child @pid has ended; it may be that of a bundle. */
void bundles_reaped(const remote_bundles *all, pid_t pid, int status);
/** bundles_lacks - why @a host with that answer cannot use it, owned by the arena; NULL: it
 *  can. */
const char *bundles_lacks(struct state *s, const struct remote_bundle *b,
			  const struct host_answer *a);
/** bundles_stop - end the children that still build. */
void bundles_stop(const remote_bundles *all);

/* ---- watch.c: the pipes of all hosts ---- */

struct host;

enum watch_set {
	WATCH_OUT, WATCH_ERR, /* of output and messages, which can be read */
	WATCH_IN,             /* of the bundles that are being sent, which can be written */
	WATCHES,
};
struct watch { int fd[WATCHES]; /* each can be polled: it is ready if one of its pipes is */ };
typedef void watch_served(struct host *h, void *data);

/** watch_open - returns 0, or -1 with errno set; watch_close() is needed in any case. */
int watch_open(struct watch *w);
void watch_close(struct watch *w);
/** watch_add - returns 0, or -1 with errno set. watch_remove - has to come before @fd is closed,
 *  because a child that has not yet started its program may have it as well. */
int watch_add(struct watch *w, enum watch_set set, int fd, struct host *h);
void watch_remove(struct watch *w, enum watch_set set, int fd);
/** watch_serve - call @served for some of the hosts whose pipes in that set are ready, the others
 *  have their turn later. */
void watch_serve(struct watch *w, enum watch_set set, watch_served *served, void *data);

/* ---- launcher.c: what runs a command on a host, s->opt.ssh ---- */

/** launcher_words - the command line for @h; the last element is NULL. Owned by the arena. */
const char *const *launcher_words(struct state *s, const struct host *h);
/** launcher_trial - a hint: the command line by which users try whether @h can be reached. */
const char *launcher_trial(struct state *s, const struct host *h);
/** launcher_name - the name of the program. */
const char *launcher_name(struct state *s);
/** launcher_is_template - whether it is not ssh or like ssh: its status says less. */
bool launcher_is_template(const struct state *s);

/* ---- host.c ---- */

enum host_phase {
	HOST_WAITS,      /* for its turn */
	HOST_CONNECTS,   /* its ssh was started */
	HOST_ANSWERED,   /* it waits for the bundle */
	HOST_TAKES,      /* the bundle is being sent */
	HOST_RUNS,       /* the session has been started */
	HOST_ENDED,
};

struct host {
	const char *name;
	size_t number;           /* of --remote, from 0 */
	enum host_phase phase;
	pid_t pid;
	int in, out, err;        /* pipes of its ssh; -1: closed */
	struct watch *watch;     /* of the pipes of all hosts */
	bool connects, ended;    /* it is counted as such, in remote.c */
	struct host_answer answer;
	struct remote_bundle *bundle;
	struct buf head;         /* the line that precedes the bundle */
	size_t sent;             /* bytes of head and bundle */
	struct host_output output;
	struct buf early;        /* messages before the session */
	struct buf message;      /* an unfinished line of the session's messages */
	const char *reason;      /* why it failed; NULL: it did not */
	const char *hint;
	bool told;               /* it was asked to end */
	bool triggered;          /* --flight: its session takes a snapshot by itself */
	int64_t offered_at;      /* ns since 1970: when the size of the bundle was sent */
	int64_t ahead, within;   /* ns: its clock is so far ahead of ours, give or take; 0, 0: not
				  * known */
	bool dead;               /* its ssh has ended, with this status of waitpid() */
	int status;
};

/** host_start - start its ssh. */
void host_start(struct state *s, struct host *h);
/** host_read_output - read once from its output; before the session, that is its answer. */
void host_read_output(struct state *s, struct host *h, struct screen *to);
/** host_read_messages - read once from its messages. */
void host_read_messages(struct host *h, struct screen *to);
/** host_send - send some of the bundle; its pipe takes bytes. */
void host_send(struct host *h);
/** host_offer - begin to send the bundle that h->bundle has become. */
void host_offer(struct state *s, struct host *h);
/** host_alive - tell its session that this end lives. */
void host_alive(struct host *h);
/** host_snapshot - let its flight recorder take a snapshot. */
void host_snapshot(struct host *h);
/** host_stop - ask it to end in an orderly way; nothing is sent twice. */
void host_stop(struct host *h);
/** host_kill - close the connection; the session there ends by itself. */
void host_kill(struct host *h);
/** host_finish - its ssh has ended and all is read: find out whether the host failed. */
void host_finish(struct state *s, struct host *h, struct screen *to);

#endif
