# SPDX-License-Identifier: GPL-2.0
# Indirect functions (IFUNC): the implementations that a resolver's code shows, without debug
# information. Those of libc and libm are compared with what dlsym() returns on this processor, with
# and without some of its features, also of 32 bits where these are installed; those of a program
# (testsuite/programs/indirect.c), with its symbols, as each compiler and linker here makes it.
#@ needs: target
# shellcheck shell=bash disable=SC2154
[ "$(uname -m)" = x86_64 ] || { echo 'the programs are for x86-64'; exit 77; }
places() { # POINT...: where they are probed, one line each
	local script=
	for point in "$@"; do script+="probe $point { } "; done
	"$PROBEC" -r "$TARGET" --explain -e "$script" 2>said |
		sed -n 's/^  at \(.*\)+0x0 of .*/\1/p'
}

# ---- libc, libm ----
cat >used.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = dlopen(argc > 1 ? argv[1] : "libc.so.6", RTLD_NOW);
	char name[200];

	while (library && scanf("%199s", name) == 1) {
		void *at = dlsym(library, name);
		struct link_map *map;
		Dl_info info;

		if (at && dladdr1(at, &info, (void **)&map, RTLD_DL_LINKMAP))
			printf("%s@0x%lx %s\n", name, (unsigned long)at - map->l_addr, map->l_name);
	}
	return 0;
}
END
gcc -o used used.c -ldl 2>log || fail 'used.c' log
gcc -m32 -D_FILE_OFFSET_BITS=64 -o used32 used.c -ldl 2>/dev/null
compare_used() { # LIBRARY KIND PROGRAM: a library of that kind for ldconfig, by PROGRAM
	local library=$1 path
	path=$(ldconfig -p | sed -n "s|.*[[:space:]]$library\.so\.6 ($2\(, .*\)*) => ||p")
	path=$(readlink -f "${path%%$'\n'*}")
	# The default version of each is what dlsym() finds.
	readelf --dyn-syms -W "$path" | sed -n 's/.* IFUNC .* \([^ ]*\)@@.*/\1/p' | sort -u >names
	[ -s names ] || return 0
	for features in '' -AVX2,-AVX512VL -ERMS -FMA,-AVX2 -AVX,-AVX2,-SSE4_2,-SSSE3 -BMI2; do
		GLIBC_TUNABLES=glibc.cpu.hwcaps=$features "$3" "$path" <names
	done | grep "$library\.so" | cut -d' ' -f1 | sort -u >used.$library
	points=()
	while read -r name; do points+=("process(\"$path\").function(\"$name\")?"); done <names
	places "${points[@]}" | sort -u >probed
	# An obsolete version of a function, which has a symbol, is shown by its name.
	readelf --dyn-syms -W "$path" | awk '$4 == "FUNC" { sub("@.*", "", $8);
		sub("^0*", "", $2); print $8 "@0x" $2 }' | sort -u >plain
	comm -23 used.$library probed | comm -23 - plain >missing
	[ ! -s missing ] || fail "$library uses implementations that are not probed:" missing
	[ "$(comm -12 used.$library probed | wc -l)" -gt 20 ] || fail "$library:" probed
}
for library in libc libm; do
	[ ! -x used32 ] || compare_used $library libc6 ./used32
	compare_used $library libc6,x86-64 ./used
done
# Where an implementation passes calls on to another one, -c and -x probe that of this machine.
unset GLIBC_TUNABLES
library=$(ldconfig -p | sed -n 's|.*[[:space:]]libc\.so\.6 (libc6,x86-64.*=> ||p')
library=$(readlink -f "${library%%$'\n'*}")
at="process(\"$library\").function(\"strspn\")"
if "$PROBEC" -r "$TARGET" -l "$at" 2>&1 | grep -q 'passes on to another is counted at both'; then
	echo strspn | ./used "$library" | cut -d' ' -f1 >wanted
	for option in -ctrue -x$$; do
		"$PROBEC" -r "$TARGET" --explain "$option" -e "probe $at { }" 2>said |
			sed -n 's/^  at \(.*\)+0x0 of .*/\1/p' >got
		cmp -s got wanted || fail "strspn, $option" got wanted said
	done
	GLIBC_TUNABLES=glibc.cpu.x86_ibt=off "$PROBEC" -r "$TARGET" -p2 -ctrue -e "probe $at { }" \
		>out 2>said || fail 'strspn with tunables' said
	grep -q 'all of them are probed' said || fail 'strspn with tunables' said
fi
# With -x, the memory of the process says which one it uses, also where the code of the resolver
# does not, and whatever its environment changes.
cp "$TOP/testsuite/programs/indirect.c" .
in_process() { # KIND NAME: where NAME of the library, or of the program, is probed for the process
	local at="process(\"$PWD/waiting$1\")"
	[ "$2" = count ] || at+='.library("libc")'
	at+=".function(\"$2\")"
	"$PROBEC" -r "$TARGET" --explain "-x$COPROC_PID" -e "probe $at { }" 2>said |
		sed -n 's/^  at \(.*\)+0x0 of .*/\1/p' >got
}
for kind in '' 32; do
	[ -x used$kind ] || continue
	gcc ${kind:+-m32} -O1 -o waiting$kind indirect.c -lm 2>log || fail 'indirect.c' log
	for features in '' -SSE4_2; do
		tunables=GLIBC_TUNABLES=glibc.cpu.hwcaps=$features
		coproc env "$tunables" ./waiting$kind wait
		read -r line <&"${COPROC[0]}" && [ "$line" = begun ] || fail 'a process that waits'
		echo strspn | env "$tunables" ./used$kind libc.so.6 | cut -d' ' -f1 >wanted
		in_process "$kind" strspn
		cmp -s got wanted || fail "strspn of a process, $kind $features" got wanted said
		in_process "$kind" count
		[ "$(cat got)" = plus ] || fail "count of a process, $kind $features" got said
		grep -q "only plus is probed, which process $COPROC_PID uses" said ||
			fail 'the note for a process' said
		{ kill "$COPROC_PID"; wait "$COPROC_PID"; } 2>/dev/null
	done
done
# With -c, probec's own process says it of a library that both have.
if [ -x used ]; then
	cat >unknown.c <<'END'

int minus(int n) { return n - 1; }
int plus(int n) { return n + 1; }
static void *const known[] = { (void *)minus, (void *)plus };
int number = 1;
static void *choose(void) { return known[number]; }
int count(int n) __attribute__((ifunc("choose")));
END
	gcc -O1 -shared -fPIC -o libunknown.so unknown.c 2>log || fail 'unknown.c' log
	at="process(\"$PWD/libunknown.so\").function(\"count\")"
	LD_PRELOAD=$PWD/libunknown.so "$PROBEC" -r "$TARGET" --explain -ctrue -e "probe $at { }" \
		2>said | sed -n 's/^  at \(.*\)+0x0 of .*/\1/p' >got
	[ "$(cat got)" = plus ] || fail 'count of a library, -c' got said
	refused E_NOT_PROBEABLE 'a library that probec does not have' \
		"$PROBEC" -r "$TARGET" -p2 -ctrue -e "probe $at { }"
	grep -q -- '-x PID finds the one that a running process uses' said ||
		fail 'the next step' said
fi
# Functions of the vDSO are found when a process starts.
if readelf --dyn-syms -W "$library" | grep -q " IFUNC .* time@@"; then
	refused E_NOT_PROBEABLE 'a function that may be in the vDSO' \
		"$PROBEC" -r "$TARGET" -p2 -e 'probe process("libc.so.6").function("time") { }'
	"$PROBEC" -r "$TARGET" -l 'process("libc.so.6").function("tim*")' >out 2>said
	grep -q 'note: left out, because their implementations are not known: time ' said ||
		fail 'a pattern with a function that may be in the vDSO' said
fi

# ---- a program ----
check() { # COMPILER...: in a program by this command
	"$@" -o program indirect.c -lm 2>log || fail "$*" log
	at="process(\"$PWD/program\").function"
	nm program | sed -n 's/.* \(multiply\.\(default\|avx2\|avx512f\)[.0-9]*\)$/\1/p' |
		sort -u >clones
	[ "$(wc -l <clones)" = 3 ] || fail "$*: clones" clones
	places "$at(\"add\")" | sort >got
	printf '%s\n' minus plus | cmp -s - got || fail "$*: add" got
	places "$at(\"sum\")" | sort >got
	printf '%s\n' minus plus | cmp -s - got || fail "$*: sum" got
	places "$at(\"multiply\")" | sort | cmp -s clones - || fail "$*: multiply" clones
	refused E_NOT_PROBEABLE "$*: count" "$PROBEC" -r "$TARGET" -p2 -e "probe $at(\"count\") { }"
	grep -q "'count' of $PWD/program can't be probed: it is an indirect function" said ||
		fail "$*: count" said
	# A pattern has each place once, and leaves out what is not known.
	places "$at(\"*\")" | grep "^plus\|^minus\|^multiply" | sort | uniq -d >twice
	[ ! -s twice ] || fail "$*: twice under a pattern:" twice
	"$PROBEC" -r "$TARGET" -l "process(\"$PWD/program\").plt" 2>said |
		grep -o '"[a-z]*")$' | sort >got
	for name in add count multiply sum; do
		grep -qx "\"$name\")" got || fail "$*: .plt(\"$name\")" got
	done
}
for options in -O0 -O2 '-O2 -no-pie' '-O2 -static' '-O2 -fPIC'; do
	# shellcheck disable=SC2086
	check gcc $options
done
if [ -x used32 ]; then
	for options in -O0 -O2 '-O2 -no-pie' '-O2 -static'; do
		# shellcheck disable=SC2086
		check gcc -m32 $options
	done
fi
! command -v ld.gold >/dev/null || check gcc -O2 -fuse-ld=gold
if command -v clang-16 >/dev/null && command -v ld.lld-16 >/dev/null; then
	check clang-16 -O1 -fuse-ld=lld-16
	check clang-16 -O2 -fuse-ld=lld-16
	check clang-16 -O2 -no-pie -fuse-ld=lld-16
	[ ! -x used32 ] || check clang-16 -m32 -O2 -fPIC
fi

# The note names the implementations, and the functions that share them.
gcc -O2 -o program indirect.c -lm 2>log || fail 'the program' log
"$PROBEC" -r "$TARGET" -l "process(\"$PWD/program\").function(\"add\")" >got 2>said ||
	fail 'a list' said
[ "$(cat got)" = "process(\"$PWD/program\").function(\"add\")" ] || fail 'a list' got
grep -q "note: 'add' of $PWD/program is chosen from 2 implementations.*\[E_INDIRECT\]" said ||
	fail 'a note' said
grep -qx ' *= they are plus, minus\| *= they are minus, plus' said || fail 'a note' said
grep -qx ' *= calls of sum are counted as well: some implementations are the same' said ||
	fail 'the functions that share them' said

# With debug information, parameters have their names.
gcc -g -O2 -o program indirect.c -lm 2>log || fail 'the program' log
at="process(\"$PWD/program\").function"
env -u PROBEC_DEBUGINFO "$PROBEC" -w -r "$TARGET" -p2 \
	-e "probe $at(\"add\"), $at(\"multiply\") { println(\$x, \$y) }" >out 2>said ||
	fail 'parameters' said

# A function in assembler, as most implementations in glibc are, has neither parameters nor a result
# there: its arguments and its result are numbers.
cat >twice.S <<'END'
	.globl twice
	.type twice, @function
twice:	lea (%rdi,%rdi), %rax
	ret
	.size twice, . - twice
END
echo 'long twice(long); int main(void) { return (int)twice(4); }' >main.c
gcc -g -o twice main.c twice.S 2>log || fail 'twice' log
env -u PROBEC_DEBUGINFO "$PROBEC" -r "$TARGET" -p2 -e "
probe process(\"$PWD/twice\").function(\"twice\").return { println(\$return, @entry(\$arg1)) }" \
	>out 2>said || fail 'a function in assembler' said

# ---- arm64 ----
# The processor of a kernel is known by its build tree, as in host/arm64.
command -v clang-16 >/dev/null && command -v ld.lld-16 >/dev/null || exit 0
own_cache
release=6.12.0-1-cloud-arm64
tree=cache/lab/$release/build
mkdir -p $tree/include/{generated,config}
echo "#define UTS_RELEASE \"$release\"" >$tree/include/generated/utsrelease.h
printf '%s\n' 'CONFIG_CC_VERSION_TEXT="gcc-12 (Debian 12.2.0-14) 12.2.0"' CONFIG_ARM64=y \
	>$tree/include/config/auto.conf
touch $tree/Module.symvers
TARGET=$release
cat >arm64.c <<'END'
typedef int calculation(int, int);
static __attribute__((noinline)) int plus(int x, int y) { return x + y; }
static __attribute__((noinline)) int minus(int x, int y) { return x - y; }
__attribute__((noinline)) int times(int x, int y) { return x * y; }
volatile int features;
static calculation *known[] = { plus, minus };
static calculation *choose(void)
{
	calculation *f = features & 4 ? plus : minus;
	return features & 8 ? times : f;
}
static calculation *choose_by_number(void) { return known[features]; }
int add(int, int) __attribute__((ifunc("choose")));
int count(int, int) __attribute__((ifunc("choose_by_number")));
int use(int n);
int use(int n) { return add(n, 1) + count(n, 2); }
END
for options in -O0 -O1 -O2; do
	clang-16 --target=aarch64-linux-gnu -nostdlib -shared -fPIC -fuse-ld=lld-16 $options \
		-o arm64.so arm64.c 2>log || fail "arm64 $options" log
	at="process(\"$PWD/arm64.so\").function"
	places "$at(\"add\")" | sort >got
	printf '%s\n' minus plus times | cmp -s - got || fail "arm64 $options: add" got
	refused E_NOT_PROBEABLE "arm64 $options: count" \
		"$PROBEC" -r "$TARGET" -p2 -e "probe $at(\"count\") { }"
done
