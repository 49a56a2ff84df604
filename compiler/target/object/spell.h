/* SPDX-License-Identifier: GPL-2.0 */
/* Names of types of the standard library of C++ as people write them. */
#ifndef OBJECT_SPELL_H
#define OBJECT_SPELL_H

/**
 * spell_short - write the types in a decoded name, whose spaces are dropped, as sources have them
 *
 * std::vector<int,std::allocator<int>> becomes std::vector<int>, and what is then
 * std::basic_string<char> becomes std::string. Inline namespaces (std::__cxx11, std::__1) are left
 * out. What comes before the first '<' or '(' stays. Changes @s, which never becomes longer.
 */
void spell_short(char *s);

#endif
