# SPDX-License-Identifier: GPL-2.0
# Calls of indirect functions (IFUNC) are counted whichever implementation the processor of the
# guest gets: of libc, libm and of a program, testsuite/programs/indirect.c, whose numbers of calls
# are known; stripped, linked statically, and with calls of memmove and of an obsolete memcpy, which
# share implementations with memcpy.
[ "$(uname -m)" = x86_64 ] || { echo 'the programs are for x86-64'; exit 77; }
cp "$TOP/testsuite/programs/indirect.c" .
gcc -O1 -o plain indirect.c -lm 2>log && strip -o stripped plain || fail 'plain' log
gcc -O2 -static -o static indirect.c -lm 2>log || fail 'static' log
gcc -O1 -DMOVES -o moves indirect.c -lm 2>log || fail 'moves' log
programs='plain stripped moves'
# Where a library of 32 bits is installed.
gcc -m32 -O1 -o plain32 indirect.c -lm 2>log && programs+=' plain32'

script() { # PROGRAM LIBC LIBM: counts calls by their arguments, since libc calls its own functions
	local at="process(\"$PWD/$1\")"
	echo "global copied, length, results, compared, power, added, summed, multiplied, returns
probe $at$2.function(\"memcpy\") { if (\$arg3 == 33) copied++ }
probe $at$2.function(\"strlen\").return { if (\$return == 5) length++ }
probe $at$2.function(\"memcmp\") { if (\$arg3 == 20) compared++ }
probe $at$3.function(\"expf\") { power++ }
probe end { println(copied, \" \", length, \" \", compared, \" \", power) }"
	[ "$1" = stripped ] || echo "
probe $at.function(\"add\") { added++ }
probe $at.function(\"sum\").call { summed++ }
probe $at.function(\"multiply\") { multiplied += probefunc() == \"multiply\" }
probe $at.plt(\"add\") { returns++ }
probe end { println(added, \" \", summed, \" \", multiplied, \" \", returns) }"
}
for program in $programs; do
	build $program "$(script $program '.library("libc")' '.library("libm")')"
done
build static "$(script static '' '')"

cat >guest <<'SH'
cd "$1" || exit
for program in $2; do
	"$PROBERUN" "./$program.ko" -c "./$program" 2>&1 | sed "s/^/$program /"
done
SH
programs+=' static'
"$TOP/lab/run" "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "$programs" >said 2>&1 ||
	fail "status $?" said
# add(), sum() and count() have the same implementations.
cat >wanted <<'END'
plain 1000 300 200 110
plain 131 131 80 70
stripped 1000 300 200 110
static 1000 300 200 110
static 131 131 80 70
moves 1070 300 200 110
moves 131 131 80 70
END
[[ $programs != *32* ]] || printf '%s\n' 'plain32 1000 300 200 110' 'plain32 131 131 80 70' >>wanted
sort wanted >sorted && sort said | cmp -s sorted - || fail 'the numbers of calls:' said
