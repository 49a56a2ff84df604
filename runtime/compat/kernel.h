/* SPDX-License-Identifier: GPL-2.0 */
/*
 * container_of() and panic() were declared in linux/kernel.h until "kernel.h: split out
 * container_of() and typeof_member() macros" (d2a8ebbf8192) and "kernel.h: split out panic and oops
 * helpers" (f39650de687e), and hex2bin() until "kernel.h: split the hexadecimal related helpers to
 * hex.h", with which linux/hex.h has come. Kbuild looks for the new headers.
 */
#ifndef PRT_COMPAT_KERNEL_H
#define PRT_COMPAT_KERNEL_H

#ifdef PRT_HAVE_CONTAINER_OF
#include <linux/container_of.h>
#endif
#ifdef PRT_HAVE_PANIC
#include <linux/panic.h>
#endif
#ifdef PRT_HAVE_HEX
#include <linux/hex.h>
#endif
#if !defined(PRT_HAVE_CONTAINER_OF) || !defined(PRT_HAVE_PANIC) || !defined(PRT_HAVE_HEX)
#include <linux/kernel.h>
#endif

#endif
