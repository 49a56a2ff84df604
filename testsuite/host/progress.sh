# SPDX-License-Identifier: GPL-2.0
#@ needs: target tmux
# A terminal shows what takes long while a script is compiled, and ^C ends it there and then.
. "$TOP/testsuite/terminal.sh"
trap 'touch go; tmux kill-server 2>/dev/null' EXIT
own_cache
export TMPDIR=$PWD/tmp
mkdir tmp bin

# A compiler that waits for the file "go".
for name in gcc gcc-10 gcc-12 gcc-14; do
	real=$(command -v "$name") || continue
	cat >"bin/$name" <<X
#!/bin/sh
until [ -e "$PWD/go" ]; do sleep 0.1; done
exec $real "\$@"
X
	chmod +x "bin/$name"
done
echo 'probe begin { exit() }' >s.kp
cat >compile <<X
#!/bin/sh
PATH="$PWD/bin:\$PATH" exec "$PROBEC" -p4 -r "$TARGET" s.kp
X
chmod +x compile
open_terminal ./compile
see '^probec: [a-z ]*: 1 s$'
kill -INT "$(cat pid)"
see '^status 130'
[ -z "$(ls tmp)" ] || fail 'what is left' screen
