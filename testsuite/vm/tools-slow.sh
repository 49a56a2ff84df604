# SPDX-License-Identifier: GPL-2.0
# pyslow and perlslow: the calls that take long, compared with the times that the programs take
# themselves. A call of 250 ms is shown, one of less than 100 ms is not, and none is shown to be
# longer than the program says.
tool() { # NAME [ARGUMENT]...
	"$PROBEC" -w -p4 -r "$TARGET" "$TOP/tools/$1.kp" "${@:2}" >module 2>said ||
		fail "$1 does not compile" said
	cp "$(cat module)" "$1.ko"
}
tool perlslow 100
python=
if [ -x /usr/bin/python3 ] && readelf -n "$(readlink -f /usr/bin/python3)" |
	grep -q function__return; then
	tool pyslow 100
	python=yes
else
	"$PROBEC" -p4 -r "$TARGET" "$TOP/tools/pyslow.kp" 100 >module 2>said &&
		fail 'pyslow compiles without the marker' module
	grep -q function__return said || fail 'the marker is not named' said
fi
cat >program.py <<'PY'
import sys, time

own = open(sys.argv[1], "w")

def timed(name, f, *arguments):
    begin = time.perf_counter_ns()
    try:
        f(*arguments)
    except ValueError:
        pass
    us = (time.perf_counter_ns() - begin) // 1000
    own.write(f"{name} {us}\n")

def sleeps(s):
    time.sleep(s)

def spins(s):
    end = time.perf_counter() + s
    while time.perf_counter() < end:
        pass

def leaf(n):
    return n + 1

def calls(n):
    for i in range(n):
        leaf(i)

def fails(s):
    time.sleep(s)
    raise ValueError

class Shop:
    def order(self, s):
        calls(20)
        time.sleep(s)

class Rest:
    def __del__(self):
        leaf(0)

def last(s):
    rest = Rest()
    time.sleep(s)

def gives(s):
    yield 1
    time.sleep(s)
    yield 2

for n in range(40):
    timed("sleeps", sleeps, 0.002)
    timed("leaf", leaf, n)
    timed("last", last, 0)
for n in range(2):
    timed("sleeps", sleeps, 0.25)
    timed("spins", spins, 0.25)
    timed("spins", spins, 0.001)
    timed("calls", calls, 20000)
    timed("fails", fails, 0.25)
    timed("Shop.order", Shop().order, 0.25)
    timed("last", last, 0.25)
    it = gives(0.25)
    timed("gives", next, it)
    time.sleep(0.25)
    timed("gives", next, it)
PY
cat >program.pl <<'PL'
use strict;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep);

open my $own, '>', $ARGV[0] or die;

sub timed {
	my ($name, $f, @arguments) = @_;
	my $begin = clock_gettime(CLOCK_MONOTONIC);
	eval { $f->(@arguments) };
	printf $own "%s %d\n", $name, (clock_gettime(CLOCK_MONOTONIC) - $begin) * 1e6;
}

sub sleeps { sleep $_[0]; return }

sub spins {
	my $end = clock_gettime(CLOCK_MONOTONIC) + $_[0];
	1 while clock_gettime(CLOCK_MONOTONIC) < $end;
	return;
}

sub leaf { $_[0] + 1 }

sub calls {
	leaf($_) for 1 .. $_[0];
	return;
}

sub fails { sleep $_[0]; die "ends\n" }

# The array of contexts grows while this is active.
sub deep {
	my ($n, $s) = @_;
	no warnings 'recursion';
	return deep($n - 1, $s) if $n;
	sleep $s;
	return;
}

sub Shop::DESTROY { main::leaf(1); sleep $_[0][0]; return }

sub last_one { my $shop = bless [$_[0]], 'Shop'; undef $shop; return }

for my $n (1 .. 40) {
	timed('main::sleeps', \&sleeps, 0.002);
	timed('main::leaf', \&leaf, $n);
	timed('main::fails', \&fails, 0);
}
for (1 .. 2) {
	timed('main::sleeps', \&sleeps, 0.25);
	timed('main::spins', \&spins, 0.25);
	timed('main::spins', \&spins, 0.001);
	timed('main::calls', \&calls, 1000);
	timed('-', \&fails, 0.25);
	timed('main::last_one', \&last_one, 0.25);
	timed('-', sub { my @sorted = sort { sleep 0.25; $a <=> $b } 2, 1 });
}
timed('-', \&deep, 40, 0.25);
PL
cat >compare <<'SH'
# compare PROGRAM OUTPUT OWN: each call that took 250 ms is shown, in this order; others may be if
# they took 100 ms. Calls of functions that the program does not time itself are left out.
awk -v program="$1" '
	NR == FNR { own[++n] = $1; us[n] = $2; timed[$1]; next }
	FNR == 1 || /^$/ { if (!NF) exit; next }
	index($0, "(" program ":") && $4 in timed {
		for (at++; at <= n && (own[at] != $4 || us[at] < $3); at++)
			if (us[at] >= 250000 && own[at] != "-") { bad = own[at] " " us[at]; exit }
		if (at > n) { bad = "not by the program: " $0; exit }
		shown++
	}
	END {
		for (at++; at <= n; at++)
			if (us[at] >= 250000 && own[at] != "-") bad = bad own[at] " " us[at]
		if (bad != "" || shown < 6) { print "not the same: " bad ", " shown; exit 1 }
	}' "$3" "$2"
SH
cat >guest <<'SH'
cd "$1" || exit 1
"$PROBERUN" -o seen -c "perl $1/program.pl own" perlslow.ko || exit 1
bash compare "$1/program.pl" seen own || { cat own seen; exit 1; }
grep -q '^ *41 .* main::deep (' seen || { cat seen; exit 1; }
[ -z "$2" ] && exit 0
"$PROBERUN" -o seen -c "/usr/bin/python3 $1/program.py own" pyslow.ko 2>told || exit 1
# Some code can't be read when the program begins.
grep -v -e '^ *= ' -e 'was not in memory \[E_SKIPPED\]$' told && exit 1
bash compare "$1/program.py" seen own || { cat own seen; exit 1; }
SH
"$TOP/lab/run" --smp 2 "$KERNEL" -- env PROBERUN="$PROBERUN" bash ./guest "$PWD" "$python" \
	>said 2>&1 || fail "status $?" said
[ ! -s said ] || fail 'it says' said
