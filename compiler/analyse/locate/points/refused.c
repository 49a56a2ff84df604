/* SPDX-License-Identifier: GPL-2.0 */
/* Kinds of SystemTap's probe points that are not supported at all. */
#include "analyse/locate/points/provider.h"

#define NO_FORM "a process has function(), statement(), mark(), plt(), begin, end, " \
	"thread.begin, thread.end, syscall, and library() before the first four"
#define FETCHED "process(\"PATH\") has the probes, and finds debug information by " \
	"DEBUGINFOD_URLS"
#define NO_JAVA "it is not planned; the markers of libjvm show what the JVM does: " \
	"process(\"java\").library(\"libjvm.so\").mark(\"*\")"
#define NO_PYTHON "it is not planned; process(\"python3\").mark(\"function__entry\") is hit at " \
	"each call"

static const struct form forms[] = {
	{ "process.**", NO_FORM, 0 },
	{ "process(S).**", NO_FORM, 0 },
	{ "process(N).**", NO_FORM, 0 },
	{ "debuginfod.**", FETCHED, 0 },
	{ "java.**", NO_JAVA, 0 },
	{ "java(S).**", NO_JAVA, 0 },
	{ "java(N).**", NO_JAVA, 0 },
	{ "python2.**", NO_PYTHON, 0 },
	{ "python3.**", NO_PYTHON, 0 },
};

const struct provider refused_provider = {
	"refused", forms, sizeof(forms) / sizeof(forms[0]), NULL,
};
