# SPDX-License-Identifier: GPL-2.0
#@ needs: gcc
# The stack of a process stays what it is during a hit, though the process has mapped code of a file
# of which the loader learns at that moment.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
gcc -O1 -o "$folder/program" stack-steady.c 2>"$folder/log" || fail gcc "$folder/log"
"$PROBERUN" -o "$folder/out" "$MODULE" -c "$folder/program $folder >/dev/null" 2>"$folder/err" ||
	fail status "$folder/out" "$folder/err"
[ "$(cat "$folder/out")" = 'many hits, 0 times lost' ] ||
	fail 'a stack that was there' "$folder/out" "$folder/err"
