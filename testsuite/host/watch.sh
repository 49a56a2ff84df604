# SPDX-License-Identifier: GPL-2.0
#@ needs: target g++ nm
# Watchpoints on variables of programs: each address is that of the symbol, and what can't be
# watched is refused by name.
unset PROBEC_DEBUGINFO
cat >vars.cc <<'END'
#include <cstdlib>
namespace shop { long total = 1; }
static int inside = 2;
struct { long a, b; } pair = { 1, 2 };
char bytes[8] = { 1 };
long five[5] = { 1 };
thread_local int own = 3;
int main(int argc, char **)
{
	shop::total += argc; inside += argc; pair.b = argc; bytes[1] = argc; own = argc;
	for (long &each : five)
		each += argc;
	return std::getenv("NONE") ? own + bytes[0] + pair.a + inside + shop::total + five[1] : 0;
}
END
g++ -g -O0 -o pie vars.cc -pie -fPIE 2>log && g++ -g -O0 -no-pie -o fixed vars.cc 2>log &&
	cp fixed plain && strip --strip-debug plain &&
	g++ -g -shared -fPIC -o lib.so vars.cc 2>log || fail 'the program does not compile' log
watch() { "$PROBEC" "$1" -r "$TARGET" -e "probe process(\"$PWD/$2\").data($3 { }"; }
same() { # PROGRAM VARIABLE LENGTH [SYMBOL]: what the kernel half is told is where the symbol is
	local symbol
	watch -p3 "$1" "\"$2\").write" >emitted 2>said || fail "$1: $2 is refused" said
	symbol=$(nm -C "$1" | awk -v name="${4:-$2}" '$3 == name { print $1 }')
	grep -q "\.file = 1, .*\.offset = $((0x$symbol)) }" emitted ||
		fail "$1: $2 is not at $symbol" emitted
	grep -q "\.length = $3," emitted || fail "$1: $2 has another length" emitted
}
for program in pie fixed; do
	same $program shop::total 8
	same $program inside@vars.cc 4 inside
	same $program pair 1
done
same plain pair 1
# The whole variable, and the part of it that is asked for.
watch -p2 pie '"five").length(8).rw' >said || fail length said
grep -q 'watch rw 8' said || fail 'another length' said
watch -p2 fixed "0x$(nm fixed | awk '$3 == "bytes" { print $1 }')).length(2).write" >said ||
	fail address said
"$PROBEC" -p2 -r "$TARGET" -e 'probe process.data("pair").rw { println(@var("pair")->b) }' \
	-c "$PWD/pie" >said 2>&1 || fail 'process.data' said
not() { # ID PROGRAM POINT TEXT
	if watch -p2 "$2" "$3" >said 2>&1; then fail "$2, $3 is accepted" said; fi
	grep -q "$4.*\[$1\]" said || fail "$2, $3: no '$4' [$1]:" said
	grep -q '^ *= ' said || [ "$1" = E_PROBE_POINT ] || fail "$2, $3: no next step" said
}
not E_NOT_SUPPORTED pie '"own").rw' 'each thread has its own'
not E_NO_MATCH pie '"none").rw' "has no variable 'none'"
not E_NO_MATCH plain '"inside@vars.cc").rw' 'no symbol of a variable'
not E_PROBE_POINT pie '"in*").rw' 'patterns are not allowed'
not E_PROBE_POINT pie '"pair").length(3).rw' '1, 2, 4 or 8 bytes'
not E_PROBE_POINT pie '0x4000).rw' 'another address in each process'
not E_PROBE_POINT fixed '0x404001).length(4).rw' 'multiple of its length'
not E_PROBE_POINT fixed '0xffffffff82000000).rw' 'no memory at this address'
not E_NOT_SUPPORTED lib.so '"pair").rw' 'not a program'
"$PROBEC" -p2 -r "$TARGET" >said 2>&1 \
	-e "probe process(\"$PWD/pie\").library(\"libc\").data(\"environ\").rw { }" &&
	fail 'a library' said
grep -q 'libraries are not there yet \[E_NOT_SUPPORTED\]' said || fail 'a library' said
# Four variables have room, five have not, whoever watches them; two probes share one.
point() { echo "process(\"$PWD/pie\").data(\"pair\").length($1).$2"; }
four="$(point 1 write), $(point 2 write), $(point 4 write), $(point 4 write), $(point 8 rw)"
"$PROBEC" -p2 -r "$TARGET" -e "probe $four { }" >said 2>&1 || fail 'four are refused' said
"$PROBEC" -p2 -r "$TARGET" >said 2>&1 \
	-e "probe $four { } probe process(\"$PWD/fixed\").data(\"pair\").rw { }" ||
	fail 'those of another program are counted' said
refused E_WATCHPOINTS five "$PROBEC" -p2 -r "$TARGET" -e "probe $four, $(point 8 write) { }"
refused E_WATCHPOINTS 'one of the kernel' "$PROBEC" -p2 -r "$TARGET" \
	-e "probe $four { } probe kernel.data(0xffffffff82000000).rw { }"
