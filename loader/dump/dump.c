/* SPDX-License-Identifier: GPL-2.0 */
#include "dump/dump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "module/meta.h"
#include "session/flight.h"
#include "session/print.h"
#include "show/ctf.h"
#include "show/marked.h"
#include "dump/memory.h"
#include "dump/recorder.h"
#include "dump/symbols.h"
#include "shared/buf.h"

static int refuse(const struct recorders *r, const struct dump_options *o)
{
	struct buf names = { 0 };

	for (size_t i = 0; i < r->n; i++) {
		buf_puts(&names, i ? ", " : "");
		buf_write(&names, r->v[i].module, strnlen(r->v[i].module, sizeof(r->v[i].module)));
	}
	if (!r->n)
		say_error("E_VMCORE", "probec --flight records; a session that had ended before "
			  "the crash has left nothing",
			  "'%s' contains no flight recorder", o->path);
	else if (o->session)
		say_error("E_VMCORE", NULL, "there is no session '%s' in '%s', which has: "
					    "%s", o->session,
			  o->path, names.s);
	else
		say_error("E_VMCORE", "name one of them after the file",
			  "'%s' contains several sessions: %s", o->path, names.s);
	buf_deinit(&names);
	return -1;
}

static int choose(const struct recorders *r, const struct dump_options *o,
		  const struct prt_vmcore **ret)
{
	*ret = NULL;
	for (size_t i = 0; i < r->n; i++) {
		if (o->session && strncmp(o->session, r->v[i].module, sizeof(r->v[i].module)) != 0)
			continue;
		if (*ret)
			return refuse(r, o);
		*ret = &r->v[i];
	}
	return *ret ? 0 : refuse(r, o);
}

static int read_meta(const struct dump_memory *m, const struct prt_vmcore *of, struct meta *ret)
{
	char why[256], *text;
	size_t len;
	int err;

	text = recorder_about(m, of, &len);
	if (!text)
		return -1;
	err = meta_parse(text, len, ret, why, sizeof(why));
	free(text);
	if (err)
		say_error("E_VMCORE", NULL, "the description of the session '%s' is damaged: %s",
			  of->module, why);
	return err;
}

static int show_session(const struct dump_options *o, const struct meta *m,
			const struct prt_vmcore *of, struct flight *f, unsigned damaged)
{
	struct dump_symbols symbols = { 0 };
	struct show show = { 0 };
	const struct prt_status st = { .clock_khz = of->clock_khz, .epoch_ns = of->epoch_ns,
				       .epoch_clock = of->epoch_clock };
	struct printing p = { .m = m, .show = &show, .st = &st, .host = of->host,
			      .damaged = damaged };
	struct marked marked = { 0 };
	struct ctf *ctf = NULL;
	int err = 0;

	if (o->format == SHOW_CTF)
		err = ctf_create(o->directory, m, of->host, &ctf);
	if (err) {
		say_error("E_IO", NULL, "can't write the trace: %s", strerror(-err));
		return -1;
	}
	say_step("session '%s' of the kernel %s", of->module, of->release);
	show_open(&show, o->format, o->percentiles, o->escape, o->out);
	if (ctf)
		show_trace(&show, ctf);
	show.script = m->script;
	if (m->has_stacks && dump_symbols_open(&symbols, of->release, of->loops_per_jiffy,
						   o->debuginfo)) {
		show.names.ask = dump_symbols_name;
		show.names.arg = &symbols;
	}
	p.marked = m->has_marks ? &marked : NULL;
	p.only_ids = true;
	print_snapshot(&p, f);
	marked_deinit(&marked);
	if (p.damaged)
		say_warn("E_VMCORE", NULL, "%u records are damaged and are not shown", p.damaged);
	show_finish(&show);
	show_close(&show);
	ctf_destroy(ctf);
	dump_symbols_close(&symbols);
	return 0;
}

/* Shows what the session @of had kept. */
static int show_recorded(const struct dump_options *o, const struct dump_memory *m,
			 const struct prt_vmcore *of)
{
	struct flight flight = { 0 };
	struct meta meta = { 0 };
	struct rings rings;
	unsigned damaged = 0;
	int err = -1;

	if (read_meta(m, of, &meta))
		return -1;
	if (recorder_rings(m, of, &rings) == 0) {
		err = flight_adopt(&flight, &rings, "the kernel's dump", &damaged);
		if (!err)
			err = show_session(o, &meta, of, &flight, damaged);
		flight_deinit(&flight);
	}
	meta_deinit(&meta);
	return err;
}

static int show_dump(const struct dump_options *o, const struct dump_memory *m)
{
	const struct prt_vmcore *of;
	struct recorders all;
	int err = recorders_find(&all, m);

	if (!err)
		err = choose(&all, o, &of);
	if (!err)
		err = show_recorded(o, m, of);
	recorders_deinit(&all);
	return err;
}

int dump_show(const struct dump_options *o)
{
	struct dump_memory m;
	int err;

	if (dump_open(&m, o->path))
		return 1;
	err = show_dump(o, &m);
	dump_close(&m);
	return err ? 1 : 0;
}
