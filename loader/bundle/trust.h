/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --trust: a bundle that came from elsewhere, and runs only if it has the signature of a key that
 * is trusted here. The bundle can't check itself, so an installed proberun reads it as data, and
 * runs none of its code but the modules.
 */
#ifndef LOADER_TRUST_H
#define LOADER_TRUST_H

/** trust_open - check the signature FILE.sig, of Ed25519, of the bundle @file by the public key in
 *  @key, a file as `openssl pkey -pubout` writes it. Returns a descriptor of a copy of the bundle,
 *  which nobody else can change, to close(); -1 after reporting E_TRUST. */
int trust_open(const char *key, const char *file);

#endif
