# SPDX-License-Identifier: GPL-2.0
#@ needs: target
# -r and its errors; damaged captured targets; a missing compiler.
script='probe begin { exit() }'
show "$PROBEC" -p4 -r /no/such/dir -e "$script"
show "$PROBEC" -p4 -r . -e "$script"
"$PROBEC" -p4 -r nonsense -e "$script" 2>&1 | sed '/= known here/d'
"$PROBEC" -p4 -r 99.9.0-3-test -e "$script" 2>&1 | sed '/= known here/d'
# A version selects the newest cloud kernel that is here, or the newest of the flavour after the
# version, or the only one; otherwise the user has to choose.
mkdir -p few/targets few/lab/99.13.0-1-rt-amd64/build
touch \
	few/targets/99.{9.0-1-test,9.0-2-test,10.0-1-test,11.0-1-amd64,11.0-9-cloud-amd64,11.0-10-cloud-amd64,11.0-3-rt-amd64}
for version in 99.9 99.10 99.11 99.11-rt 99.11-cloud-amd64 99.1; do
	PROBEC_CACHE=$PWD/few "$PROBEC" -p4 -r $version -e "$script" 2>&1 |
		sed "s|$PWD|DIR|; /= known here/d"
done
# A directory of the version's name that is no build tree is ignored.
mkdir 99.10
PROBEC_CACHE=$PWD/few "$PROBEC" -p4 -r 99.10 -e "$script" 2>&1 |
	grep -q "few/targets/99.10.0-1-test'" ||
	fail 'a directory is taken for the kernel'

: >empty
head -c 5000 /dev/zero >zeros
echo 'probec-target 9' >version
{ echo 'probec-target 2'; head -c 3000 /dev/urandom; } >noise
head -c 100000 "$TARGET" >half
head -n -1 "$TARGET" >no-end
sed '2s/release .*/release 1.2.3-none/' "$TARGET" >no-tree
sed 's/^machine .*/machine riscv64/' "$TARGET" >machine
# An older proberun took variables of Linux 7.x for functions.
printf '%s\n' 'probec-target 2' 'release 99.9.0-1-test' 'machine x86_64' 'section symbols 22' \
	_edata _sdata vfs_read '' end >variables
# Words that become parts of paths and messages.
sed '2s/release .*/release ..\/..\/none/' "$TARGET" >path
sed '2s/release .*/release a\x1b[31m/' "$TARGET" >colour
sed 's/^build-id .*/build-id ..\/..\/none/' "$TARGET" >path-of-id
sed 's/^build-id .*/build-id /' "$TARGET" >no-id
for t in path colour path-of-id no-id; do
	cmp -s "$TARGET" $t && fail "$t is not changed"
	refused E_IO $t "$PROBEC" -p4 -r ./$t -e "$script"
	grep -q 'its release, machine or build-id is not a name' said || fail $t said
done
for t in empty zeros version half no-end no-tree machine variables; do
	show "$PROBEC" -p4 -r ./$t -e "$script" | sed 's/after line [0-9]*/after line N/'
done
# Random damage, which no expected text can cover: the file is rejected without a crash.
refused E_IO noise "$PROBEC" -p4 -r ./noise -e "$script"
size=$(stat -c %s "$TARGET")
for cut in $(seq 1 97); do
	head -c $((size * cut / 97 - 7)) "$TARGET" >cut
	refused E_IO "cut at $cut/97" "$PROBEC" -p2 -r ./cut -e "$script"
done

# If the kernel's compiler is missing, the message names it and the command that installs it.
own_cache
refused E_NO_COMPILER 'no compiler' env PATH=/none "$PROBEC" -p4 -r "$TARGET" -e "$script"
grep -qE "'(x86_64-linux-gnu-)?gcc[-0-9]*', .* are not installed" said &&
	grep -q 'apt-get install gcc' said || fail 'no gcc' said
# If the compiler fails, its messages are shown, and nothing is cached.
mkdir bin
printf '#!/bin/sh\necho "out of order" >&2\nexit 1\n' >bin/cc
chmod +x bin/cc
for name in $(ls /usr/bin | grep -E '^(x86_64-linux-gnu-)?gcc(-[0-9]+)?$'); do cp bin/cc \
	"bin/$name"; done
refused E_BUILD 'a broken compiler' env PATH="$PWD/bin:$PATH" "$PROBEC" -p4 -r "$TARGET" -e \
	"$script"
grep -q 'out of order' said || fail "the compiler's words are missing" said
! find cache -name '*.ko' | grep -q . || fail 'something is in the cache'
