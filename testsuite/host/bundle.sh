# SPDX-License-Identifier: GPL-2.0
# probec bundle: what the file has, that it is the same whenever and wherever it is made, and what
# it refuses to run.
#@ needs: target openssl
cat >tool.kp <<'X'
# tool - count things
#
# About the tool.
global only = 0      #: -p, --pid=PID    show only this process
global all = 0       #: -a               show all
#: WORD  a word
probe begin { printf("%d %d %s\n", only, all, @1) exit() }
X
needs_static_proberun
targets=
for k in $KERNELS; do targets="$targets -r $("$TOP/lab/run" --target "$k")"; done
n=$(set -- $KERNELS; echo $#)
bundle() { "$PROBEC" bundle $targets "$@"; }

bundle tool.kp hello -p 7 -T 5 -o a.run 2>said || fail 'it is not made' said
file=$(readelf -h a.run | sed -n 's/ *Type: *//p')
case $file in EXEC*) ;; *) fail "not a static program: $file" ;; esac
readelf -l a.run | grep -q INTERP && fail 'it needs a dynamic linker'
./a.run --kernels >kernels || fail '--kernels' kernels
[ "$(wc -l <kernels)" = "$n" ] && grep -vq '^[0-9][^ ]* [0-9a-f]\{40\}$' kernels &&
	fail 'the kernels' kernels
./a.run --help >help || fail '--help' help
grep -q '^tool - count things$' help && grep -q '^  -p, --pid=PID *show only this process$' help &&
	grep -q '^  -c, --command' help || fail 'what --help says' help

# The same bytes, from another directory, built once more, with another umask, and with debug
# symbols elsewhere.
mkdir other && cp tool.kp other
export PROBEC_DEBUGINFO="$PWD"
(cd other && umask 077 && bundle --disable-cache tool.kp hello -p 7 -T 5 -v -o ../b.run) 2>said ||
	fail 'the second one is not made' said
unset PROBEC_DEBUGINFO
cmp a.run b.run || fail 'two of the same differ'
[ "$(stat -c %a a.run b.run | sort -u)" = 755 ] || fail 'the mode'

# This machine's kernel is none of them.
./a.run >said 2>&1 && fail 'it runs on another kernel' said
grep -q "no module for the running kernel $(uname -r), .*\[E_WRONG_KERNEL\]" said &&
	grep -q "it has modules for $(head -n 1 kernels | cut -d' ' -f1)" said ||
	fail 'another kernel: what is said' said
./a.run --pi 7 --kernels >/dev/null || fail 'an abbreviated option'
./a.run --nonsense >said 2>&1 && fail 'an unknown option' said
./a.run word >said 2>&1 && fail 'an argument' said
grep -q 'not NAME=VALUE' said || fail 'an argument: what is said' said
"$PROBERUN" --kernels >said 2>&1 && fail '--kernels without a bundle' said

# A detached signature: proberun runs the bundle only if the bytes are those that the key has
# signed. That it looks for the running kernel shows that it does.
key() { openssl genpkey -algorithm ed25519 -out "$1.key" 2>said &&
	openssl pkey -in "$1.key" -pubout -out "$1.pem" 2>said || fail 'a key' said; }
key ours && key other
openssl pkeyutl -sign -rawin -inkey ours.key -in a.run -out a.run.sig 2>said || fail 'signing' said
"$PROBERUN" --trust ours.pem a.run --kernels 2>said | diff kernels - || fail '--trust' said
"$PROBERUN" --trust ours.pem a.run >said 2>&1 && fail '--trust: it runs on another kernel' said
grep -q 'E_WRONG_KERNEL' said || fail '--trust: what is said' said
untrusted() { # WORDS KEY BUNDLE
	"$PROBERUN" --trust "$2" "$3" --kernels >said 2>&1 && fail "$1: it runs" said
	grep -q "$1.*\[E_TRUST\]" said || fail "not '$1'" said
}
untrusted 'its signature was not made with this key' other.pem a.run
untrusted 'it has no signature beside it' ours.pem b.run
for at in 100 $(($(stat -c %s a.run) / 2)) $(($(stat -c %s a.run) - 1)); do
	cp a.run c.run && cp a.run.sig c.run.sig
	byte=$(od -An -tu1 -j "$at" -N 1 a.run)
	printf "\\$(printf %o $((byte ^ 1)))" | dd of=c.run bs=1 seek="$at" conv=notrunc 2>/dev/null
	untrusted 'its signature was not made with this key' ours.pem c.run
done
head -c 1000000 a.run >c.run
untrusted 'its signature was not made with this key' ours.pem c.run
head -c 63 a.run.sig >c.run.sig
untrusted 'not an Ed25519 signature' ours.pem c.run
: >c.run && openssl pkeyutl -sign -rawin -inkey ours.key -in ours.pem -out c.run.sig
untrusted 'its signature was not made with this key' ours.pem c.run
untrusted 'not an Ed25519 public key' a.run.sig a.run
untrusted 'No such file' nosuch.pem a.run
cp "$PROBERUN" c.run && openssl pkeyutl -sign -rawin -inkey ours.key -in c.run -out c.run.sig
"$PROBERUN" --trust ours.pem c.run >said 2>&1 && fail 'a signed program that is no bundle' said
grep -q "'c.run' is not a bundle" said || fail 'no bundle' said
"$PROBERUN" --trust ours.pem >said 2>&1 && fail 'no bundle is named' said
"$PROBERUN" --trust ours.pem a.run --remote-end >said 2>&1 && fail '--remote-end' said
grep -q 'would remove this proberun' said && [ -x "$PROBERUN" ] || fail '--remote-end' said
./a.run --trust ours.pem a.run >said 2>&1 && fail 'a bundle checks itself' said
grep -q E_TRUST said || fail 'a bundle checks itself: what is said' said

# Options of the session are those of proberun, also where the script has some of the same names.
cat >own.kp <<'X'
# own - options with the names of proberun's
global times = 0     #: -T, --times       show times
global format = ""   #: --format=WORD     what is shown
probe begin { printf("%d %s\n", times, format) exit() }
X
bundle -T 5 --format json own.kp -o own.run 2>said || fail 'own options: it is not made' said
./own.run -T --format xyz >said 2>&1 && fail 'own options: it runs on another kernel' said
grep -q 'E_WRONG_KERNEL' said || fail 'own options' said

# Cut off, with bytes in between, with another end. The program itself is whole.
size=$(stat -c %s a.run)
after=$((size - $(stat -c %s "$TOP/static-proberun")))
[ "$after" -gt 1000 ] || fail "nothing comes after the program: $after bytes"
for cut in 1 100 $((after / 2)); do
	head -c $((size - cut)) a.run >c.run && chmod +x c.run
	./c.run --kernels >said 2>&1 && fail "cut off by $cut bytes" said
	grep -q 'the bundle is damaged: .* \[E_BAD_MODULE\]' said ||
		fail 'cut off: what is said' said
done
{ head -c $((size - after / 2)) a.run; echo; tail -c $((after / 2)) a.run; } >c.run
./c.run --kernels >said 2>&1 && fail 'one byte more' said
grep -q 'damaged: its parts do not fit together' said || fail 'one byte more: what is said' said

# Command lines that probec bundle refuses.
refuses() { # TEXT ARGUMENT...
	bundle "${@:2}" >said 2>&1 && fail "accepted: ${*:2}" said
	grep -q "$1" said || fail "${*:2}" said
}
refuses 'needs -o FILE' tool.kp hello
refuses 'only builds a bundle' -p3 tool.kp hello -o x.run
refuses '\--vm and -r are mutually' --vm tool.kp hello -o x.run
refuses 'the argument.*superfluous\|no argument\|E_ARG' tool.kp -o x.run
refuses "can't write '/nowhere/x.run'" tool.kp hello -o /nowhere/x.run
[ ! -e x.run ] || fail 'a bundle in spite of an error'
exit 0
