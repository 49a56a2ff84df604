/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The prototypes of functions in BTF, or where there is none, in debug information. A prototype is
 * looked up when it is first needed: opening a kernel's BTF takes longer than everything else that
 * a script without parameters needs.
 */
#ifndef LOCATE_VALUES_PROTOTYPE_H
#define LOCATE_VALUES_PROTOTYPE_H

struct state;
struct kernel_module;
struct prototype; /* opaque; shared by all sites of one name */

/**
 * prototype_of - the prototype of a function, for locate_prototype()
 * @module: the module that has the function; NULL: the kernel
 * @name:   must live as long as @s
 * @n:      the number of functions of that name
 *
 * returns an object owned by @s, or NULL if the name is a clone's, for which the calling convention
 * does not hold
 */
struct prototype *prototype_of(struct state *s, struct kernel_module *module, const char *name,
			       unsigned n);

#endif
