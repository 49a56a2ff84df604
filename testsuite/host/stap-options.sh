# SPDX-License-Identifier: GPL-2.0
# Every option of stap(1) 4.8 to 5.6 is known: implemented, noted, or rejected with a next step;
# and the manual says which.
#@ needs: target
# shellcheck shell=bash disable=SC2154
echo 'probe begin { exit() }' >a.kp
for option in h V p v k g P u w W b i t s I D B a G R r m d o c x e E l L F S T q \
	      help version vp interactive modinfo ldd all-modules skip-badvars prologue-searching \
		suppress-handler-errors \
	      compatible check-version clean-cache color colour disable-cache poison-cache \
		privilege unprivileged use-server \
	      use-server-on-error list-servers trust-servers sign-module dump-probe-types \
		dump-probe-aliases dump-functions remote \
	      remote-prefix download-debuginfo rlimit-as rlimit-cpu rlimit-nproc rlimit-stack \
		rlimit-fsize sysroot sysenv \
	      suppress-time-limits runtime dyninst bpf save-uprobes target-namespaces \
		example no-global-var-display \
	      debug tmpdir build-as client-options use-http-server language-server \
		semantic-keep-going benchmark-sdt benchmark-sdt-loops benchmark-sdt-threads; do
	dashes=--
	[ ${#option} -gt 1 ] || dashes=-
	"$PROBEC" -p1 $dashes$option >said 2>&1 <<<''
	! grep -q 'unknown option' said || fail "$dashes$option is not known" said
	! grep -q 'SystemTap is not supported' said || grep -q '^ *= ' said ||
		fail "$dashes$option: no next step" said
	sed 's/\\-/-/g' "$TOP/doc/probec.1" | grep -qE -e "(^|[^a-z-])$dashes$option([^a-z-]|$)" ||
		[ $option = colour ] || fail "$dashes$option is not in probec.1"
done

# An option of staprun(8) 5.6 is one of proberun, or its message says what there is instead. A word
# of the command line is not taken for a value of an option that has none.
for option in -v -V -w -u '-c true' '-x 1' '-N 1' '-o x' '-b 4' -L -A '-C never' '-M 1' -d -D -R \
	      '-r 1:x' '-S 1,2' '-T 200'; do
	# shellcheck disable=SC2086
	"$PROBERUN" $option nosuch.ko >said 2>&1
	! grep -q unknown said || fail "staprun $option is not known" said
	! grep -q 'of staprun' said || grep -q '^ *= ' said || fail "staprun $option: no hint" said
done
"$PROBEC" -p1 --debug a.kp >said 2>&1 && grep -q 'probe begin' said || fail '--debug' said

# A value that is not available is 0 or "", and the rest of the script is unchanged.
bad='probe kernel.function("vfs_read") { println($nosuch, $file->nosuch$, $count) }'
show "$PROBEC" --check --skip-badvars -r "$TARGET" -e "$bad" | sed "s|$TARGET|TARGET|"
written='global g probe kernel.function("vfs_read") { g++ }'
"$PROBEC" -p2 -r "$TARGET" -e "$written" | grep -q "^end: " || fail "g is not shown"
! "$PROBEC" -p2 -r "$TARGET" --no-global-var-display -e "$written" | grep "^end: " ||
	fail "g is shown"
own_cache
"$PROBEC" -p4 -r "$TARGET" -m named --modinfo=hello='wide "world"' --modinfo=b=2 a.kp >/dev/null \
	2>said || fail 'no module' said
grep -aq 'hello=wide "world"' named.ko && grep -aq 'b=2' named.ko || fail 'no modinfo'
"$PROBEC" -v -p4 -r "$TARGET" a.kp 2>&1 >/dev/null | grep -q 'pass 4: built' ||
	fail 'the first is not built'
"$PROBEC" -v -p4 -r "$TARGET" a.kp 2>&1 >/dev/null | grep -q 'pass 4: took' ||
	fail 'the second is not from the cache'
"$PROBEC" -v -p4 -r "$TARGET" --poison-cache a.kp 2>&1 >/dev/null | grep -q 'pass 4: built' ||
	fail --poison-cache
show "$PROBEC" -p1 -E 'probe end { println("more") }' a.kp
show "$PROBEC" -p1 -E 'probe end { println(x x) }' a.kp
show "$PROBEC" -p1 --compatible=1.8 -e \
	'probe begin { println(%( systemtap_v < "2.0" %? "old" %: "new" %)) }'
for value in '' blah nev; do show "$PROBEC" -p1 --prologue-searching=$value a.kp; done
show "$PROBEC" -p1 --monitor -l begin
show "$PROBEC" --clean-cache
