# SPDX-License-Identifier: GPL-2.0
# Doubles and floats of programs at entries and returns, in one boot: the program prints the same
# values itself. By gcc with and without optimisation, and by clang where it is installed.
# shellcheck shell=bash disable=SC2154,SC2016
#@ needs: gcc
. "$TOP/testsuite/told.sh"
unset PROBEC_DEBUGINFO
cat >all.kp <<'E2'
probe process(@1).function("scale") { printf("scale %.17g %.17g\n", $x, $f) }
probe process(@1).function("scale").return {
	printf("scaled %.17g\n", $return)
	if ($return == $return && @entry($x) * @entry($f) != $return) println("wrong product")
}
probe process(@1).function("half") { printf("half %.17g\n", $f) }
probe process(@1).function("half").return {
	printf("halved %.17g\n", $return)
	if ($f / 2 != $return) println("wrong half")
}
probe process(@1).function("many") { printf("many %g %g %g %.17g\n", $a, $h, $i, $j) }
probe process(@1).function("many").return {
	printf("sum %.17g\n", $return)
	if ($a != 1.5 || $h != 8.5 || $i != 9.25) println("wrong entry values")
}
probe process(@1).function("mixed") {
	printf("mixed %d %g %s %g %d\n", $n, $x, user_string($s), $f, $k)
}
probe process(@1).function("mixed").return { printf("mix %.17g\n", $return) }
probe process(@1).function("move") { printf("move %g %g %g\n", $p->x, $p->y, $by) }
probe process(@1).function("move").return { printf("moved %g %g\n", $return->x, $return->y) }
probe process(@1).function("swap") { printf("swap %.17g %.17g\n", $p->a, $p->b) }
probe process(@1).function("swap").return {
	printf("swapped %.17g %.17g\n", $return->a, $return->b)
}
probe process(@1).function("member") {
	printf("member %d %.17g %.17g %g %g\n", $m->n, $m->f, $m->d, @var("everywhere"),
	       @var("nearby"))
	if ($m$ != sprintf("{.n=3, .f=%.15g, .d=-1e+300}", $m->f)) println("wrong text ", $m$)
}
probe process(@1).function("member").return { printf("membered %.17g\n", $return) }
probe process(@1).function("wide") { printf("wide %g\n", $x) }
E2
# build NAME COMPILER OPTION...
build() {
	local name=$1
	shift
	command -v "$1" >/dev/null || return 0
	"$@" -g -o "$name" "$TOP/testsuite/programs/floating.c" >log 2>&1 || fail "$name" log
	sed "s|@1|\"$PWD/$name\"|g" all.kp >"$name.kp"
	add_told "$name"
}
build plain gcc -O0
build fast gcc -O2
build clang clang -O0
! "$PROBEC" -p2 -r "$TARGET" -e 'probe process(@1).function("wide") { println($w) }' "$PWD/plain" \
	>said 2>&1 && grep -q "'long double': the supported floating-point types" said ||
	fail "a long double is not refused" said
run_told
for one in "${programs[@]}"; do
	[ ! -s "$one.said" ] || fail "$one: messages" "$one.said"
	for file in told seen; do sort "$one.$file" >$file; done
	[ -s told ] && diff told seen >differs ||
		fail "$one: the program prints other values" differs
done
