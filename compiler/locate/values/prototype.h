/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of functions in BTF, looked up when a site first needs one: BTF of a kernel takes
 * longer to open than all else that a script needs which reads no parameter.
 */
#ifndef LOCATE_VALUES_PROTOTYPE_H
#define LOCATE_VALUES_PROTOTYPE_H

struct state;
struct kernel_module;
struct prototype; /* opaque; one for all sites of a name */

/**
 * prototype_of - the prototype of a function, for locate_prototype()
 *
 * @module: whose it is; NULL: the kernel's
 * @name:   must live as long as @s
 * @n:      the number of functions of that name
 *
 * Returns an object of @s; NULL: the name is a clone's, for which the calling convention does not
 * hold.
 */
struct prototype *prototype_of(struct state *s, struct kernel_module *module, const char *name,
			       unsigned n);

#endif
