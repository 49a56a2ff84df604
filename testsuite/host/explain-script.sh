# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# --explain of a script: the sites of its probes, how they are reached, and where the values are or
# why they are not available.
# shellcheck shell=bash disable=SC2154
export PROBEC_DEBUGINFO=
cat >a.kp <<'EOF'
probe kernel.function("vfs_readlink") { println($buflen) }
probe kernel.function("vfs_fsync*").return { println($return) }
probe kprobe.function("vfs_readlink") { println(ppfunc()) }
probe module("*").function("ext4_no_such") ? { }
probe timer.s(1) { exit() }
EOF
show "$PROBEC" -r "$TARGET" --explain a.kp | sed "s|$TARGET|TARGET|"
show "$PROBEC" --explain -e 'probe begin { x = y }'
show "$PROBEC" --explain nosuch.kp
