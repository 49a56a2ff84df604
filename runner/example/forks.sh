# SPDX-License-Identifier: GPL-2.0
# Counts as many forks as the program of -c has made.
for wanted in 0 1 7; do
	got=$("$PROBERUN" -c "bash -c 'for ((i = 0; i < $wanted; i++)); do (exit); done'" "$MODULE")
	[ "$got" = "$wanted" ] || { echo "$got forks instead of $wanted"; exit 1; }
done
