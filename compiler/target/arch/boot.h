/* SPDX-License-Identifier: GPL-2.0 */
/* The header of the kernel's image: Documentation/arch/x86/boot.rst of the kernel. */
#ifndef ARCH_BOOT_H
#define ARCH_BOOT_H

/* Offsets of its fields. */
enum {
	ARCH_BOOT_SECTORS = 0x1f1, /* 512-byte sectors of the boot code, without the first one */
	ARCH_BOOT_MAGIC = 0x202,
	ARCH_BOOT_PAYLOAD = 0x248, /* where the compressed kernel begins, after the boot code */
	ARCH_BOOT_PAYLOAD_LENGTH = 0x24c,
	ARCH_BOOT_END = 0x250,
};

#define ARCH_BOOT_MAGIC_TEXT "HdrS"

enum { ARCH_BOOT_SECTOR = 512, ARCH_BOOT_SECTORS_DEFAULT = 4 /* the field may be 0 */ };

#endif
