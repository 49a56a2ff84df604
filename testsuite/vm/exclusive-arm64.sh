# SPDX-License-Identifier: GPL-2.0
# Between an exclusive load and its store, a breakpoint would make the store fail each time, and the
# loop around them would not end: such places in programs are refused by name, and patterns leave
# them out. The instruction after the pair, and the beginning of the function, are probed.
#@ kernels: arm64
#@ needs: aarch64-linux-gnu-gcc
. "$TOP/testsuite/told.sh"
PROBERUN=$TOP/build/arm64/proberun
[ -x "$PROBERUN" ] || { echo "make arm64-proberun"; exit 77; }
cat >adds.c <<'X'
#include <stdio.h>
static long word;
__attribute__((noinline)) long bump(long *p)
{
	long v;
	int failed;

	__asm__ volatile("nop\n"
			 "load:	ldaxr %0, [%2]\n"
			 "between:	add %0, %0, 1\n"
			 "store:	stlxr %w1, %0, [%2]\n"
			 "after:	cbnz %w1, load\n"
			 : "=&r"(v), "=&r"(failed) : "r"(p) : "memory");
	return v;
}
int main(void)
{
	for (int i = 0; i < 10; i++)
		bump(&word);
	printf("%ld\n", word);
	return 0;
}
X
aarch64-linux-gnu-gcc -std=gnu11 -O1 -g -o adds adds.c 2>log || fail 'adds' log
address_of() { aarch64-linux-gnu-nm adds | awk -v name="$1" '$3 == name { print "0x" $1 }'; }
for place in load between store; do
	echo "probe process(\"$PWD/adds\").statement($(address_of $place)) { exit() }" >one.kp
	"$PROBEC" -p2 -r "$TARGET" one.kp >out 2>said && fail "$place is probed"
	grep -q 'one of an exclusive load and store, or between them.* \[E_NOT_PROBEABLE\]$' said ||
		fail "$place" said
done
cat >adds.kp <<X
global n, after
probe process("$PWD/adds").function("bump").call { n++ }
probe process("$PWD/adds").statement($(address_of after)) { after++ }
probe end { println(n, " ", after) }
X
add_told adds
run_told
[ "$(cat adds.seen)" = '10 10' ] && [ "$(cat adds.told)" = 10 ] && [ ! -s adds.said ] ||
	fail 'the session' adds.seen adds.told adds.said
