/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flame graph as a self-contained SVG image: it includes its style and its script (flame.css,
 * flame.js). A viewer that runs no scripts shows the whole graph; a browser zooms and searches.
 */
#ifndef PROFILE_SVG_H
#define PROFILE_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/tree.h"

enum svg_colours {
	SVG_BY_KIND,   /* a hue for the kernel, one for programs, one for keys */
	SVG_BY_MODULE, /* a hue for each module */
	SVG_BY_NAME,   /* a hue by the name of the function */
};

struct svg_options {
	const char *title, *subtitle; /* "": none */
	const char *unit;             /* of the values, "": not known */
	bool icicle;                  /* the outermost frames are on top */
	bool fit;                     /* the script adapts the width to the window */
	enum svg_colours colours;
	unsigned width;               /* pixels */
	double narrowest;             /* narrower frames are left out, in pixels */
};

/** svg_write - write the graph of a tree whose root's value is not 0. */
void svg_write(FILE *to, const struct tree_node *root, const struct svg_options *o);

#endif
