# SPDX-License-Identifier: GPL-2.0
#@ slow
# A module that was compiled from the image of an installed kernel runs on that kernel.
from=${PROBEC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/probec}
own_cache
release=${TARGET##*/}
[ ! -d "$from/lab/$release/root" ] || ln -s "$from/lab/$release/root" "cache/lab/$release/root"
module=$("$PROBEC" -p4 -r "$release" -e '
	global switches
	probe kernel.function("vfs_read").return { if (pid() == target()) n[$file->f_flags & 0] <<< @entry($count) }
	probe kernel.trace("sched_switch") { switches++ }
	probe end { printf("%d %d\n", @max(n[0]) > 0, switches > 0) }' 2>said) || fail 'it does not compile' said
PROBEC_CACHE=$from "$TOP/lab/run" "$KERNEL" -- "$PROBERUN" "$module" -c \
	'cat /etc/passwd >/dev/null' >out 2>said ||
	fail "status $?" said
[ "$(cat out)" = '1 1' ] || fail 'its output' out said
