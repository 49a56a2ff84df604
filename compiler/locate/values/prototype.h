/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prototypes of functions in BTF, looked up when a site's is first asked for: BTF of a kernel takes
 * longer to open than all else that a script needs which reads no parameter.
 */
#ifndef LOCATE_VALUES_PROTOTYPE_H
#define LOCATE_VALUES_PROTOTYPE_H

struct session;
struct kernel_module;
struct prototype; /* opaque; one for all sites of a name */

/**
 * prototype_of - the prototype of a function @module: whose it is; NULL: the kernel's @name: must
 * live as long as the session @n: so many functions have that name returns an object of the
 * session's; NULL: the name is a clone's, for which the calling convention does not hold.
 * locate_prototype() asks it.
 */
struct prototype *prototype_of(struct session *s, struct kernel_module *module, const char *name,
			       unsigned n);

#endif
