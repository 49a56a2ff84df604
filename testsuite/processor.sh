# SPDX-License-Identifier: GPL-2.0
# Sourced by tests in vm/ that can be run on arm64 as well: the compiler, the tools and proberun are
# those for the processor of $KERNEL, which is $processor.
# shellcheck shell=bash disable=SC2034
processor=x86_64
if [[ $KERNEL == *arm64* || $KERNEL == *-16k ]]; then
	processor=aarch64
	command -v aarch64-linux-gnu-gcc >/dev/null ||
		{ echo 'aarch64-linux-gnu-gcc is missing'; exit 77; }
	PROBERUN=$TOP/build/arm64/proberun
	gcc() { aarch64-linux-gnu-gcc "$@"; }
	nm() { aarch64-linux-gnu-nm "$@"; }
	objdump() { aarch64-linux-gnu-objdump "$@"; }
fi
