# SPDX-License-Identifier: GPL-2.0
#@ slow
# Programs in other root directories and mount namespaces, on overlayfs: process(PID), -x and
# libraries are those that the process has, though another file has the same path here.
#@ seconds: 900
gcc -O2 -g -o wait "$TOP/testsuite/programs/wait.c" 2>log || fail 'the program' log
# The guest finds the runtime in the cache; it would take minutes to build it there.
"$PROBEC" -p4 -r "$TARGET" -e 'probe begin { exit() }' >/dev/null 2>said || fail 'the runtime' said

cat >guest <<'SH'
dir=/tmp/containers
fail() { # WHAT [FILE]
	echo "$1"
	[ $# -lt 2 ] || cat "$2"
	exit 1
}
mkdir -p $dir && mount -t tmpfs none $dir || fail 'no tmpfs'
cleanup() {
	for pid in $pids; do kill "$pid" 2>/dev/null; wait "$pid" 2>/dev/null; done
	cd / && umount -l $dir && rmdir $dir
	rm -rf /app
}
pids=
trap cleanup EXIT
cd $dir || exit 1
lower=$dir/lower
mkdir -p $lower/app $lower/lib64 $lower/lib/x86_64-linux-gnu upper work merged /app
cp "$1/wait" $lower/app/
cp /lib64/ld-linux-x86-64.so.2 $lower/lib64/
cp /lib/x86_64-linux-gnu/libc.so.6 $lower/lib/x86_64-linux-gnu/
# The same path here is another program, without that function.
cp /bin/true /app/wait

# A path does not say which libraries a process has that runs it, unless it goes through that
# process's root directory: its own function is counted twice.
look() { # WHAT POINT [OPTION]...
	case $2 in
	'process("/proc/'*) library="$2.library(\"libc\").function(\"malloc\").call" ;;
	*/*) library="$2.function(\"waits\").return" ;;
	*) library="$2.library(\"libc\").function(\"malloc\").call" ;;
	esac
	timeout 200 "$PROBEC" -w "${@:3}" -e "global n, m
		probe $2.function(\"waits\").call { n++; if (\$n < 0) println(\"wrong\") }
		probe $library { m++ }
		probe process(\"/app/*\").begin { println(\"no\") }
		probe timer.ms(100) { if (n > 10 && m > 10) exit() }
		probe end { println(n > 10, \" \", m > 10) }" >said 2>messages || fail "$1: status $?" messages
	[ "$(cat said)" = '1 1' ] || fail "$1:" said
}
start() { # COMMAND...
	"$@" >/dev/null &
	pids="$pids $!"
	for _ in $(seq 100); do [ "$(cat /proc/$!/comm)" = wait ] && break; sleep 0.1; done
}

start chroot $lower /app/wait 100000
look 'a root directory' "process($!)"
# The overlay becomes the root of the namespace, as in a container.
start unshare -m bash -c "mount -t overlay overlay -o lowerdir=$lower,upperdir=$dir/upper,workdir=$dir/work $dir/merged &&
	cd $dir/merged && mount --move . / && exec chroot . /app/wait 100000"
inside=$!
look 'an overlay in a namespace' "process($inside)"
look 'the process of -x' 'process' -x $inside
look 'a path below /proc' "process(\"/proc/$inside/root/app/wait\")"
[ -d merged ] && [ ! -e merged/app ] || fail 'the overlay is visible here'

# An overlay that is visible, whose program lies in the upper layer.
mkdir upper2 work2 both
mount -t overlay overlay -o lowerdir=$lower,upperdir=$dir/upper2,workdir=$dir/work2 $dir/both ||
	fail 'overlay'
cp both/app/wait both/app/copy && rm both/app/wait && mv both/app/copy both/app/wait
start chroot $dir/both /app/wait 100000
look 'the upper layer' "process(\"$dir/both/app/wait\")"
umount -l $dir/both
SH
"$TOP/lab/run" "$KERNEL" -- env PROBEC="$PROBEC" bash ./guest "$PWD" >said 2>&1 ||
	fail "status $?" said
[ ! -s said ] || fail 'it says' said
