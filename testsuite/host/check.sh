# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3
# probec check: which script works on which kernel, and what differs. A target that lacks a function
# stands for a kernel; between real ones, probec --check and probec -l are the judges.
# shellcheck shell=bash disable=SC2154
. "$TOP/testsuite/target.sh"
release=${TARGET##*/}
export TMPDIR=$PWD/tmp
mkdir targets tmp
cp "$TARGET" targets/a
changed_target targets/b symbols vfs_fsync_range vfs_fsync_rangX \
	ftrace vfs_fsync_range vfs_fsync_rangX
echo 'no target' >targets/README
echo 'probe kernel.function("vfs_fsync_range") { n[$datasync]++ }' >one.kp
echo 'probe kernel.function("vfs_fsync_range")? { n[$datasync]++ } probe begin { }' >any.kp
echo 'probe kernel.function("vfs_fsync_range"), kernel.function("vfs_read") { n++ }' >two.kp
echo 'probe kernel.function("vfs_read") { n[$count]++ }' >same.kp
echo 'probe timer.s(1) { n[$1]++ }' >words.kp

"$PROBEC" check same.kp one.kp any.kp 'words.kp 7' -r targets >out 2>said && fail 'status 0' out
diff - out >d <<X || fail 'the table' d said
1: $release
2: $release

            1        2
same.kp     yes      yes
one.kp      yes      no
any.kp      yes      differs
words.kp 7  yes      yes

one.kp:
  2: one.kp:1:23-39: error: kernel $release has no function 'vfs_fsync_range' [E_NO_MATCH]

any.kp, compared with 1:
  2: kernel.function("vfs_fsync_range"): vfs_fsync_range is not there
  2: kernel.function("vfs_fsync_range"): \$datasync is not used

Not known without debug information: inlined functions, on 1, 2
X
[ ! -s said ] || fail 'messages' said

# The statuses.
status() { # EXPECTED WORDS...
	"$PROBEC" check "${@:2}" >out 2>said
	local got=$?
	[ $got = "$1" ] || fail "status $got: ${*:2}" out said
}
status 0 same.kp any.kp -r targets
status 1 same.kp any.kp -r targets --same
status 0 same.kp any.kp -r targets/a -r targets/a --same
status 1 one.kp -r targets/b -r targets/a
grep -qx 'one.kp  no       yes' out || fail 'the first kernel is the one that lacks it' out
status 1 two.kp -v -r targets/b
grep -q '|  *\^' out || fail '-v: the whole message' out
status 1 words.kp -r targets/a
grep -q '1: words.kp:1:22.*E_ARG' out || fail 'an argument that is missing' out
status 1 same.kp -r 9.9.9-none
grep -q '1: .*9.9.9-none.*E_NO_HEADERS' out || fail 'a kernel that is not known' out
mkdir empty
for words in '' 'same.kp' '-r targets' 'same.kp -r empty' 'same.kp -r targets --format=x' \
	'--nonsense'; do
	# shellcheck disable=SC2086
	status 2 $words
	grep -q 'E_OPTION' said && [ ! -s out ] || fail "$words" out said
done
"$PROBEC" check --help | grep -q '^Usage: probec check' || fail '--help'
"$PROBEC" check same.kp -r targets >/dev/full 2>said && fail 'a full disk' said
[ -z "$(ls tmp)" ] || fail 'files are left'

# JSON says the same.
"$PROBEC" check same.kp one.kp any.kp -r targets --format=json >out
python3 - "$release" <<'X' || fail 'json' out
import json, sys
o = json.load(open('out'))
assert [k['kernel'] for k in o['kernels']] == [sys.argv[1]] * 2
assert [k['target'] for k in o['kernels']] == ['targets/a', 'targets/b']
assert not any(k['inlined_known'] for k in o['kernels'])
assert [[k['works'] for k in s['on']] for s in o['scripts']] == [
    ['yes', 'yes'], ['yes', 'no'], ['yes', 'differs']]
assert o['scripts'][1]['on'][1]['error'].endswith('[E_NO_MATCH]')
assert 'error' not in o['scripts'][2]['on'][1]
assert len(o['scripts'][2]['on'][1]['differences']) == 2
X

# All kernels that are here.
kernels=()
for kernel in $KERNELS; do kernels+=("$("$TOP/lab/run" --target "$kernel")"); done
words=()
for target in "${kernels[@]}"; do words+=(-r "$target"); done
tools=(opensnoop cachestat klockstat slabtop iouring fsdist)
"$PROBEC" check "${tools[@]}" "${words[@]}" --format=json >out
for tool in "${tools[@]}"; do
	for target in "${kernels[@]}"; do
		"$PROBEC" --check -w -r "$target" "$tool" >/dev/null 2>&1 && echo yes || echo no
	done
done >expected
python3 - <<'X' | diff expected - >d || fail 'probec --check says otherwise' d out
import json
for s in json.load(open('out'))['scripts']:
    for k in s['on']:
        print('no' if k['works'] == 'no' else 'yes')
X
echo 'probe kernel.function("vfs_*") { n++ }' >all.kp
"$PROBEC" check all.kp "${words[@]}" --format=json >out
functions() {
	"$PROBEC" -l 'kernel.function("vfs_*")' -r "$1" | sed 's/.*("\([^"]*\)").*/\1/' | sort
}
functions "${kernels[0]}" >first
for target in "${kernels[@]}"; do
	functions "$target" | diff first - | sed -n 's/^> \(.*\)/\1 is there as well/p
		s/^< \(.*\)/\1 is not there/p' | sort
done >expected
python3 - <<'X' | diff expected - >d || fail 'probec -l says otherwise' d out
import json
for k in json.load(open('out'))['scripts'][0]['on']:
    for d in sorted(d.split(': ')[1] for d in k['differences']):
        print(d)
X

# Inlined functions of kernels whose debug symbols are here (lab/symbols).
names='rw_verify_area vfs_fsync_range path_get dput'
for name in $names; do echo "probe kernel.function(\"$name\") { n++ }"; done >inlined.kp
known='' words=()
for kernel in $KERNELS; do
	debug=$("$TOP/lab/symbols" --if-here "$kernel") || continue
	target=$("$TOP/lab/run" --target "$kernel")
	known+=${known:+:}$debug words+=(-r "$target")
	for name in $names; do
		"$PROBEC" --debuginfo "$debug" -r "$target" \
			-l "kernel.function(\"$name\").inline" >/dev/null 2>&1 && echo "$name"
	done | sort >"inlined.$((${#words[@]} / 2))"
done
status 2 same.kp --inlined -r targets/a
grep -q 'E_OPTION' said || fail '--inlined with a script' said
cp "$TARGET" without
status 1 --inlined -r without --debuginfo=
grep -q 'E_NO_DEBUGINFO' said && cmp -s "$TARGET" without || fail '--inlined without symbols' said
[ ${#words[@]} -ge 4 ] || exit 0
"$PROBEC" check inlined.kp --debuginfo "$known" "${words[@]}" --format=json >out
[ "$(grep -o '"inlined_known":true' out | wc -l)" = $((${#words[@]} / 2)) ] ||
	fail 'symbols that are here' out
for ((i = 2; i <= ${#words[@]} / 2; i++)); do
	diff inlined.1 inlined.$i | sed -n 's/^> \(.*\)/\1 is inlined at some places/p
		s/^< \(.*\)/\1 is inlined nowhere/p' | sort
done >expected
python3 - <<'X' | diff expected - >d || fail 'the judge of inlined functions says otherwise' d out
import json
for k in json.load(open('out'))['scripts'][0]['on']:
    for d in sorted(d.split(': ')[1] for d in k['differences'] if 'inlined' in d):
        print(d)
X
# Targets that carry it need no symbols then, and are else what they were.
copies=()
for ((i = 1; i < ${#words[@]}; i += 2)); do
	cp "${words[i]}" "carries.$i"
	copies+=(-r "carries.$i")
done
status 0 --inlined "${copies[@]}" --debuginfo "$known"
[ "$(grep -c ': [0-9]* functions are inlined' out)" = $((${#words[@]} / 2)) ] || fail 'carried' out
status 0 --inlined "${copies[@]}" --debuginfo=
grep -q 'already says' out || fail 'twice' out
cmp "${words[1]}" carries.1 | grep -q "byte $(($(stat -c %s "${words[1]}") - 3))," ||
	fail 'the rest of the target'
"$PROBEC" check inlined.kp "${copies[@]}" --debuginfo= >out
grep -q 'Not known' out && fail 'it is not known' out
grep -o '[^ ]* is inlined .*' out | sort | diff expected - >d || fail 'what is carried' d out

# Numbers of processes that come again: in this PID namespace, each new one gets the same, unless it
# is taken.
if [ "$(id -u)" = 0 ] && unshare -pf true 2>/dev/null; then
	unshare -pf --mount-proc bash -c '
		while :; do echo 1000 >/proc/sys/kernel/ns_last_pid; done &
		"$0" check same.kp any.kp "words.kp 7" -r targets >out 2>said' "$PROBEC" ||
		fail 'the same number twice' out said
fi

exit 0
