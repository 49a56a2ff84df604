# SPDX-License-Identifier: GPL-2.0
# Comparisons for the scripts that tests run in a guest. Sourced.
# shellcheck shell=bash

check() { # WHAT GOT WANTED
	[ "$2" = "$3" ] || { echo "$1: got"; echo "$2"; echo "wanted"; echo "$3"; exit 1; }
}
