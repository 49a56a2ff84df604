# SPDX-License-Identifier: GPL-2.0
#@ needs: python3 prove make
# probec test, as far as no kernel is needed: tests that only compile, what a report contains, which
# status it has, patterns of expected output, --update. Other programs read TAP and JUnit's XML.
suite() { rm -rf suite; mkdir suite; }
script() { printf '%s\n' "${@:2}" >"suite/$1.kp"; } # NAME LINE...
expect() { printf '%s\n' "${@:2}" >"suite/$1.expect"; } # NAME LINE...
# -p1 prints the tree as text of the language.
hello() { script "$1" '#@ opts: -p1' "${@:2}" 'probe begin { println("hello") }'; }
ends() { # STATUS WHAT ARGUMENT...: probec test ends with this status
	local status=0
	"$PROBEC" test "${@:3}" >out 2>said </dev/null || status=$?
	[ "$status" = "$1" ] || fail "$2: status $status" out said
}
has() { grep -qxF -- "$2" "$1" || fail "$1 has no line: $2" "$1"; } # FILE LINE

suite
"$PROBEC" -p1 -e 'probe begin { println("hello") }' >tree
[ "$(wc -l <tree)" -ge 3 ] && grep -q 'println("hello")' tree || fail 'the tree is another' tree
hello exact; cp tree suite/exact.expect
hello bytes; cp tree suite/bytes.out
hello patterns; expect patterns '...' '~ .*println\("hel{0..0}?lo"\).*' '...'
hello matched '#@ match: println' '#@ nomatch: goodbye'
hello checked '#@ check: grep -q hello "$out" && [ "$status" = 0 ] && [ -f checked.kp ]'
script wrong '#@ error: E_SYNTAX' 'probe begin {'
script alone '#@ opts: -p1 -D =1' '#@ status: 1' '#@ errmatch: E_OPTION' 'probe begin { }'
hello tool '#@ needs: no-such-tool'
hello slow '#@ slow'
hello argument '#@ args: one' '#@ match: println'
sed -i 's/"hello"/@1/' suite/argument.kp
ends 0 'a suite that passes' -v suite
has out '8 passed, 0 failed, 2 skipped'
has out 'ok    suite/wrong'
has out 'skip  suite/tool: needs no-such-tool'
ends 0 'slow tests' --slow suite
has out '9 passed, 0 failed, 1 skipped'
ends 0 'quiet' suite/exact.kp
[ "$(cat out)" = '1 passed, 0 failed, 0 skipped' ] ||
	fail 'a test that passes is named without -v' out
ends 0 'chosen' -v --only 'suite/m*' --only 'ex?ct' suite
[ "$(sort out | tr '\n' ,)" = \
	'2 passed, 0 failed, 0 skipped,ok    suite/exact,ok    suite/matched,' ] ||
	fail 'other tests than the chosen ones' out

# Each kind of failure, alone: the line, and what is shown of the difference.
fails() { # NAME WHY
	ends 1 "$1" "suite/$1.kp"
	has out "FAIL  suite/$1: $2"
	has out '0 passed, 1 failed, 0 skipped'
}
suite
hello a '#@ match: goodbye'; fails a 'no output line matches: goodbye'
hello a '#@ nomatch: hello'; fails a 'a line matches: hello'
hello a '#@ match: ('; fails a 'not a regular expression: ('
hello a '#@ check: false'; fails a 'a check failed'
hello a '#@ status: 3'; fails a 'status 0, not 3'
hello a '#@ matches: hello'
fails a "suite/a.kp:2: there is no directive 'matches'; probec-test(1) lists them"
hello a '#@ seconds: long'; fails a "suite/a.kp:2: seconds must be a number, not 'long'"
hello a '#@ errmatch: E_SYNTAX'; fails a 'no message matches: E_SYNTAX'
hello a; sed 's/hello/hallo/' tree >suite/a.expect; fails a 'output differs'
grep -q '^    -.*hallo' out && grep -q '^    +.*hello' out || fail 'no difference is shown' out
hello a; { cat tree; echo; } >suite/a.expect; fails a 'output differs'
hello a; expect a '...' '~ no such line' '...'; fails a 'output differs'
hello a; expect a '...' '~ ('; fails a 'suite/a.expect:2: this is not a regular expression'
rm suite/a.expect
script a '#@ opts: -p1' 'probe begin {'; fails a 'status 1, not 0'
grep -q 'a\.kp:3:.*\[E_SYNTAX\]' out || fail 'the messages of the compiler are not shown' out
script a '#@ error: E_ARITY' 'probe begin {'; fails a 'no message has [E_ARITY]'
script a '#@ error: E_ARITY' '#@ opts: -p1' 'probe begin { }'
fails a 'no message has [E_ARITY]; status 0, not 1'
script a '#@ error: E_SYNTAX' 'probe begin {'; echo other >suite/a.err; fails a 'messages differ'

# Numbers in a range, and where "..." ends.
expected() { bash -c '. "$TOP/runner/judge.sh"; expect_lines "$1" "$2"' - "$1" "$2" >/dev/null; }
matches() { # YES|NO LINE-OF-EXPECTATION LINE...
	local got=YES why=
	printf '%s\n' "${@:3}" >lines
	printf '%b\n' "$2" >lines.expect
	expected lines.expect lines || got=NO
	[ "$got" = "$1" ] || fail "$1 was wanted: ${*:2}"
}
for n in 90 100 110; do matches YES '~ {90..110} reads' "$n reads"; done
for n in 89 111 '' x -100 1000; do matches NO '~ {90..110} reads' "$n reads"; done
matches YES '~ ([(]a|b[)]): {-2.5..} ({..7}|none)' 'b): -2.5 7'
matches NO '~ ([(]a|b[)]): {-2.5..} ({..7}|none)' 'b): -2.6 7'
matches NO '~ ([(]a|b[)]): {-2.5..} ({..7}|none)' 'b): 0 8'
matches NO '~ reads' '3 reads'
matches YES '= ...' '...'
matches NO '= ...' 'x'
matches YES 'a\n...\nb\n...\nc' a b x b c
matches YES 'a\n...\nb' a b b
matches NO 'a\n...\nb\n...\nc' a x c
matches NO 'a\n...\nb' a b x

# --update shows what it writes, keeps patterns that hold, and quotes what would be one.
suite
hello fresh
ends 2 'an update that nobody can agree to' --update suite
has said '      = --yes writes without a question'
[ ! -e suite/fresh.expect ] || fail 'written without --yes'
ends 0 'an update' --update --yes suite
cmp tree suite/fresh.expect || fail 'not the output'
grep -qx '+.*println("hello").*' out || fail 'the difference is not shown' out
has out 'new   suite/fresh: wrote suite/fresh.expect'
has out '0 passed, 0 failed, 0 skipped, 1 updated'
{ head -n 1 tree; echo '~ .*print(ln)?\(.*'; echo '= ~ gone'; } >suite/fresh.expect
ends 0 'an update of patterns' --update --yes suite
grep -qxF '~ .*print(ln)?\(.*' suite/fresh.expect && ! grep -q gone suite/fresh.expect ||
	fail 'patterns that hold are kept, and others are not' suite/fresh.expect
ends 0 'what was written' suite
printf '%s\n' '~ a' '...' '= b' c >lines
[ "$(bash -c '. "$TOP/runner/judge.sh"; expect_quote' <lines)" = $'= ~ a\n= ...\n= = b\nc' ] ||
	fail 'quoting'
script no '#@ opts: -p1' '#@ status: 1' 'probe begin { }'
ends 1 'an update changes only differences' --update --yes suite/no.kp
[ ! -e suite/no.expect ] || fail 'the output of a test that fails is written'

# On a terminal it asks, and shows what it is doing.
cat >terminal.py <<'END'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
text = b''
answer = sys.argv[1].encode() + b'\n'
while True:
    try:
        text += os.read(fd, 4096)
    except OSError:
        break
    if b'[y/N]' in text and answer:
        os.write(fd, answer)
        answer = None
print(text.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
suite
hello asked
{ head -n 1 tree; echo other; } >suite/asked.expect
cp suite/asked.expect before
python3 terminal.py n "$PROBEC" test --update suite >out && fail 'an update that is refused' out
cmp suite/asked.expect before || fail 'written in spite of the answer'
grep -q 'compiling suite/asked' out || fail 'no progress is shown' out
grep -q '^-other' out && grep -q 'FAIL  suite/asked: output differs' out ||
	fail 'no difference is shown' out
python3 terminal.py y "$PROBEC" test --update suite >out || fail 'an update that is wanted' out
cmp suite/asked.expect tree || fail 'not written'

# TAP and JUnit's XML, for others to read.
suite
hello good
hello 'odd <&"#name' '#@ match: <&">'
hello skipped '#@ needs: no-such-tool'
ends 1 'TAP' --tap --junit=report.xml suite
cp out tap
prove -v --exec cat tap >read 2>&1
grep -q 'Failed 1/3 subtests' read && grep -q '1 skipped' read ||
	fail 'prove reads it otherwise' tap read
python3 - report.xml <<'END' || fail 'another report' report.xml
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
assert suite.tag == 'testsuite' and suite.attrib['tests'] == '3', suite.attrib
assert suite.attrib['failures'] == '1' and suite.attrib['skipped'] == '1', suite.attrib
cases = {case.attrib['name']: case for case in suite}
assert set(cases) == {'good', 'odd <&"#name', 'skipped'}, cases
assert len(cases['good']) == 0 and cases['skipped'][0].tag == 'skipped'
failure = cases['odd <&"#name'][0]
assert failure.attrib['message'] == 'no output line matches: <&">', failure.attrib
assert 'println("hello")' in failure.text, failure.text
END

# Mistakes on the command line, and what has no tests.
wrong() { # TEXT ARGUMENT...
	ends 2 "${*:2}" "${@:2}"
	grep -qF "probec test: error: $1" said && grep -q '^      = ' said ||
		fail "${*:2}" said
}
mkdir empty
wrong 'unknown option --frobnicate [E_OPTION]' --frobnicate suite
wrong 'no tests are named [E_OPTION]'
wrong '--timeout needs a number from 1 on' --timeout=soon suite
wrong '-k needs a value' -k
wrong 'no test is in empty [E_IO]' empty
wrong 'no test of suite has the name x* [E_IO]' --only 'x*' suite
wrong 'nowhere does not exist [E_IO]' nowhere
wrong 'cannot write /no/such/file [E_IO]' --junit=/no/such/file suite
ends 0 'help' --help
sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z]*\).*/\2/p' out | while read -r option; do
	grep -qF -- "$(sed 's/-/\\-/g' <<<"$option")" "$TOP/doc/probec-test.1" ||
		fail "the manual page lacks $option"
done || exit 1

# The example of the documents, from an installed tree that was moved.
make -s -C "$TOP" install prefix="$PWD/usr" >said 2>&1 || fail 'make install' said
mv usr moved
status=0
moved/bin/probec test -v --only mistake moved/share/probec/runner/example >out 2>&1 || status=$?
[ "$status" = 0 ] || fail 'installed' out
has out 'ok    moved/share/probec/runner/example/mistake'
