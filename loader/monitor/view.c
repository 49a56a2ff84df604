/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The screen of --monitor. ncurses is opened when it is needed, as the libraries of metrics are.
 * Text of the session is escaped, so that it can't give the terminal commands. The terminal is
 * restored by each way out: view_close(), exit(), and faults of this program.
 */
#include "monitor/view.h"

#include <unistd.h>

#include "common/say.h"
#include "config.h"

int view_check(void)
{
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return 0;
	say_error("E_OPTION", "over ssh: ssh -t HOST ...",
		  "--monitor needs a terminal as standard input and output");
	return -1;
}

#if PROBEC_HAVE_NCURSES && !defined(PROBERUN_STATIC)
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

#include "common/escape.h"
#include "common/library.h"
#include "monitor/model.h"
#include "shared/clock.h"
#include "shared/memory.h"

enum { LINES_KEPT = 2000, LINE_MAX_BYTES = 1000, NAME_COLUMNS = 44,
       OLD_MS = 1000 /* the interval of a session that makes no offer */ };

/* The functions of the library. */
struct curses {
	__typeof__(&newterm) newterm;
	__typeof__(&endwin) endwin;
	__typeof__(&delscreen) delscreen;
	__typeof__(&cbreak) cbreak;
	__typeof__(&noecho) noecho;
	__typeof__(&newwin) newwin;
	__typeof__(&keypad) keypad;
	__typeof__(&wtimeout) wtimeout;
	__typeof__(&wgetch) wgetch;
	__typeof__(&werase) werase;
	__typeof__(&wmove) wmove;
	__typeof__(&waddnstr) waddnstr;
	__typeof__(&wattrset) wattrset;
	__typeof__(&wrefresh) wrefresh;
	__typeof__(&getmaxx) getmaxx;
	__typeof__(&getmaxy) getmaxy;
	__typeof__(&curs_set) curs_set;
};

#define KEYS "q detach  x end the session  g globals  h histograms  p probes  s sort  " \
	"arrows scroll  space pause  + faster  - slower"
#define PROBES_KEYS "q detach  x end the session  g globals  h histograms  arrows select  " \
	"enter on/off  space pause  + faster  - slower"

#define OLD_SESSION "this session was started by an older proberun, which takes no orders"

enum page { PAGE_GLOBALS, PAGE_HISTOGRAMS, PAGE_PROBES, PAGES };

struct view {
	struct curses c;
	SCREEN *screen;
	WINDOW *w;
	const char *name;
	struct model model;
	enum model_sort sort;
	enum page page;
	bool paused;
	unsigned ms;             /* from one snapshot to the next */
	struct buf offer;        /* as in background/rendezvous.h; empty: not received */
	size_t selected;         /* number of a probe */
	const char *note;        /* instead of the keys, or NULL */
	size_t first;            /* the first row that is shown */
	size_t shown;            /* rows that fit */
	char *lines[LINES_KEPT]; /* of the output, as a ring */
	size_t nlines;           /* so far */
	struct buf line;         /* the last one, which has not ended */
	int64_t began;
};

/* ---- the terminal ---- */

/* For ways out that do not call view_close(). */
static struct { struct view *view; struct termios before; } terminal;

static void restore(void)
{
	struct view *v = terminal.view;

	terminal.view = NULL;
	if (v)
		v->c.endwin();
}

/* A fault of this program: ncurses may be in the middle of anything, so only fixed bytes are
 * written. They end the alternate screen and attributes, and show the cursor. */
static void fault(int number)
{
	static const char bytes[] = "\033[?1049l\033[0m\033[?25h\r\n";

	if (terminal.view) {
		tcsetattr(STDIN_FILENO, TCSANOW, &terminal.before);
		if (write(STDOUT_FILENO, bytes, sizeof(bytes) - 1) < 0)
			terminal.view = NULL;
	}
	signal(number, SIG_DFL);
	raise(number);
}

static int open_library(struct curses *c)
{
	static const char *const names[] = { "libncursesw.so.6", NULL };
	const struct library_function all[] = {
		{ (void **)&c->newterm, "newterm" }, { (void **)&c->endwin, "endwin" },
		{ (void **)&c->delscreen, "delscreen" }, { (void **)&c->cbreak, "cbreak" },
		{ (void **)&c->noecho, "noecho" }, { (void **)&c->newwin, "newwin" },
		{ (void **)&c->keypad, "keypad" }, { (void **)&c->wtimeout, "wtimeout" },
		{ (void **)&c->wgetch, "wgetch" }, { (void **)&c->werase, "werase" },
		{ (void **)&c->wmove, "wmove" }, { (void **)&c->waddnstr, "waddnstr" },
		{ (void **)&c->wattrset, "wattrset" }, { (void **)&c->wrefresh, "wrefresh" },
		{ (void **)&c->getmaxx, "getmaxx" }, { (void **)&c->getmaxy, "getmaxy" },
		{ (void **)&c->curs_set, "curs_set" },
	};
	const char *why;

	if (library_open(names, all, sizeof(all) / sizeof(all[0]), &why))
		return 0;
	say_error("E_OPTION", "install ncurses (on Debian: libncursesw6)",
		  "--monitor can't use the terminal: %s", why);
	return -1;
}

struct view *view_open(const char *name, unsigned ms)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	struct view *v;

	v = memory_zeroed(1, sizeof(*v));
	v->name = name;
	v->ms = ms;
	v->began = clock_ns();
	if (open_library(&v->c)) {
		free(v);
		return NULL;
	}
	setlocale(LC_CTYPE, "");
	tcgetattr(STDIN_FILENO, &terminal.before);
	v->screen = v->c.newterm(NULL, stdout, stdin);
	if (!v->screen) {
		const char *type = getenv("TERM");

		say_error("E_OPTION", "set TERM to the type of the terminal",
			  "--monitor does not know the terminal '%s'", type ? type : "");
		free(v);
		return NULL;
	}
	terminal.view = v;
	atexit(restore);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		signal(faults[i], fault);
	v->c.cbreak();
	v->c.noecho();
	v->c.curs_set(0);
	v->w = v->c.newwin(0, 0, 0, 0);
	v->c.keypad(v->w, true);
	v->c.wtimeout(v->w, 0);
	return v;
}

/* ---- drawing ---- */

/* Writes @text into line @y from column @x on, up to the end of the line. */
static void put(struct view *v, int y, int x, const char *text)
{
	struct buf safe = { 0 };
	int room = v->c.getmaxx(v->w) - x;

	if (room <= 0 || y >= v->c.getmaxy(v->w))
		return;
	escape_add(&safe, text, strlen(text));
	if (safe.len && v->c.wmove(v->w, y, x) == OK)
		v->c.waddnstr(v->w, safe.s, (int)safe.len < room ? (int)safe.len : room);
	buf_deinit(&safe);
}

static void put_bar(struct view *v, int y, const char *text)
{
	char line[512];

	snprintf(line, sizeof(line), "%-*.*s", v->c.getmaxx(v->w), v->c.getmaxx(v->w), text);
	v->c.wattrset(v->w, (int)A_REVERSE);
	put(v, y, 0, line);
	v->c.wattrset(v->w, (int)A_NORMAL);
}

static void number(char *to, size_t size, double v)
{
	if (isnan(v))
		snprintf(to, size, "-");
	else if (fabs(v) < 1e15 && v == (double)(long long)v)
		snprintf(to, size, "%.0f", v);
	else
		snprintf(to, size, "%.2f", v);
}

static void row_name(char *to, size_t size, const struct model_row *row)
{
	snprintf(to, size, "%s%s%s%s", row->name, *row->labels ? "{" : "", row->labels,
		 *row->labels ? "}" : "");
}

static void draw_row(struct view *v, int y, const struct model_row *row)
{
	char name[256], value[32], rate[32], line[640], mean[32], min[32], max[32];

	row_name(name, sizeof(name), row);
	number(value, sizeof(value), row->value);
	snprintf(rate, sizeof(rate), "%.1f", row->rate);
	if (row->text) {
		snprintf(line, sizeof(line), "%-*.*s %s", NAME_COLUMNS, NAME_COLUMNS, name,
			 row->text);
	} else if (row->is_aggregate) {
		number(mean, sizeof(mean), row->sum / row->value);
		number(min, sizeof(min), row->min);
		number(max, sizeof(max), row->max);
		snprintf(line, sizeof(line), "%-*.*s %12s %10s  mean %s min %s max %s",
			 NAME_COLUMNS, NAME_COLUMNS, name, value, rate, mean, min, max);
	} else {
		snprintf(line, sizeof(line), "%-*.*s %12s %10s", NAME_COLUMNS, NAME_COLUMNS, name,
			 value, rate);
	}
	put(v, y, 0, line);
}

static size_t draw_globals(struct view *v, int y, int end)
{
	size_t i = v->first;

	for (; y < end && i < v->model.n; i++)
		draw_row(v, y++, &v->model.rows[i]);
	return v->model.n;
}

static void draw_bucket(struct view *v, int y, const struct model_bucket *b, double most)
{
	int width = v->c.getmaxx(v->w) - 36, len = most > 0 ? (int)(b->count / most * width) : 0;
	char line[600], bar[512], bound[32];

	number(bound, sizeof(bound), b->bound);
	memset(bar, '@', sizeof(bar));
	snprintf(line, sizeof(line), "%16s %12.0f | %.*s", isinf(b->bound) ? "more" : bound,
		 b->count, len < 0 ? 0 : len < (int)sizeof(bar) ? len : (int)sizeof(bar), bar);
	put(v, y, 0, line);
}

static size_t draw_histograms(struct view *v, int y, int end)
{
	size_t n = 0;

	for (size_t i = 0; i < v->model.n; i++) {
		const struct model_row *row = &v->model.rows[i];
		const struct model_bucket *b = v->model.buckets + row->first;
		size_t first = row->nbuckets, last = 0;
		double most = 0;

		if (!row->nbuckets || n++ < v->first)
			continue;
		for (size_t k = 0; k < row->nbuckets; k++) {
			if (b[k].count > 0 && first > k)
				first = k;
			if (b[k].count > 0)
				last = k;
			most = b[k].count > most ? b[k].count : most;
		}
		if (y < end)
			draw_row(v, y++, row);
		for (size_t k = first; k <= last && k < row->nbuckets && y < end; k++)
			draw_bucket(v, y++, &b[k], most);
	}
	return n;
}

static char switch_of(const struct view *v, size_t probe)
{
	return probe + 1 < v->offer.len ? v->offer.s[probe + 1] : VIEW_NO_SWITCH;
}

static size_t draw_probes(struct view *v, int y, int end)
{
	char line[640], rate[32];

	for (size_t i = v->first; i < v->model.nprobes && y < end; i++) {
		const struct model_probe *p = &v->model.probes[i];

		snprintf(rate, sizeof(rate), "%.1f", p->rate);
		snprintf(line, sizeof(line), "%-*.*s %12.0f %10s %9.0f %6.2f%% %8.0f %8.0f",
			 NAME_COLUMNS, NAME_COLUMNS, p->point, p->hits,
			 switch_of(v, i) == VIEW_IS_OFF ? "off" : rate,
			 p->hits > 0 ? p->seconds / p->hits * 1e9 : 0, p->load * 100, p->skipped,
			 p->errors);
		if (i == v->selected)
			put_bar(v, y++, line);
		else
			put(v, y++, 0, line);
	}
	return v->model.nprobes;
}

static bool has_no_values(const struct view *v)
{
	return v->offer.len && v->offer.s[0] != VIEW_HAS_VALUES;
}

static void draw_heading(struct view *v)
{
	static const char *const sorts[] = { "value", "rate", "name" };
	double hits = 0;
	char line[512];

	for (size_t i = 0; i < v->model.nprobes; i++)
		hits += v->model.probes[i].rate;
	snprintf(line, sizeof(line), "%s  %.0f s  %.0f hits/s  lost %.0f  by %s  every %g s%s",
		 v->name, (double)(clock_ns() - v->began) / 1e9, hits, v->model.lost,
		 sorts[v->sort], (v->offer.len ? v->ms : OLD_MS) / 1000.0,
		 v->paused ? "  PAUSED" : has_no_values(v) ? "  no values" :
		 !v->model.taken ? "  no values yet" : "");
	put_bar(v, 0, line);
	v->c.wattrset(v->w, (int)A_BOLD);
	if (v->page == PAGE_PROBES)
		snprintf(line, sizeof(line), "%-*s %12s %10s %9s %7s %8s %8s", NAME_COLUMNS,
			 "PROBE", "HITS", "RATE", "NS/HIT", "CPU", "SKIPPED", "ERRORS");
	else
		snprintf(line, sizeof(line), "%-*s %12s %10s", NAME_COLUMNS,
			 v->page == PAGE_GLOBALS ? "GLOBAL" : "HISTOGRAM", "VALUE", "RATE");
	put(v, 1, 0, line);
	v->c.wattrset(v->w, (int)A_NORMAL);
}

static void draw_output(struct view *v, int y, int end)
{
	size_t room = y < end ? (size_t)(end - y) : 0, tail = v->line.len > 0;
	size_t n = v->nlines < LINES_KEPT ? v->nlines : LINES_KEPT;

	tail = tail && room;
	n = n < room - tail ? n : room - tail;
	for (size_t i = v->nlines - n; room && i < v->nlines; i++)
		put(v, y++, 0, v->lines[i % LINES_KEPT]);
	if (tail)
		put(v, y, 0, v->line.s);
}

static void draw(struct view *v)
{
	int height = v->c.getmaxy(v->w), split = height * 2 / 3;
	size_t n;

	v->c.werase(v->w);
	draw_heading(v);
	v->shown = split > 2 ? (size_t)(split - 2) : 1;
	if (has_no_values(v))
		put(v, 2, 0, "values need a session started with --monitor or --metrics");
	n = v->page == PAGE_GLOBALS ? draw_globals(v, 2, split) :
	    v->page == PAGE_HISTOGRAMS ? draw_histograms(v, 2, split) : draw_probes(v, 2, split);
	if (v->first >= n)
		v->first = n ? n - 1 : 0;
	put_bar(v, split, "output");
	draw_output(v, split + 1, height - 1);
	put_bar(v, height - 1, v->note ? v->note : v->page == PAGE_PROBES ? PROBES_KEYS : KEYS);
	v->c.wrefresh(v->w);
}

/* ---- keys ---- */

static size_t moved(size_t from, long rows)
{
	return rows < 0 && from < (size_t)-rows ? 0 : from + (size_t)rows;
}

static void scroll_by(struct view *v, long rows)
{
	if (v->page != PAGE_PROBES) {
		v->first = moved(v->first, rows);
		return;
	}
	v->selected = moved(v->selected, rows);
	if (v->selected >= v->model.nprobes)
		v->selected = v->model.nprobes ? v->model.nprobes - 1 : 0;
	if (v->first > v->selected)
		v->first = v->selected;
	else if (v->selected >= v->first + v->shown)
		v->first = v->selected - v->shown + 1;
}

static enum view_wish switch_probe(struct view *v, uint32_t *value)
{
	char state = switch_of(v, v->selected);

	*value = (uint32_t)v->selected;
	if (v->page != PAGE_PROBES || v->selected >= v->model.nprobes)
		return VIEW_NOTHING;
	if (state == VIEW_IS_ON || state == VIEW_IS_OFF)
		return state == VIEW_IS_ON ? VIEW_OFF : VIEW_ON;
	v->note = v->offer.len > 1 ? "this probe can't be switched: see proberun(8)" :
		  v->offer.len == 1 ?
		  "the probes can't be switched: the module was built without --monitor" :
		  OLD_SESSION;
	return VIEW_NOTHING;
}

static enum view_wish change_pace(struct view *v, bool faster, uint32_t *value)
{
	static const unsigned paces[] = { 100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000 };
	size_t i = 0, n = sizeof(paces) / sizeof(paces[0]);

	if (!v->offer.len) {
		v->note = OLD_SESSION;
		return VIEW_NOTHING;
	}
	while (i < n && (faster ? paces[i] < v->ms : paces[i] <= v->ms))
		i++;
	if (faster ? i == 0 : i == n)
		return VIEW_NOTHING;
	*value = v->ms = paces[i - faster];
	return VIEW_INTERVAL;
}

static enum view_wish take_key(struct view *v, int key, uint32_t *value)
{
	v->note = NULL;
	switch (key) {
	case 'g': v->page = PAGE_GLOBALS; v->first = 0; break;
	case 'h': v->page = PAGE_HISTOGRAMS; v->first = 0; break;
	case 'p': v->page = PAGE_PROBES; v->first = v->selected = 0; break;
	case 's':
		v->sort = (v->sort + 1) % MODEL_SORTS;
		model_sort(&v->model, v->sort);
		break;
	case ' ': v->paused = !v->paused; break;
	case KEY_UP: scroll_by(v, -1); break;
	case KEY_DOWN: scroll_by(v, 1); break;
	case KEY_PPAGE: scroll_by(v, -(long)v->shown); break;
	case KEY_NPAGE: scroll_by(v, (long)v->shown); break;
	case KEY_HOME: v->first = v->selected = 0; break;
	case '\n': case '\r': case KEY_ENTER: return switch_probe(v, value);
	case '+': case '=': return change_pace(v, true, value);
	case '-': return change_pace(v, false, value);
	case 'q': return VIEW_DETACH;
	case 'x': return VIEW_STOP;
	}
	return VIEW_NOTHING;
}

enum view_wish view_turn(struct view *v, uint32_t *value)
{
	enum view_wish wish = VIEW_NOTHING;
	int key;

	while (wish == VIEW_NOTHING && (key = v->c.wgetch(v->w)) != ERR)
		wish = take_key(v, key, value);
	draw(v);
	return wish;
}

/* ---- data ---- */

void view_offer(struct view *v, const char *text, size_t len)
{
	v->offer.len = 0;
	buf_write(&v->offer, text, len);
}

void view_note(struct view *v, const char *note)
{
	v->note = note;
}

void view_snapshot(struct view *v, const struct buf *text)
{
	if (v->paused)
		return;
	model_read(&v->model, text, clock_ns());
	model_sort(&v->model, v->sort);
}

void view_output(struct view *v, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char **line = &v->lines[v->nlines % LINES_KEPT];

		if (text[i] != '\n' && v->line.len < LINE_MAX_BYTES) {
			buf_write(&v->line, text + i, 1);
			continue;
		}
		free(*line);
		*line = v->line.s ? v->line.s : strdup("");
		v->line = (struct buf){ 0 };
		v->nlines++;
		i -= text[i] != '\n';
	}
}

void view_close(struct view *v)
{
	if (!v)
		return;
	restore();
	v->c.delscreen(v->screen);
	for (size_t i = 0; i < LINES_KEPT; i++)
		free(v->lines[i]);
	buf_deinit(&v->line);
	buf_deinit(&v->offer);
	model_deinit(&v->model);
	free(v);
}

#else /* no library to draw by */

#ifdef PROBERUN_STATIC
#define WHY "the proberun of a bundle has no --monitor"
#else
#define WHY "this proberun has no --monitor: it was built without ncurses"
#endif

struct view *view_open(const char *name, unsigned ms)
{
	(void)name;
	(void)ms;
	say_error("E_OPTION", "use a proberun that has it, with --attach NAME --monitor", WHY);
	return NULL;
}

void view_snapshot(struct view *v, const struct buf *text)
{
	(void)v;
	(void)text;
}

void view_output(struct view *v, const char *text, size_t len)
{
	(void)v;
	(void)text;
	(void)len;
}

void view_offer(struct view *v, const char *text, size_t len)
{
	(void)v;
	(void)text;
	(void)len;
}

void view_note(struct view *v, const char *note)
{
	(void)v;
	(void)note;
}

enum view_wish view_turn(struct view *v, uint32_t *value)
{
	(void)v;
	(void)value;
	return VIEW_DETACH;
}

void view_close(struct view *v)
{
	(void)v;
}
#endif
