# SPDX-License-Identifier: GPL-2.0
# Processes that live for a few milliseconds: the loader is too late to describe them, but it has
# read their files, which a process that runs before the session has mapped. Reading all files takes
# 0.3 seconds, and on a slow machine these may not be among them; then they are read when the first
# hit has met them. So twenty of thirty stacks must do.
# Each: hits find mappings by the kernel's own lists or trees.
. "$TOP/testsuite/expect.sh"
sleep 1000 &
before=$!
trap 'kill $before' EXIT
cat >short <<'END'
for i in 0 1 2 3 4 5 6 7 8 9; do sleep 0; sleep 0; sleep 0; done
END
"$PROBERUN" "$MODULE" -c "sh $PWD/short" >out 2>err || fail 'status' out err
# The last frame of a whole stack is the program's own first function.
whole=$(awk '/__libc_start_main/ { getline; n += /\/sleep\]$/ } END { print n + 0 }' out)
[ "$whole" -ge 20 ] || fail "$whole of 30 stacks are whole" out err
