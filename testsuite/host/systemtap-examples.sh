# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# SystemTap's own example scripts: no fewer pass than before, without the kernel's debug symbols
# and, if lab/symbols has fetched them, with them; probec does not fail on any, and each rejection
# has an id. testsuite/systemtap-examples prints the table.
# shellcheck shell=bash disable=SC2154
try() { # FLOOR [OPTION]...
	local floor=$1 status passes
	shift
	"$TOP/testsuite/systemtap-examples" -r "$TARGET" "$@" >table
	status=$?
	[ $status != 3 ] || { cat table; exit 77; }
	[ $status = 0 ] || fail "status $status" table
	passes=$(sed -n 's/^passes //p' table)
	[ "${passes:-0}" -ge "$floor" ] || fail "only ${passes:-0} pass, $floor did" table
	! grep -q -e '^broke' -e '^INTERNAL' table || fail 'some break the compiler' table
}
# Other versions of SystemTap have other examples: Debian 13's is 5.1.
floor=140 with_symbols=156
[ "$("$TOP/testsuite/systemtap-examples" --version)" = 4.8 ] || floor=113 with_symbols=113
try $floor
kernel=${KERNELS%% *}
debug=$("$TOP/lab/symbols" --if-here "$kernel") || exit 0
try $with_symbols --debuginfo "$debug"
