/* SPDX-License-Identifier: GPL-2.0 */
/* Draws a flame graph. */
#include "profile/svg.h"

#include <inttypes.h>
static const char style[] =
#include "build/clients/profile/flame.css.inc"
	;
static const char script[] =
#include "build/clients/profile/flame.js.inc"
	;

/* Pixels. flame.js has MARGIN and LETTER as well. */
enum { MARGIN = 10, ROW = 18, HEAD = 84, FOOT = 30 };

static const double LETTER = 7.25; /* the width of a letter of 12 pixels */

struct drawing {
	FILE *to;
	const struct svg_options *o;
	uint64_t total;
	uint32_t depth;     /* of the deepest node that is drawn */
	double scale;       /* pixels of a unit */
	uint64_t left_out;  /* number of frames */
	uint64_t left_value; /* total of those whose parents are drawn */
};

/* ---- text ---- */

/* The length of the UTF-8 character at @s, or 0 if XML does not allow it. */
static size_t character(const unsigned char *s)
{
	size_t n = *s < 0x80 ? 1 : *s < 0xc2 || *s > 0xf4 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	if (n == 1)
		return (*s >= ' ' && *s != 0x7f) || *s == '\t';
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
	    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
		return 0;
	/* U+FFFE and U+FFFF */
	return *s == 0xef && s[1] == 0xbf && s[2] > 0xbd ? 0 : n;
}

/* Writes at most @most characters of @s as XML text; bytes that are not UTF-8 become U+FFFD. */
static void put_text(FILE *to, const char *s, size_t most)
{
	while (*s && most--) {
		size_t n = character((const unsigned char *)s);

		switch (*s) {
		case '<': fputs("&lt;", to); break;
		case '>': fputs("&gt;", to); break;
		case '&': fputs("&amp;", to); break;
		case '"': fputs("&quot;", to); break;
		default:
			if (n)
				fwrite(s, 1, n, to);
			else
				fputs("\xef\xbf\xbd", to);
		}
		s += n ? n : 1;
	}
}

static size_t letters(const char *s)
{
	size_t all = 0;

	for (; *s; all++) {
		size_t n = character((const unsigned char *)s);

		s += n ? n : 1;
	}
	return all;
}

/* 1,234,567 */
static void put_number(FILE *to, uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%" PRIu64, v);

	for (int i = 0; i < n; i++)
		fprintf(to, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
}

static void put_value(const struct drawing *d, uint64_t v)
{
	put_number(d->to, v);
	if (*d->o->unit) {
		putc(' ', d->to);
		put_text(d->to, d->o->unit, SIZE_MAX);
	}
	fprintf(d->to, ", %.2f %%", 100.0 * (double)v / (double)d->total);
}

/* ---- colours ---- */

static uint32_t hash(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	h ^= h >> 15;
	h *= 0x2c1b3c6du;
	return h ^ h >> 13;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* One channel of a colour of HSL; @shift: 0 red, 8 green, 4 blue. */
static unsigned channel(double hue, double saturation, double lightness, double shift)
{
	double k = shift + hue / 30, least, v;

	k = k < 12 ? k : k - 12;
	least = smaller(smaller(k - 3, 9 - k), 1);
	v = lightness - saturation * smaller(lightness, 1 - lightness) * (least < -1 ? -1 : least);
	return (unsigned)(255 * v + 0.5);
}

/* The same name always has the same shade, and similar names have different ones. */
static void put_colour(const struct drawing *d, const struct profile_frame *f)
{
	uint32_t h = f ? hash(f->name) : 0;
	double part = (h & 0xff) / 255.0, other = (h >> 8 & 0xff) / 255.0;
	double hue = 215, saturation = 0.12, lightness = 0.76 + 0.08 * part;

	if (f && (f->kind == FRAME_USER || f->kind == FRAME_KERNEL ||
		  f->kind == FRAME_SCRIPT)) {
		saturation = 0.5 + 0.25 * other;
		lightness = 0.64 + 0.11 * part;
		switch (d->o->colours) {
		case SVG_BY_KIND:
			hue = f->kind == FRAME_KERNEL ? 18 + 30 * other :
			      f->kind == FRAME_SCRIPT ? 75 + 40 * other : 150 + 50 * other;
			break;
		case SVG_BY_MODULE:
			hue = f->kind == FRAME_KERNEL ? 28 : 170;
			hue = f->module ? hash(f->module) % 360 : hue;
			break;
		case SVG_BY_NAME:
			hue = h >> 16 & 0xff;
			hue *= 360.0 / 256;
			break;
		}
	} else if (f && f->kind == FRAME_NOTE) {
		hue = 0;
		saturation = 0;
	}
	fprintf(d->to, "#%02x%02x%02x", channel(hue, saturation, lightness, 0),
		channel(hue, saturation, lightness, 8), channel(hue, saturation, lightness, 4));
}

/* ---- frames ---- */

static bool is_narrow(const struct drawing *d, const struct tree_node *n)
{
	return (double)n->value * d->scale < d->o->narrowest;
}

static void count_left_out(struct drawing *d, const struct tree_node *n)
{
	d->left_out++;
	for (const struct tree_node *c = n->child; c; c = c->next)
		count_left_out(d, c);
}

/* Computes the depth of the graph and the frames that are left out, before anything is drawn. */
static void measure(struct drawing *d, const struct tree_node *n)
{
	if (n->depth > d->depth)
		d->depth = n->depth;
	for (const struct tree_node *c = n->child; c; c = c->next) {
		if (is_narrow(d, c)) {
			d->left_value += c->value;
			count_left_out(d, c);
		} else {
			measure(d, c);
		}
	}
}

static const char *name_of(const struct tree_node *n)
{
	return n->frame ? n->frame->name : "all";
}

/* Returns NULL if it is not known. */
static const char *module_of(const struct tree_node *n)
{
	return !n->frame ? NULL : n->frame->module ? n->frame->module :
	       n->frame->kind == FRAME_KERNEL ? "kernel" : NULL;
}

static void put_title(const struct drawing *d, const struct tree_node *n)
{
	fputs("<title>", d->to);
	put_text(d->to, name_of(n), SIZE_MAX);
	if (module_of(n)) {
		fputs(" [", d->to);
		put_text(d->to, module_of(n), SIZE_MAX);
		putc(']', d->to);
	}
	putc('\n', d->to);
	put_value(d, n->value);
	fputs("</title>", d->to);
}

/* Writes the name, or the part of it that fits. */
static void put_label(const struct drawing *d, const struct tree_node *n, double x, double y,
		      double width)
{
	const char *name = name_of(n);
	double room = (width - 6) / LETTER;
	size_t fit = room > 0 ? (size_t)room : 0;

	fprintf(d->to, "<text x=\"%.2f\" y=\"%.0f\">", x + 3, y + 13);
	if (letters(name) <= fit) {
		put_text(d->to, name, SIZE_MAX);
	} else if (fit >= 3) {
		put_text(d->to, name, fit - 2);
		fputs("..", d->to);
	}
	fputs("</text>", d->to);
}

static void put_node(const struct drawing *d, const struct tree_node *n)
{
	double x = MARGIN + (double)n->start * d->scale, width = (double)n->value * d->scale;
	uint32_t row = d->o->icicle ? n->depth : d->depth - n->depth;
	double y = HEAD + (double)row * ROW;

	fprintf(d->to, "<g data-x=\"%" PRIu64 "\" data-w=\"%" PRIu64 "\" data-d=\"%" PRIu32 "\"%s>",
		n->start, n->value, n->depth, module_of(n) ? " data-m=\"1\"" : "");
	put_title(d, n);
	fprintf(d->to, "<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"", x, y,
		width, ROW - 1);
	put_colour(d, n->frame);
	fputs("\"/>", d->to);
	put_label(d, n, x, y, width);
	fputs("</g>\n", d->to);
	for (const struct tree_node *c = n->child; c; c = c->next)
		if (!is_narrow(d, c))
			put_node(d, c);
}

/* ---- the page ---- */

static void put_left_out(const struct drawing *d, unsigned height)
{
	if (!d->left_out)
		return;
	fprintf(d->to, "<text id=\"left\" x=\"%d\" y=\"%u\">not drawn: ", MARGIN, height - 10);
	put_number(d->to, d->left_out);
	fprintf(d->to, " frame%s narrower than %g pixels at a width of %u, %.2f %%</text>\n",
		d->left_out == 1 ? "" : "s", d->o->narrowest, d->o->width,
		100.0 * (double)d->left_value / (double)d->total);
}

static void put_controls(const struct drawing *d)
{
	fprintf(d->to, "<g id=\"reset\" class=\"hidden\" tabindex=\"0\" role=\"button\">"
		"<rect x=\"%d\" y=\"8\" width=\"92\" height=\"22\" rx=\"4\"/>"
		"<text x=\"%d\" y=\"23\">reset zoom</text></g>\n", MARGIN, MARGIN + 46);
	fprintf(d->to, "<foreignObject id=\"box\" x=\"%u\" y=\"6\" width=\"230\" height=\"28\">"
		"<input xmlns=\"http://www.w3.org/1999/xhtml\" id=\"search\" type=\"text\" "
		"placeholder=\"search: regular expression\" spellcheck=\"false\" "
		"title=\"without a capital letter, the case of letters does not matter\"/>"
		"</foreignObject>\n", d->o->width - MARGIN - 230);
	fprintf(d->to, "<text id=\"matched\" x=\"%u\" y=\"50\"></text>\n", d->o->width - MARGIN);
	fprintf(d->to, "<text id=\"info\" x=\"%d\" y=\"72\"></text>\n", MARGIN);
}

void svg_write(FILE *to, const struct tree_node *root, const struct svg_options *o)
{
	struct drawing d = { .to = to, .o = o, .total = root->value };
	unsigned height;

	d.scale = (double)(o->width - 2 * MARGIN) / (double)root->value;
	measure(&d, root);
	height = HEAD + (d.depth + 1) * ROW + FOOT;
	fprintf(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\" data-fit=\"%d\" data-total=\"%" PRIu64 "\">\n<title>",
		o->width, height, o->width, height, o->fit, root->value);
	put_text(to, o->title, SIZE_MAX);
	fprintf(to, "</title>\n<style>\n%s</style>\n"
		"<rect id=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
		"<text id=\"head\" x=\"%u\" y=\"26\">", style, o->width / 2);
	put_text(to, o->title, SIZE_MAX);
	fprintf(to, "</text>\n<text id=\"under\" x=\"%u\" y=\"46\">", o->width / 2);
	put_text(to, o->subtitle, SIZE_MAX);
	fputs("</text>\n", to);
	put_controls(&d);
	fputs("<g id=\"frames\">\n", to);
	put_node(&d, root);
	fputs("</g>\n", to);
	put_left_out(&d, height);
	fprintf(to, "<script><![CDATA[\n%s]]></script>\n</svg>\n", script);
}
