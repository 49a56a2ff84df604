# SPDX-License-Identifier: GPL-2.0
# Functions, file offsets and markers that probec finds in programs and libraries, compared with nm
# and readelf: with symbols, without them, in a separate file, in .gnu_debugdata; and the messages
# for files that cannot be probed.
#@ needs: target
unset PROBEC_DEBUGINFO
build_program target -g
at="$PWD/target"
points() { # PATTERN
	"$PROBEC" -r "$TARGET" -l "$1" 2>said | sort
}
same() { # WHAT: compares the files got and wanted
	cmp -s got wanted || { diff -u wanted got >difference; fail "$1:" difference; }
}

# One of several names for an address is listed.
names_in() { sed 's/.*function("\([^"@]*\).*/\1/' | sort; }
points "process(\"$at\").function(\"*\").call" | names_in >got
nm target | awk 'tolower($2) == "t" && !seen[$1]++ { print $3 }' >all
readelf -sW target | awk '$4 == "FUNC" && $7 != "UND" { print $8 }' | sort -u >functions
grep -Fxf functions all | sed 's/\.constprop\.[0-9]*$//' | sort >wanted
same 'functions beside nm'

points "process(\"$at\").mark(\"*\")" >got
readelf -n target | awk \
	'/Provider:/ { p = $2 } /Name:/ { printf "process(\"%s\").provider(\"%s\").mark(\"%s\")\n", at, p, $2 }' \
	at="$at" | sort >wanted
[ -s wanted ] || fail 'readelf shows no markers'
same 'markers beside readelf'

for file in target /usr/bin/python3 /bin/sh; do
	path=$(readlink -f $file)
	points "process(\"$path\").plt" | sed 's/.*plt("\([^"]*\)".*/\1/' | sort >got
	for section in .plt .plt.sec .plt.got; do
		objdump -d -j "$section" "$path" 2>/dev/null
	done | sed -n 's/^[0-9a-f]* <\(.*\)@plt>:$/\1/p' | grep -v '^\*ABS\*' | sort >wanted
	[ -s wanted ] || fail "objdump shows no calls of libraries in $file"
	same "calls of libraries in $file beside objdump"
done

# The values of a system call have SystemTap's names.
arguments=
for i in 1 2 3 4 5 6; do arguments="$arguments \$arg$i:long unsigned int"; done
for event in syscall syscall.return; do
	"$PROBEC" -r "$TARGET" -L "process(\"$at\").$event" 2>said
done >got
printf 'process("%s").%s\n' "$at" "syscall \$syscall:long unsigned int$arguments" \
	"$at" "syscall.return \$syscall:long unsigned int$arguments \$return:long int" >wanted
same 'values of system calls'

# $$name and $$provider are the marker's.
"$PROBEC" -w -p3 -r "$TARGET" -e \
	'probe process("libstdc++.so.6").mark("*") { println($$provider, $$name) }' >emitted \
	2>said ||
	fail 'names of markers' said
grep -o 'PRT_LIT("[^"]*")' emitted | sort -u | tr '\n' ' ' >got
[ "$(cat got)" = 'PRT_LIT("catch") PRT_LIT("libstdcxx") PRT_LIT("rethrow") PRT_LIT("throw") ' ] ||
	fail 'names of markers' got

# A handler that reads a marker's registers, and nothing else, can't fail.
"$PROBEC" -w -p4 -r "$TARGET" -e \
	"global at; probe process(\"$at\").mark(\"round\") { v = \$arg1; at[tid()] = v }
	 probe end { foreach (t in at) println(at[t]) }" >got 2>said ||
	fail 'a marker in registers does not compile' said

# A uprobe is set at the offset in the file.
for name in work main; do
	"$PROBEC" -w -p3 -r "$TARGET" -e \
		"probe process(\"$at\").function(\"$name\").call { exit() }" >emitted 2>said ||
		fail "$name does not compile" said
	grep -q "\.offset = $(file_offset target "$name") }" emitted ||
		fail "$name is not at its offset" emitted
done

# Links to a file that a pattern matches are the same program.
mkdir links && cp target links && ln -s target links/targets
[ "$(points "process(\"$PWD/links/targ*\").function(\"main\").call" | wc -l)" = 1 ] ||
	fail 'a pattern -l' said
"$PROBEC" -w -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/links/targ*\").function(\"main\").call { exit() }" >got 2>said ||
	fail 'a pattern of paths' said
[ "$(grep -c '^	site ' got)" = 1 ] || fail 'a file and a link to it are two programs' got

# Instructions that return, compared with objdump.
"$PROBEC" -w -p3 -r "$TARGET" -e \
	"probe process(\"$at\").function(\"*\").return { n++ } global n probe end { println(n) }" \
	>emitted 2>said || fail 'returns do not compile' said
sed -n 's/.*\.exits = (const u64\[\]){ \([^}]*\)}.*/\1/p' emitted | tr -d ' ' | tr ',' '\n' |
	grep . | sort -n >got
awk '/nexits/ { print $0 }' emitted | sed 's/.*\.symbol = "\([^"]*\)".*/\1/' | sort -u >names
distance=$(code_offset target)
objdump -d target | awk '
	/^[0-9a-f]+ <.*>:$/ { gsub(/[<>:]/, "", $2); name = $2 }
	/\tret/ { sub(/:/, "", $1); print name, $1 }' | grep -Fwf names | while read -r name address; do
	echo $((16#$address + distance))
done | sort -n >wanted
[ -s wanted ] || fail 'objdump shows no instructions that return'
same 'instructions that return, beside objdump'
"$PROBEC" -w -r "$TARGET" --explain -e \
	"probe process(\"$at\").function(\"work\").return, process(\"$at\").function(\"leave\").return { exit() }" \
	>got 2>said || fail 'explain' said
grep -q 'work.*: by breakpoints at its [0-9]* instructions\? that return' got || fail 'work' got
grep -q 'leave.*: by a uretprobe, as it has no instruction that return' got || fail 'leave' got

# .symtab appends versions to names.
printf 'V1 { global: named; local: *; };' >versions
echo 'int named(void) { return 1; }' |
	gcc -shared -fPIC -xc - -Wl,--version-script=versions -o versioned.so 2>log ||
	fail 'a library with versions' log
[ "$(points "process(\"$PWD/versioned.so\").function(\"named\")" | names_in)" = named ] ||
	fail 'a name with a version' said

# Each program that a pattern matches has its own sites in a library that all of them use.
cp target links/other
for programs in other '[ot]*r*'; do
	points \
		"process(\"$PWD/links/$programs\").library(\"$PWD/versioned.so\").function(\"named\")"
done | sed "s|$PWD/||g" >got
printf 'process("links/%s").library("versioned.so").function("named")\n' other other target >wanted
same 'a library of several programs'

# Without symbols; with those of .gnu_debugdata; with a separate file beside it.
objcopy --only-keep-debug target target.debug
strip -o stripped target
refused E_NO_MATCH 'no symbols' "$PROBEC" -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/stripped\").function(\"work\") { exit() }"
grep -q 'stripped of its symbols' said || fail 'no symbols:' said
objcopy --strip-debug --remove-section .comment target.debug mini 2>/dev/null
xz -k mini && objcopy --add-section .gnu_debugdata=mini.xz stripped with-mini
"$PROBEC" -w -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/with-mini\").function(\"factorial\") { exit() }" >got 2>said ||
	fail '.gnu_debugdata' said
(objcopy --add-gnu-debuglink=target.debug stripped linked) 2>log || fail 'objcopy' log
"$PROBEC" -w -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/linked\").function(\"work\").call { println(\$a, \$text) exit() }" \
	>got 2>said || fail '.gnu_debuglink' said
"$PROBEC" -w -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/stripped\").mark(\"round\") { println(\$arg7) exit() }" >got 2>said ||
	fail 'a marker without symbols' said
refused E_UNKNOWN_CONTEXT_VARIABLE 'a variable in an operand' \
	"$PROBEC" -p2 -r "$TARGET" -e \
		"probe process(\"$PWD/stripped\").mark(\"round\") { println(\$arg5) exit() }"

# Files that cannot be probed are rejected with the reason.
no() { # WHAT TEXT SCRIPT [OPTION]...
	if "$PROBEC" "${@:4}" -p2 -r "$TARGET" -e "$3" >got 2>said; then fail "$1: status 0" got; fi
	grep -qF -- "$2" said || fail "$1:" said
	grep -q '^ *= ' said || fail "$1: no next step" said
}
no 'a variable that is not there' \
	"there is no variable 'none' in 'target.c' in debug information of $at" \
	"probe process(\"$at\").function(\"work\") { println(@var(\"none@target.c\")) exit() }"
no 'a variable that neither the program nor the kernel has' \
	"there is no variable 'none' in debug information of $at" \
	"probe process(\"$at\").function(\"work\") { println(@var(\"none\")) exit() }"
no 'the same without debug information' \
	"'none' needs the debug information of '$PWD/stripped', which is missing" \
	"probe process(\"$PWD/stripped\").begin { println(@var(\"none\")) exit() }"
no 'a variable in a timer' 'this probe is hit in none' \
	"probe timer.s(1) { println(@var(\"calls\", \"$at\")) exit() }"
gcc -shared -fPIC -g -o library.so -x c - <<<'int shared_calls = 1;' || fail 'a library'
for other in "process(\"/bin/sh\").begin" 'kernel.function("vfs_read")' 'timer.s(1)'; do
	no "a variable of a library in $other" 'known only in probes of that file' \
		"probe $other { println(@var(\"shared_calls\", \"$PWD/library.so\")) exit() }"
done
no 'a call that is not there' 'did you mean' "probe process(\"$at\").plt(\"nanoslep\") { exit() }"
no 'a type that is not there' "there is no type 'struct none' in $at" \
	"probe begin { println(@cast(1, \"struct none\", \"$at\")->id) }"
no 'types without debug information' "need the debug information of '$PWD/stripped'" \
	"probe begin { println(@cast(1, \"struct item\", \"$PWD/stripped\")->id) }"
echo '#!/bin/sh' >shell && chmod +x shell
head -c 100 target >cut
no 'no file' "there is no file '/no/such'" 'probe process("/no/such").function("x") { exit() }'
no 'no program' "neither PATH nor the libraries nor this directory have 'no-such-program'" \
	'probe process("no-such-program").begin?, process("no-such-program").function("x") { exit() }'
no 'the vDSO' "the libraries nor this directory have 'linux-vdso.so.1'" \
	'probe process("linux-vdso.so.1").function("*") { exit() }'
grep -q 'the vDSO is kernel memory' said || fail 'the vDSO:' said
no 'a script' 'it is not an ELF file' "probe process(\"$PWD/shell\").function(\"x\") { exit() }"
# Heads of files for other processors.
head_of() { # FILE CLASS DATA MACHINE TYPE, in octal
	{ printf "\\177ELF\\$2\\$3\\1"; head -c 9 /dev/zero; printf "\\$5\\$4\\1\\0\\0\\0"; head -c 200 /dev/zero; } >"$1"
}
head_of x32 1 1 '076\0' '2\0'
head_of arm64 2 1 '267\0' '2\0'
head_of s390 2 2 '0\026' '0\2'
head_of objectfile 2 1 '076\0' '1\0'
no 'x32' 'it is a 32-bit file' "probe process(\"$PWD/x32\").function(\"x\") { exit() }"
grep -qF 'if (pid() == target())' said || fail 'x32:' said
no 'a library, x32' 'it is a 32-bit file' \
	"probe process(\"$at\").library(\"$PWD/x32\").function(\"x\") { exit() }"
no 'a pattern, x32' 'it is a 32-bit file' \
	"probe process(\"$PWD/x*32\").function(\"x\") { exit() }"
no 'events of x32' 'it is a 32-bit file' "probe process(\"$PWD/x32\").begin { exit() }"
# A process of 32 bits, where the compiler makes such programs and the kernel runs them.
echo 'void _start(void) { for (;;) __asm__ volatile("int $0x80" : : "a"(29)); }' >pauses.c
if gcc -m32 -nostdlib -static -o pauses pauses.c 2>/dev/null &&
	{ ./pauses & pid=$!; sleep 0.2; kill -0 $pid 2>/dev/null; }; then
	for options in "-x $pid" "-c $PWD/pauses"; do
		"$PROBEC" -p2 -r "$TARGET" $options \
			-e 'probe process.function("_start") { exit() }' >got 2>said ||
			fail "$options" said
		grep -q "site $PWD/pauses _start" got || fail "$options:" got
	done
	no 'another kind of library' "of 64 bits, which $PWD/pauses, of 32 bits, can't load" \
		"probe process($pid).library(\"$at\").function(\"x\") { exit() }"
	kill $pid
fi
for file in arm64 s390; do
	no "$file" "it is for another processor" \
		"probe process(\"$PWD/$file\").function(\"x\") { exit() }"
done
no 'an object file' 'neither a program nor a library' \
	"probe process(\"$PWD/objectfile\").function(\"x\") { exit() }"
# The kernel's own breakpoints let it die there.
gcc -shared -nostdlib -o flags.so -x assembler - 2>log <<'X' || fail 'flags.so' log
	.globl	saves, saves_16, after
	.type	saves, @function
saves:	pushfq
	.size	saves, . - saves
	.type	saves_16, @function
saves_16:	pushfw
	.size	saves_16, . - saves_16
	.type	after, @function
after:	add	$10, %rsp
	ret
	.size	after, . - after
	.section .note.GNU-stack, ""
X
for name in saves saves_16 'saves*'; do
	no "$name" 'its instruction, pushf,' \
		"probe process(\"$PWD/flags.so\").function(\"$name\").call { exit() }"
done
[ "$(points "process(\"$PWD/flags.so\").function(\"*\").call" | names_in)" = after ] ||
	fail 'places without pushf' said
no 'a name that is almost one' "did you mean 'factorial'?" \
	"probe process(\"$at\").function(\"factoral\") { exit() }"
no 'no marker' "did you mean 'round'?" "probe process(\"$at\").mark(\"rond\") { exit() }"
no 'no argument' '$arg1 to $arg7' \
	"probe process(\"$at\").mark(\"round\") { println(\$arg8) exit() }"
no 'no address' 'has no code at 0x1' "probe process(\"$at\").statement(1) { exit() }"
no 'no library' "has no library 'libnone'" \
	"probe process(\"$at\").library(\"libnone\").function(\"x\") { exit() }"
no 'no process' 'there is no process 4194303' 'probe process(4194303).function("x") { exit() }'
no 'no target' '-c or -x' 'probe process.function("x") { exit() }'
no 'a pattern of files' 'no file' 'probe process("/no/such/*").function("x") { exit() }'
! "$PROBEC" -p2 -r "$TARGET" -e "probe process(\"$PWD/cut\").function(\"x\") { exit() }" >got \
	2>said || fail 'half a file' got
grep -q 'E_NO_MATCH' said || fail 'half a file:' said

# A function of which there are only inlined copies is not said to be unknown.
echo 'static inline __attribute__((always_inline)) int copied(int n) { return n * n; }
int main(int argc, char **argv) { return copied(argc); }' | gcc -O1 -g -xc - -o copied 2>log || fail 'the program' log
refused E_NO_MATCH 'entries of copies' "$PROBEC" -r "$TARGET" \
	-l "process(\"$PWD/copied\").function(\"copied\").call"
grep -q '= it is inlined everywhere: .inline has its copies' said || fail 'the hint to copies' said
refused E_NO_MATCH 'returns of copies' "$PROBEC" -r "$TARGET" \
	-l "process(\"$PWD/copied\").function(\"copied\").return"
grep -q '= it is inlined everywhere, and inlined copies have no return' said ||
	fail 'the hint to returns' said

# A command that begins with a word of the shell is run by the shell: that is the program.
for command in 'cd /; ls' '(cd /; ls)' 'for i in 1 2; do ls; done' 'x=1 exec ls'; do
	"$PROBEC" -p2 -r "$TARGET" -c "$command" -e \
		'probe process.library("libc").function("malloc").call { exit() }' >got 2>said ||
		fail "$command:" said
	grep -q '^	site /.*/libc\.so\.6 ' got || fail "$command:" got
	! "$PROBEC" -p2 -r "$TARGET" -c "$command" -e 'probe process.function("none") { exit() }' \
		>got 2>said || fail "$command:" got
	grep -qF 'a shell runs the command of -c' said || fail "$command:" said
done
! "$PROBEC" -p2 -r "$TARGET" -c 'no-such-program; ls' -e \
	'probe process.function("none") { exit() }' >got 2>said || fail 'no program' got
grep -qF 'the program of -c is not found' said || fail 'no program:' said

# Classes of C++: members of bases, references, and no static members, whose place is elsewhere.
for version in 4 5; do
	g++ -std=gnu++17 -w -O0 -gdwarf-$version -o shapes "$TOP/testsuite/programs/shapes.cc" \
		2>log || fail 'shapes' log
	"$PROBEC" -p3 -r "$TARGET" -e "probe process(\"$PWD/shapes\").function(\"shapes::derived<int>::area\") {
		println(\$this->id, \$this->kind, \$this->flags, \$this->tag[1], \$this->value, \$this->where->x, \$this\$) }
		probe process(\"$PWD/shapes\").statement(\"by_reference@shapes.cc:*\")? {
		if (@defined(\$row[2])) println(\$row[2], \$next->b->low, \$one->ref->x) }" >got 2>said || fail "DWARF $version of C++" said
	grep -q '\.flags=' got && grep -q '\.value=' got || fail "members of DWARF $version" got
	! grep -q 'count=' got || fail "a static member of DWARF $version" got
done
# A class that one file only declares, in a namespace, while others have the same name.
cat >classes.h <<'END'
namespace outer { namespace inner { class hidden; } class hidden; }
struct hidden;
long all(outer::inner::hidden *p, outer::hidden *q, hidden *r);
END
cat >uses.cc <<'END'
#include "classes.h"
__attribute__((noinline)) long use(outer::inner::hidden *p, outer::hidden *q, hidden *r) { return all(p, q, r); }
int main() { return (int)use(0, 0, 0); }
END
cat >classes.cc <<'END'
#include "classes.h"
namespace outer { namespace inner { class hidden { public: long pad; int deep; }; } class hidden { public: int wide; }; }
struct hidden { char c; int top; };
long all(outer::inner::hidden *p, outer::hidden *q, hidden *r) { return p ? p->deep + q->wide + r->top : 0; }
END
g++ -g -o classes uses.cc classes.cc 2>log || fail 'classes' log
"$PROBEC" -p2 -r "$TARGET" -e \
	"probe process(\"$PWD/classes\").function(\"use\").call { println(\$p->deep, \$q->wide, \$r->top) }" >got 2>said ||
	fail 'classes that are declared' said
no 'a member of another class' "has no member 'wide'" \
	"probe process(\"$PWD/classes\").function(\"use\").call { println(\$p->wide) }"
"$PROBEC" -p2 -r "$TARGET" -e "probe process(\"$PWD/classes\").function(\"use\").call {
	println(@cast(\$p, \"outer::hidden\")->wide, @cast(\$p, \"class outer::inner::hidden\")->deep, @cast(\$p, \"::hidden\")->top) }" >got 2>said ||
	fail 'types of namespaces' said
for type in outer::none inner::hidden; do
	no "$type" "there is no type '$type' in $PWD/classes" \
		"probe process(\"$PWD/classes\").function(\"use\").call { println(@cast(\$p, \"$type\")->wide) }"
done
