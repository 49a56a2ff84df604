# SPDX-License-Identifier: GPL-2.0
# The line "#@ kernels: [not] KERNEL..." of a test. Sourced, also by the tests of this tree.
# shellcheck shell=bash

# Return whether a test is for the kernel by its line, which lists it by the name that -k gives it
# or, where no lab is used, by the beginning of its release. "debug" is any checked kernel.
is_for_kernel() { # KERNEL RELEASE WORDS
	case $3 in
	'not '*) ! kernel_listed "$1" "$2" "${3#not }" ;;
	*) kernel_listed "$@" ;;
	esac
}
kernel_listed() { # KERNEL RELEASE WORDS
	local word
	for word in $3; do
		[ "$word" != "$1" ] && [ "$word" != "$2" ] || return 0
		[ "$word" != debug ] || [[ $1 != debug-* ]] || return 0
		[ -n "$1" ] || [[ $2 != "$word"[.-]* ]] || return 0
	done
	return 1
}
