# SPDX-License-Identifier: GPL-2.0
# Variables of the files of a program, static ones of functions too, at returns, beside what the
# program prints.
gcc -std=gnu11 -w -O2 -g -o moved "$TOP/testsuite/programs/values.c" 2>log || fail 'the program' log
env -u PROBEC_DEBUGINFO "$PROBEC" -r "$TARGET" -w -p4 -e "
probe process(\"$PWD/moved\").function(\"work\").return {
	printf(\"work %d %d %d %d\n\", @var(\"counter\"), \$shared, @var(\"calls@values.c\"), @var(\"list\")[0]->inner[1]->s)
}" >module 2>said || fail 'variables at a return' said
cp "$(cat module)" moved.ko
cat >guest <<'SH'
cd "$1" || exit
"$PROBERUN" moved.ko -c './moved >/dev/stderr'
SH
"$TOP/lab/run" --smp 1 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" >seen 2>told || fail "status $?" told
grep '^work' told >wanted
[ "$(wc -l <wanted)" = 4 ] || fail 'the program told too little' told
cmp -s seen wanted || { diff -u wanted seen >difference; fail 'variables of files at returns:' difference; }
