# --doc shows the comments of tapsets, of the user's own files and of tools, the words of the
# language, forms of probe points, limits and messages; nothing that exists is without a text.
#@ needs: target
# shellcheck shell=bash disable=SC2154
ask() { "$PROBEC" -r "$TARGET" --doc "$@"; }
has() { # WHAT TEXT ARGUMENT...
	local what=$1 text=$2
	shift 2
	ask "$@" >said 2>&1 || fail "$what" said
	grep -qF -- "$text" said || fail "$what: no '$text'" said
}

# Every public function and alias of the tapsets is known at its line, with the comment above it.
ask '*e*' --format=json >known || fail 'a pattern that matches much' known
ask '[!e]*' --format=json >>known || fail 'a pattern with a bracket' known
python3 - "$TOP"/tapsets/*.kp <<'PYTHON' || fail 'a definition has another text'
import json, os, re, sys
known = {}
for one in map(json.loads, sorted(set(open('known')))):
    known.setdefault((os.path.basename(one.get('file', '')), one.get('line')), []).append(one)
checked = 0
for path in sys.argv[1:]:
    above = ''
    for number, line in enumerate(open(path), 1):
        # A probe that is no alias belongs to what loads the file, such as a global.
        found = re.match(r'(function|probe(?= [^({]* =)) ([a-z][A-Za-z0-9_.*]*)', line)
        if found:
            kind = {'function': 'function', 'probe': 'alias'}[found.group(1)]
            ours = [o for o in known.get((os.path.basename(path), number), [])
                    if (o['kind'], o['name']) == (kind, found.group(2))]
            assert len(ours) == 1, (path, number, line, ours)
            last = ours[0]['text'].split('\n')[-1]
            assert last == above or (not above and last.startswith('The same as ')), (line, last)
            checked += 1
        above = line[1:].strip() if line.startswith('#') else ''
assert checked > 700, checked
PYTHON

# Every word and operator of the language, every form of probe points, every id and limit.
sed -n 's/^\(KEYWORD\|PRINT_WORD\|AGG_WORD\|AT_WORD\)(.*"\(.*\)")$/\2/p' \
	"$TOP/compiler/ast/words.def" >words
sed -n 's/^[A-Z_]*OPERATOR([A-Z_]*, "\([^"]\{1,\}\)".*/\1/p' "$TOP/compiler/ast/operators.def" \
	>operators
cat operators >>words
sed -n 's/^\(ERR\|WARN\)(\(E_[A-Z_]*\),.*/\2/p' "$TOP/compiler/base/errors.def" >>words
[ "$(wc -l <words)" -gt 100 ] || fail 'lists of words' words
python3 - words <<'PYTHON' || fail 'a word without a text'
import json, sys
known = {one['name']: one['text'] for one in map(json.loads, open('known'))}
missing = [word for word in open(sys.argv[1]).read().split('\n')[:-1] if not known.get(word)]
assert not missing, missing
PYTHON
# Operators look like options and patterns.
sort -u operators >asked
printf '%s\n' foreach println @count @cast E_IO E_CONTEXT >>asked
while read -r word; do
	ask "$word" >said 2>&1 || fail "'$word' is not documented" said
done <asked
"$PROBEC" -r "$TARGET" --dump-probe-types | sort >forms
python3 - forms <<'PYTHON' || fail 'forms of probe points'
import json, sys
ours = {o['signature']: o['text'] for o in map(json.loads, open('known'))
        if o['kind'] == 'probe point'}
forms = open(sys.argv[1]).read().split('\n')[:-1]
assert len(forms) > 100
missing = [f for f in forms if not ours.get(f)]
assert not missing, missing
PYTHON
python3 -c 'import json
for line in open("known"):
    one = json.loads(line)
    assert one["text"] or one.get("variables"), line'

has 'a limit' 'from 16 to 7168' MAXSTRINGLEN
has 'a tool' 'Where threads wait' offcpu
has 'a tool by its file' 'Where threads wait' offcpu.kp
has 'a macro' 'Defined in:' @offsetof
has 'a macro without its @' '@offsetof(type, member)' offsetof
has 'a point of a script' '@entry(...) any value' 'kernel.function("vfs_read").return'
has 'an operator that is a pattern, too' 'The product' '*'
has 'an alias' 'See also: vfs.read.return' vfs.read
has 'a system call' 'syscall.openat.return' syscall.openat
for call in openat sync; do
	row=$(grep -nE "^$call([ =]|\$)" "$TOP/tapsets/syscalls.rows" | cut -d: -f1)
	[ -n "$row" ] || fail "no row of $call"
	has 'the row of a system call' "syscalls.rows:$row" "syscall.$call"
	has 'the row of a return' "syscalls.rows:$row" "nd_syscall.$call.return"
done
has 'a name that another one mentions' '@count' @count

# The user's own: in a directory of -I, for one kernel, in a script.
# 6.1 of 6.1.0-56-cloud-amd64.
series=$(echo "${TARGET##*/}" | cut -d. -f1,2)
mkdir -p "own/$series" own/5.9 data/probec/tapsets
cat >own/mine.kp <<'KP'
# SPDX-License-Identifier: GPL-2.0
# Mine.

# Returns the double of a number.
function twice:long (n:long) { return 2 * n }
/* Hit every minute. */
probe mine.minute = timer.s(60) { minutes = 1 }
private function hidden() { }
function bare(a, b) { return a . b }
KP
printf '# Macros.\n\n# Three times a number.\n' >own/mine.kpm
printf '@define thrice(n) %%( (3 * (@n)) %%)\n' >>own/mine.kpm
printf '# For this.\nfunction which() { return 1 }\n' >"own/$series/which.kp"
printf '# For old.\nfunction which() { return 2 }\n' >own/5.9/which.kp
printf '# From the data directory.\nfunction shared() { return 1 }\n' >data/probec/tapsets/shared.kp
has 'a function of -I' 'Returns the double of a number.' twice -I own
has 'its place' 'own/mine.kp:5' twice -I own
has 'an alias of -I' 'Hit every minute.' mine.minute -I own
has 'its variables' 'Variables: minutes' mine.minute -I own
has 'a macro of -I' 'Three times a number.' thrice -I own
has 'undocumented' 'bare(a, b)  (function)' bare -I own
XDG_DATA_HOME=$PWD/data "$PROBEC" -r "$TARGET" --check -e 'probe begin { println(shared()) }' \
	>said 2>&1 || fail 'a script that uses a function of the user' said
XDG_DATA_HOME=$PWD/data has 'a function of the user' 'From the data directory.' shared
ask hidden -I own >said 2>&1 && fail 'a private function is shown' said
has 'a version' 'For this.' which -I own
ask which -I own | grep -c '(function)' | grep -qx 1 || fail 'files of another kernel'
printf '# Of the script.\nfunction local_one() { return 1 }\nprobe begin { }\n' >script.kp
has 'a function of a script' 'Of the script.' local_one script.kp

ask 'tcp.*' >said || fail 'a pattern' said
LC_ALL=C sort -c said || fail 'the list is not sorted' said
grep -q '^probe tcp.sendmsg  *A process sends data on a TCP connection: sock, size\.$' said ||
	fail 'a line of a list' said
awk 'length > 400' said | grep . && fail 'long lines' said

# Names that do not exist.
refused E_OPTION 'misspelt' ask pidd
grep -q "did you mean 'pid'" said || fail 'misspelt' said
refused E_OPTION 'a function that is not supported' ask task_backtrace
grep -q 'print_backtrace() in kernel.trace' said || fail 'no hint about task_backtrace()' said
refused E_OPTION 'of another tracer' ask comm
grep -q 'execname() is the name' said || fail 'of another tracer' said
refused E_OPTION 'a pattern for nothing' ask 'zzz*'
ask '' >said 2>&1 && fail 'an empty name' said
true

# Paragraphs are set anew, lines of an example are not.
ask execsnoop >said || fail 'a tool with an example' said
awk 'length > 100' said | grep . && fail 'a long line of a paragraph'
sed -n 's/^#  /    /p' "$TOP/tools/execsnoop.kp" | grep -q . || fail 'execsnoop.kp has no example'
sed -n 's/^# \(  .*\)/    \1/p' "$TOP/tools/execsnoop.kp" | while IFS= read -r line; do
	grep -qxF -- "$line" said || fail "the example lost: $line" said
done || exit 1
