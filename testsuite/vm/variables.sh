# SPDX-License-Identifier: GPL-2.0
# Variables of the files of a program, static ones of functions too, compared with what the program
# prints: at returns, in probes of the kernel and of libc, wherever the program lies in memory.
for kind in pie no-pie static-pie; do
	gcc -std=gnu11 -w -O2 -g -fPIE -$kind -o moved-$kind "$TOP/testsuite/programs/values.c" \
		2>log || fail 'the program' log
done
unset PROBEC_DEBUGINFO
build moved "
probe process(\"$PWD/moved-pie\").function(\"work\").return {
	printf(\"work %d %d %d %d\n\", @var(\"counter\"), \$shared, @var(\"calls@values.c\"), @var(\"list\")[0]->inner[1]->s)
}"
# All at the program's only write, in a function and in a handler; others do not run it.
for kind in pie no-pie static-pie; do
	build kernel-$kind "
global others
function calls() { return @var(\"calls@values.c\", \"$PWD/moved-$kind\") }
probe syscall.write {
	try {
		printf(\"work %d %d %d %d\n\", @var(\"counter\", \"$PWD/moved-$kind\"), @var(\"shared\", \"$PWD/moved-$kind\"), calls(),
			@var(\"list\", \"$PWD/moved-$kind\")[0]->inner[1]->s)
	} catch (e) { others[execname(), e]++ }
}
probe end { foreach ([name, e] in others) if (name == \"sh\") println(name, \" \", e) }"
done
for kind in pie no-pie; do
	build libc-$kind "
probe process(\"$PWD/moved-$kind\").library(\"libc\").function(\"write\") {
	printf(\"work %d %d %d %d\n\", @var(\"counter\", \"$PWD/moved-$kind\"), @var(\"shared\", \"$PWD/moved-$kind\"),
		@var(\"calls@values.c\", \"$PWD/moved-$kind\"), @var(\"list\", \"$PWD/moved-$kind\")[0]->inner[1]->s)
}"
done
# An event of the program's, in which the program is meant.
build events "
probe process(\"$PWD/moved-pie\").syscall {
	if (\$syscall == 1)
		printf(\"work %d %d %d %d\n\", @var(\"counter\"), @var(\"shared\"),
			@var(\"calls@values.c\"), @var(\"list\")[0]->inner[1]->s)
}"
build other \
	"probe syscall.write { if (pid() == target()) println(@var(\"counter\", \"$PWD/moved-pie\")) }"
cat >guest <<'SH'
cd "$1" || exit
"$PROBERUN" -o seen other.ko -c 'echo >/tmp/none' 2>message
grep -q "run the variable's program: $1/moved-pie \[E_OTHER_PROGRAM\]" message ||
	{ cat message seen; exit 1; }
run() { # NAME PROGRAM
	echo "@ $1.told"
	"$PROBERUN" -o seen "$1.ko" -c "echo >/tmp/none; exec ./$2" || exit
	echo "@ $1.seen"
	cat seen
}
run moved moved-pie
run events moved-pie
for kind in pie no-pie static-pie; do run kernel-$kind moved-$kind; done
for kind in pie no-pie; do run libc-$kind moved-$kind; done
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >all 2>said ||
	fail "status $?" said
awk '/^@ / { file = $2; next } { print >file }' all
[ "$(grep -c '^work' moved.told)" = 4 ] || fail 'the program told too little' moved.told
grep '^work' moved.told >wanted
cmp -s moved.seen wanted \
	|| \
	{ diff -u wanted moved.seen >difference; fail 'variables of files at returns:' difference; }
tail -n 1 wanted >last
for name in kernel-pie kernel-no-pie kernel-static-pie libc-pie libc-no-pie events; do
	[ "${name%%-*}" != kernel ] ||
		echo "sh the process does not run $PWD/moved-${name#kernel-}" |
		cat last - >expected
	[ "${name%%-*}" = kernel ] || cp last expected
	cmp -s $name.seen expected \
		|| { diff -u expected $name.seen >difference; fail "$name:" difference; }
done
