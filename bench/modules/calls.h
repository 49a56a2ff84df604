/* SPDX-License-Identifier: GPL-2.0 */
/* CALL_FUNCTION(NAME): the function that a system call of 64-bit programs enters, as a string. */
#ifdef CONFIG_ARM64
#define CALL_FUNCTION(name) "__arm64_sys_" #name
#else
#define CALL_FUNCTION(name) "__x64_sys_" #name
#endif
