# SPDX-License-Identifier: GPL-2.0
#@ slow
#@ seconds: 1800
# Stacks of running programs at ten thousand random instructions: walked by unwind tables, and by
# libdwfl as eu-stack does it.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/walked >made 2>&1 || fail 'not built' made
walked=$TOP/build/testsuite/beside/walked
: >all
sample() { # NUMBER COMMAND...
	timeout 600 "$walked" "$@" >one 2>&1
	status=$?
	[ $status = 0 ] || fail "status $status of walked $*" one
	grep -q '^[0-9]* other$' one || fail "no result of $*" one
	sed "s|^|$(basename "$2"): |" one >>all
}
n=0
for flags in -O0 -O2 '-O2 -fno-omit-frame-pointer' '-Os -fcf-protection=full' '-O2 -static' \
	'-O2 -static-pie' '-O2 -s -Wl,-z,now' '-O3 -march=x86-64-v3'; do
	n=$((n + 1))
	# shellcheck disable=SC2086
	g++ $flags -o "walks$n" "$TOP/testsuite/programs/walks.cc" 2>log ||
		fail "walks.cc with $flags" log
	case $flags in
	*v3*) grep -q avx2 /proc/cpuinfo || continue ;;
	esac
	sample 700 "./walks$n"
done
# Two segments with code on one page of the file.
gcc -O2 -o segments "$TOP/testsuite/programs/segments.c" \
	-Wl,-T,"$TOP/testsuite/programs/segments.ld" 2>log || fail segments.c log
sample 500 ./segments
! grep '^segments: [0-9]* less' all || fail 'walks of ./segments end early' all
sample 1500 python3 -c 'while True: sorted([str(i) for i in range(2000)], key=lambda x: x[::-1])'
sample 1500 perl -e 'while (1) { my @a = sort map { $_ * 7 % 113 } 1 .. 3000; s/1/b/ for @a }'
# shellcheck disable=SC2016
sample 1000 bash -c 'while :; do x=$((x + 1)); y=${x//1/2}; done'
sample 700 gcc -O2 -c -x c -I "$TOP/loader" -I "$TOP/runtime/abi" -I "$TOP" -o /dev/null \
	"$TOP/loader/unwind/rows.c"
# A server that runs as another user, alone with its input.
postgres=$(find /usr/lib/postgresql/*/bin -name postgres 2>/dev/null | head -n 1)
if [ -n "$postgres" ] && [ "$(id -u)" = 0 ]; then
	base=$(mktemp -d /tmp/walks.XXXXXX)
	trap 'rm -rf "$base"' EXIT
	chown postgres "$base"
	as_postgres=(env -C / setpriv --reuid postgres --regid postgres --clear-groups)
	"${as_postgres[@]}" "${postgres%/*}/initdb" -D "$base/data" >log 2>&1 || fail initdb log
	{
		echo 'create table t as select g as id, md5(g::text) as name' \
			'from generate_series(1, 20000) g;'
		yes 'select count(*), max(a.name) from t a join t b on a.id = b.id' \
			"where a.name like '%a%' group by substr(a.name, 1, 1) order by 2;" |
			head -n 800
	} >queries
	# shellcheck disable=SC2016
	sample 1500 "${as_postgres[@]}" \
		sh -c 'exec "$0" --single -D "$1" postgres >/dev/null 2>&1' \
		"$postgres" "$base/data" <queries
fi
# Programs of 32 bits, where their library is installed.
for flags in -O0 -O2 '-O2 -fno-omit-frame-pointer' '-O2 -static'; do
	# shellcheck disable=SC2086
	gcc -m32 $flags -o sorts32 "$TOP/testsuite/programs/sorts.c" 2>log || continue
	sample 300 ./sorts32
done
if command -v musl-gcc >/dev/null; then
	musl-gcc -O2 -static -o sorts "$TOP/testsuite/programs/sorts.c" 2>log || fail sorts.c log
	sample 500 ./sorts
fi
if command -v go >/dev/null; then
	for name in busy calls; do
		cp "$TOP/testsuite/programs/$name.go" . && GOFLAGS=-mod=mod GOCACHE=$PWD/go \
			go build -o "$name" "$name.go" 2>log || fail "$name.go" log
		sample 1000 "./$name"
		# Where Go's runtime has changed to another stack, libdwfl goes on to what is no
		# caller.
		python3 "$TOP/testsuite/beside/calls.py" "$name" <one >judged ||
			fail calls.py judged
		awk '/ calls, / { exit !($1 >= 100 && $3 == 0) }' judged ||
			fail "callers on another stack: $name.go" judged
		grep -q '^[0-9][0-9]* changed$' one || fail "no other stack: $name" one
	done
fi
# Code that a virtual machine makes has no call frame information: both walks end there.
jdk=$(readlink -f "$(command -v javac)") jdk=${jdk%/bin/javac}
if [ -e "$jdk/include/jni.h" ] && [ -e "$jdk/lib/server/libjvm.so" ]; then
	gcc -O2 -I "$jdk/include" -I "$jdk/include/linux" -o jvm "$TOP/testsuite/programs/jvm.c" \
		-L "$jdk/lib/server" -ljvm -Wl,-rpath,"$jdk/lib/server" 2>log || fail jvm.c log
	sample 1500 ./jvm
fi
awk '/: [0-9]+ (same|less|other|more)/ { sum[$3] += $2 }
	END { printf "%d same, %d less, %d other, %d more\n", sum["same"], sum["less"], sum["other"], sum["more"] }' all >summary
[ "${COUNTS:-}" = "" ] || grep -hE '^[0-9]+ same,|: [0-9]+ (same|less)' all summary >>"$COUNTS"
awk '{ exit !($1 >= 9900 && $3 * 100 <= $1 && $5 == 0) }' FS='[ ,]+' summary ||
	fail 'stacks differ' summary all
