# SPDX-License-Identifier: GPL-2.0
# Tools that show stacks, without options, on programs in Python, Perl and PHP: the lines of the
# script that spins, waits, wakes and allocates are there, as often and with as much as the program
# does it.
cat >program.py <<'PY'
import ctypes, os, threading, time

libc = ctypes.CDLL("libc.so.6")
libc.malloc.argtypes = [ctypes.c_size_t]
libc.malloc.restype = ctypes.c_void_p

def leak(n): libc.malloc(n)
def waits(): time.sleep(0.05)
def wake(fd): os.write(fd, b"x")

def spin(s):
    end = time.monotonic() + s
    while time.monotonic() < end: pass

a, b = os.pipe()
child = os.fork()
if child == 0:
    os.close(b)
    while os.read(a, 1): pass
    os._exit(0)
spin(float(os.environ.get("SPIN", 0)))
waits()
for _ in range(3): leak(123456)
for _ in range(20):
    wake(b)
    time.sleep(0.005)
os.close(b)
os.waitpid(child, 0)
PY
cat >program.pl <<'PL'
use strict;
my @keep;

sub leak { push @keep, 'x' x $_[0] }
sub waits { select undef, undef, undef, 0.05 }
sub wake { syswrite $_[0], 'x' }

sub spin {
	my $end = (times)[0] + $_[0];
	1 while (times)[0] < $end;
}

pipe my $a, my $b;
my $child = fork;
if (!$child) {
	close $b;
	1 while sysread $a, $_, 1;
	exit;
}
spin($ENV{SPIN} || 0);
waits();
leak(123456) for 1 .. 3;
for (1 .. 20) {
	wake($b);
	select undef, undef, undef, 0.005;
}
close $b;
waitpid $child, 0;
PL
cat >program.php <<'PHP'
<?php
function leak($n) { global $keep; $keep[] = str_repeat('x', $n); }
function waits() { usleep(50000); }
function wake($f) { fwrite($f, "x\n"); }

function spin($s) {
	$end = microtime(true) + $s;
	while (microtime(true) < $end);
}

$f = popen('cat >/dev/null', 'w');
spin((float) getenv('SPIN'));
waits();
for ($i = 0; $i < 3; $i++) leak(123456);
for ($i = 0; $i < 20; $i++) {
	wake($f);
	usleep(5000);
}
# At its end it would free everything.
exec('kill -9 $PPID');
PHP
programs=("$(readlink -f /usr/bin/python3) $PWD/program.py" "/usr/bin/perl $PWD/program.pl")
command -v php >/dev/null && programs+=("$(readlink -f "$(command -v php)") $PWD/program.php")
for program in "${programs[@]}"; do
	for tool in profile offcpu wakeups memleak; do
		"$PROBEC" -w -p4 -r "$TARGET" -D MAXLOAD=0 "$TOP/tools/$tool.kp" -c "$program" \
			>module 2>said || fail "$tool does not compile" said
		cp "$(cat module)" "$tool.${program##*.}.ko"
	done
done
cat >guest <<'SH'
cd "$1" || exit 1
failed() { echo "$*"; cat seen told; exit 1; }
# The value behind the first stack that has the line of the script's function.
value() { # FUNCTION
	awk -v line="^ \\[[a-z]+\\] +: (main::)?$1 at .*/program\\.[a-z]+:[0-9]+$" '
		/^[a-z_]+\[/ { found = 0 }
		$0 ~ line { found = 1 }
		/^\]|^ *,"|^ \]/ && found { print; exit }' seen
}
for program in "${@:2}"; do
	kind=${program##*.}
	run() { # TOOL
		"$PROBERUN" -o seen -c "env USE_ZEND_ALLOC=0 $program" "$1.$kind.ko" \
			2>told
		# PHP's program ends by a signal.
		[ $? -le 1 ] || [ "$kind" = php ] || failed "$1 $kind"
	}
	# On a busy machine a program may be over before the session has read its interpreter; a
	# session that says so is repeated with one that spins longer first.
	shows() { # FUNCTION TOOL
		local least=${SPIN:-0} more
		for more in 0 1 2 4 8 16 32; do
			SPIN=$((least + more)) run "$2"
			[ -z "$(value "$1")" ] || return 0
			grep -q "did not know the process's code yet" told || return 0
		done
	}
	SPIN=1 shows spin profile
	[[ $(value spin) =~ ^\]=[1-9] ]] || failed "profile $kind: $(value spin)"
	shows waits offcpu
	[[ $(value waits) == *' @count=1 '* ]] || failed "offcpu $kind: $(value waits)"
	shows wake wakeups
	# The reader may be slower than the pauses between some of the 20 calls.
	[[ $(value wake) =~ ^\]=([1-9]|1[0-9]|20)$ ]] || failed "wakeups $kind: $(value wake)"
	shows leak memleak
	[[ $(value leak) =~ @count=3\ @min=1234[5-9][0-9] ]] ||
		failed "memleak $kind: $(value leak)"
done
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" \
	"${programs[@]}" >said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
