#@ needs: target
# --explain of a script: where its probes are, by what they are reached, where the values are and why not.
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

# Which functions share a name, and of how many of them BTF has the prototype, is not the same on all kernels.
"$PROBEC" -r "$TARGET" --explain -e 'probe kernel.function("seq_show") { }' >said 2>&1 || fail 'namesakes' said
grep -qE '^    (\$[a-z]+): struct seq_file \*, .\1. (differs between the|is not available: there are) [0-9]+ functions named .seq_show.' said ||
	fail 'namesakes: no reason' said
