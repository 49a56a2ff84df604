# SPDX-License-Identifier: GPL-2.0
# The file that .library("NAME") is, compared with the one that ld.so loads (as ldd shows), for
# Debian's programs and for one with DT_RPATH, DT_RUNPATH, $ORIGIN and LD_LIBRARY_PATH, and the
# libraries that a process mapped by dlopen().
#@ needs: target
# shellcheck shell=bash disable=SC2154
unset PROBEC_DEBUGINFO LD_LIBRARY_PATH
library() { # PROGRAM NAME: the path of the library
	"$PROBEC" -r "$TARGET" -l "process(\"$1\").library(\"$2\").function(\"*\").call" 2>said |
		sed -n 's/.*\.library("\([^"]*\)").*/\1/p' | sort -u
}
loaded() { # PROGRAM: NAME PATH of each library, as ld.so finds them
	LD_TRACE_LOADED_OBJECTS=1 "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }'
}
compare() { # PROGRAM: what is linked to it
	loaded "$1" >list
	[ -s list ] || fail "ld.so says nothing of $1"
	while read -r name path; do
		library "$1" "$name" >got
		readlink -f "$path" | cmp -s - got ||
			{ echo "$name: $path" >>got; fail "$name of $1:" got; }
	done <list
}
for program in /bin/sh /usr/bin/gcc /usr/bin/perl /usr/bin/python3 /usr/bin/openssl; do
	[ ! -e $program ] || compare "$(readlink -f $program)"
done

# The same library in many directories: which of them is found is told by its function.
mkdir -p lib own rpath run env other deep/lib deeper
make_library() { # DIRECTORY NAME [OPTION]...
	echo "int $2_in_$1(void) { return 1; } int $2_use(void) { return 1; }" | tr -d '/' |
		gcc -shared -fPIC -xc - -Wl,-soname,lib$2.so.1 -o "$1/lib$2.so.1" "${@:3}" 2>log ||
			fail "lib$2 in $1" log
}
for dir in rpath run env own other; do make_library $dir thing; done
make_library deeper inner
echo 'int inner_use(void); int middle_use(void) { return inner_use(); }' |
	gcc -shared -fPIC -xc - -Wl,-soname,libmiddle.so.1 -o lib/libmiddle.so.1 \
		-xnone deeper/libinner.so.1 2>log || fail libmiddle log
echo \
	'int thing_use(void); int middle_use(void); int main(void) { return thing_use() + middle_use(); }' >main.c
link() { # NAME OPTION...
	gcc -o "$1" main.c own/libthing.so.1 lib/libmiddle.so.1 -Wl,--allow-shlib-undefined \
		"${@:2}" 2>log || fail "the program $1" log
	compare "$PWD/$1"
}
for tags in --disable-new-dtags --enable-new-dtags; do
	link "path$tags" "-Wl,$tags,-rpath,$PWD/rpath:$PWD/lib:$PWD/deeper"
	link "origin$tags" \
		"-Wl,$tags,-rpath,\$ORIGIN/run:\${ORIGIN}/lib:\$ORIGIN/none:\$ORIGIN/deeper"
	LD_LIBRARY_PATH="$PWD/env" compare "$PWD/path$tags"
	LD_LIBRARY_PATH="$PWD/none;$PWD/env" compare "$PWD/origin$tags"
	LD_LIBRARY_PATH="$PWD/env:$PWD/lib" link "env$tags" -Wl,$tags
	# The path of a command of -c is its own.
	"$PROBEC" -r "$TARGET" -c "LD_LIBRARY_PATH=$PWD/env $PWD/path$tags" -p2 \
		-e 'probe process.library("libthing.so.1").function("thing_use") { exit() }' >got \
			2>said || fail 'a command' said
	expected=$(LD_LIBRARY_PATH="$PWD/env" loaded "$PWD/path$tags" | awk '$1 == "libthing.so.1" { print $2 }')
	grep -qF "$expected" got || fail "the library of a command, $expected:" got
done
# The runpath of a program is not for the libraries that its libraries need, its rpath is.
loaded "$PWD/path--enable-new-dtags" | grep -q libinner &&
	fail 'a runpath was used for the library of a library'
[ -z "$(library "$PWD/path--enable-new-dtags" 'libinner*')" ] ||
	fail 'a library that ld.so does not find' said
# Builds for better processors.
for level in x86-64-v2 x86-64-v3 x86-64-v4; do
	mkdir -p "rpath/glibc-hwcaps/$level"
	cp own/libthing.so.1 "rpath/glibc-hwcaps/$level"
done
compare "$PWD/path--disable-new-dtags"
rm -r rpath/glibc-hwcaps
# A file of another processor is passed over.
head -c 64 rpath/libthing.so.1 | sed 's/^\(.\{18\}\)>/\1(/' >rpath/cut && cat rpath/libthing.so.1 |
	tail -c +65 >>rpath/cut
mv rpath/cut rpath/libthing.so.1
compare "$PWD/path--disable-new-dtags"

# Patterns, and parts of names.
program=$PWD/origin--disable-new-dtags
[ "$(library "$program" 'lib[it]*' | sed 's|.*/||' | tr '\n' ' ')" = \
	'libinner.so.1 libthing.so.1 ' ] || fail 'a pattern' said
[ "$(library "$program" libthing)" = "$PWD/run/libthing.so.1" ] ||
	fail 'the beginning of a name' said
[ "$(library "$program" '*/run/*')" = "$PWD/run/libthing.so.1" ] || fail 'a pattern of paths' said
refused E_NO_MATCH 'a library that is not there' \
	"$PROBEC" -p2 -r "$TARGET" -e \
		"probe process(\"$program\").library(\"libnone\").function(\"f\") { exit() }"
grep -q 'it has: libthing.so.1, libmiddle.so.1, ' said || fail 'the libraries that there are' said

# A process has what it mapped, by dlopen() too.
cat >opens.c <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **argv) { if (!dlopen(argv[1], RTLD_NOW)) return 1; write(1, "ready\n", 6); return pause() + argc; }
END
gcc -o opens opens.c 2>log || fail opens log
mkfifo said-ready
./opens "$PWD/other/libthing.so.1" >said-ready &
pid=$!
read -r _ <said-ready
points=$("$PROBEC" -r "$TARGET" -l "process($pid).library(\"libthing*\").function(\"thing_*\")" 2>said)
kill $pid
grep -qF "$PWD/other/libthing.so.1" <<<"$points" && grep -q thing_in_other <<<"$points" ||
	fail 'a library of dlopen()' said

# Below the root directory of another process, links and ld.so's cache are those of there.
if [ "$(id -u)" = 0 ]; then
	mkdir -p root/app root/opt/lib root/linked root/etc root/lib64 root/lib/x86_64-linux-gnu
	cp /lib64/ld-linux-x86-64.so.2 root/lib64/
	cp /lib/x86_64-linux-gnu/libc.so.6 root/lib/x86_64-linux-gnu/
	for name in thing inner; do cp deeper/libinner.so.1 root/opt/lib/lib$name.so.1.0; done
	mv root/opt/lib/libinner.so.1.0 root/opt/lib/libinner.so.1
	ln -s /opt/lib/libthing.so.1.0 root/linked/libthing.so.1
	echo \
		'int inner_use(void); int sleep(unsigned); int main(void) { return inner_use() + sleep(100); }' |
		gcc -xc - -o root/app/waits -xnone deeper/libinner.so.1 -Wl,-rpath,/linked 2>log ||
			fail 'a program of a root directory' log
	ln -s /app/waits root/app/link
	echo /opt/lib >root/etc/ld.so.conf
	/sbin/ldconfig -r root 2>log || fail ldconfig log
	chroot root /app/link &
	pid=$!
	for _ in $(seq 50); do grep -q libinner /proc/$pid/maps 2>/dev/null &&
		break; sleep 0.1; done
	while read -r name path; do
		for program in waits link; do
			LD_LIBRARY_PATH=$PWD/env library "/proc/$pid/root/app/$program" "$name" >got
			[ "$(cat got)" = "/proc/$pid/root$path" ] ||
				{ kill $pid; fail "$name of $program in a root directory:" got said; }
		done
	done <<-'END'
		libinner /opt/lib/libinner.so.1
		libc.so.6 /lib/x86_64-linux-gnu/libc.so.6
		libthing.so.1 /opt/lib/libthing.so.1.0
		/linked/libthing.so.1 /opt/lib/libthing.so.1.0
	END
	# It has not mapped this one.
	"$PROBEC" -r "$TARGET" \
		-l "process($pid).library(\"libthing\").function(\"inner_use\").call" >got 2>said
	kill $pid
	grep \
		-qF "process($pid).library(\"/proc/$pid/root/opt/lib/libthing.so.1.0\").function(\"inner_use\").call" got ||
		fail 'a library of a process in a root directory:' got said
fi
