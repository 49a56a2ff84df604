/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A flame graph as an SVG image that stands alone: its style and its script (flame.css, flame.js)
 * are inside. A viewer that runs no scripts shows the whole graph; a browser zooms and searches.
 */
#ifndef PROFILE_SVG_H
#define PROFILE_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/tree.h"

enum svg_colours {
	SVG_BY_KIND,   /* a hue each for the kernel, programs, keys */
	SVG_BY_MODULE, /* a hue for each module */
	SVG_BY_NAME,   /* any hue, by the name of the function */
};

struct svg_options {
	const char *title, *subtitle; /* "": none */
	const char *unit;             /* of the values, "": not known */
	bool icicle;                  /* the outermost frames are on top */
	bool fit;                     /* the script fits the width to the window's */
	enum svg_colours colours;
	unsigned width;               /* pixels */
	double narrowest;             /* frames that are narrower, in pixels, are left out */
};

/** svg_write - the graph of a tree whose root is not 0. */
void svg_write(FILE *to, const struct tree_node *root, const struct svg_options *o);

#endif
