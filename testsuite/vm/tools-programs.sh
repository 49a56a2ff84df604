# SPDX-License-Identifier: GPL-2.0
# The tools for programs, compared with what the programs know: bash's lines from a terminal, the
# calls of Python's functions by sys.setprofile, and a sleep of known length.
tool() { # NAME [ARGUMENT]...
	"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$1.kp" "${@:2}" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
tool bashreadline
tool funcslower libc clock_nanosleep 100000
python=
if [ -x /usr/bin/python3 ] && readelf -n "$(readlink -f /usr/bin/python3)" |
	grep -q function__entry; then
	tool pycalls
	python=yes
fi
cat >program.py <<'PY'
import sys
calls = {}

def leaf(n):
    return n + 1

def tree(n):
    return leaf(n) if n == 0 else tree(n - 1) + tree(n - 1)

def fails(n):
    raise ValueError(n)

def gives(n):
    for i in range(n):
        yield leaf(i)

def count(frame, event, arg):
    if event == 'call' and frame.f_code.co_filename == __file__:
        calls[frame.f_code.co_name] = calls.get(frame.f_code.co_name, 0) + 1

sys.setprofile(count)
tree(6)
for i in range(400):
    try:
        fails(i)
    except ValueError:
        pass
list(gives(500))
sys.setprofile(None)
for name in sorted(calls):
    print(name, calls[name])
PY
cat >guest <<'SH'
cd "$1" || exit 1
. "$TOP/testsuite/check.sh"
mkdir -p /dev/pts && { mountpoint -q /dev/pts || mount -t devpts devpts /dev/pts; }
"$PROBERUN" -o lines -c \
	'printf "echo one\necho two words\nexit\n" | script -qc "bash --norc -i" /dev/null >terminal' bashreadline.ko || exit 1
check 'lines' "$(awk 'NR > 1 { $1 = $2 = $3 = ""; print substr($0, 4) }' lines)" \
	"$(printf 'echo one\necho two words\nexit')"

"$PROBERUN" -o calls -c 'sleep 0.2; sleep 0.01; sleep 0.3' funcslower.ko || exit 1
check 'slow calls' \
	"$(awk '$1 == "sleep" && $3 >= 200000 { print $4 }' calls | sort | uniq -c | awk '{ print $1 }')" 2
grep -q '^clock_nanosleep: [0-9]* calls, microseconds:$' calls || { cat calls; exit 1; }
check 'the time of the slowest call' "$(awk '$4 == "clock_nanosleep" && $3 > most { most = $3 }
	END { print most }' calls)" "$(sed -n 's/^p50=.* max=//p' calls)"

[ -z "$2" ] && exit 0
"$PROBERUN" -o calls -c '/usr/bin/python3 program.py >told' pycalls.ko || exit 1
check 'Python' \
	"$(awk '$3 ~ /program.py\)$/ && $2 ~ /^(leaf|tree|fails|gives)$/ { print $2, $1 }' calls | sort)" "$(grep -v '^count' told)"
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" TOP="$TOP" \
	bash ./guest "$PWD" "$python" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
