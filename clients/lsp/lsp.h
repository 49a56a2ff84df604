/* SPDX-License-Identifier: GPL-2.0 */
/* A language server: what editors show about a script while it is written. */
#ifndef LSP_H
#define LSP_H

struct arena;

/** lsp_main - probec lsp [OPTION]...: serve one editor on standard input and output, by the
 *  Language Server Protocol. Returns the exit status: 0 after an orderly end. */
int lsp_main(struct arena *a, int argc, char **argv);

#endif
