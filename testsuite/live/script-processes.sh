# SPDX-License-Identifier: GPL-2.0
#@ needs: python3 perl unshare
#@ slow
# Stacks with the frames of scripts, beside those that the programs write themselves: of processes
# that a server has started, at once and when it has ended, of their threads, after they have begun
# to run another interpreter, and in a namespace whose files are at other places. A probe of the
# kernel can't wait until the loader has read an interpreter, so each is started until that is so.
. "$TOP/testsuite/expect.sh"
folder=$(mktemp -d) || exit 1
trap 'rm -r "$folder"' EXIT
python=$(python3 -c 'import os, sys; print(os.path.realpath(sys.executable))')
cp "$TOP/testsuite/programs/workers.py" "$folder"
cat >"$folder/next.pl" <<'PL'
$^F = 99;
open $judge, '>&=', 99 or die;
sub point {
	my ($file, $line, $text) = (__FILE__, __LINE__ + 6, "$$\n");
	for (my $i = 0; my @c = caller($i); $i++) {
		$text .= "$c[3]\t$file\t$line\n";
		($file, $line) = @c[1, 2];
	}
	$text .= "main\t$file\t$line\n\n";
	syswrite $judge, $text;
}
sub Shop::order { my $n = shift; $n ? Shop::order($n - 1) : point() }
Shop::order(3) for 1 .. 5;
exec @ARGV if @ARGV;
PL
cat >"$folder/last.php" <<'PHP'
<?php
function point() {
	$text = getmypid() . "\nfwrite\t\t0\n";
	$place = __FILE__ . "\t" . (__LINE__ + 5);
	foreach (debug_backtrace() as $frame) {
		$text .= "$frame[function]\t$place\n";
		$place = "$frame[file]\t$frame[line]";
	}
	$text .= "{main}\t$place\n\n"; fwrite(STDERR, $text);
}
function order($n) { return $n ? order($n - 1) : point(); }
for ($i = 0; $i < 5; $i++)
	order(3);
PHP
# PHP would write to a copy of descriptor 99.
echo 'exec php -d display_errors=0 "${0%/*}/last.php" 2>&99' >"$folder/last.sh"
then=(perl "$folder/next.pl")
points=69
php=$(command -v php) && then+=(bash "$folder/last.sh") points=84

cat >"$folder/known.py" <<'PY'
import os, time
known = False
while not known:
    os.write(99, b"")
    time.sleep(0.05)
    known = any(line.startswith(" [python]") for line in open(os.environ["out"]))
PY
cat >"$folder/known.pl" <<'PL'
$^F = 99;
open $judge, '>&=', 99 or die;
do {
	syswrite $judge, "\n";
	select undef, undef, undef, 0.05;
	open $out, '<', $ENV{out} or die;
} until grep { /^ \[perl\]/ } <$out>;
PL
cat >"$folder/known.php" <<'PHP'
<?php
do {
	fwrite(STDERR, "\n");
	usleep(50000);
} while (!preg_match('/^ \[php\]/m', file_get_contents(getenv('out'))));
PHP
cat >"$folder/known" <<'SH2'
known() { # PYTHON PERL
	"$1" "$folder/known.py" 99>/dev/null
	"$2" "$folder/known.pl" 99>/dev/null
	! command -v php >/dev/null || php "$folder/known.php" 2>/dev/null
}
SH2
# A block of lines for each stack becomes a line; the order of processes may be another one.
blocks() { awk 'BEGIN { RS = ""; FS = "\n"; OFS = "|" } { $1 = $1; print }' "$1" | sort; }
early=" stacks\\? of processes .* incomplete: the loader did not know the process's code yet"
compare() { # WHAT POINTS
	grep -v "$early" "$folder/err" && fail "messages, $1"
	reported=$(sed -n "s/^probec: warning: \\([0-9]*\\)$early.*/\\1/p" "$folder/err")
	awk 'BEGIN { OFS = "\t" }
		!/^ \[[a-z]+\] +: / { print; next }
		{
			sub(/^ \[[a-z]+\] +: /, "")
			if (!match($0, / at [\/(<]/)) { print $0, "", 0; next }
			file = line = substr($0, RSTART + 4)
			sub(/:[0-9]+$/, "", file)
			sub(/.*:/, "", line)
			print substr($0, 1, RSTART - 1), file, line
		}' "$folder/out" >"$folder/ours"
	blocks "$folder/theirs" >"$folder/b"
	cut -d'|' -f1 "$folder/b" | sort -u >"$folder/pids"
	blocks "$folder/ours" | awk -F'|' 'NR == FNR { their[$1]; next } $1 in their' \
		"$folder/pids" - >"$folder/a"
	[ "$(wc -l <"$folder/b")" -ge "$2" ] || fail "points, $1" "$folder/b"
	# A process that is changing its mappings may not be known for a moment, which is reported.
	awk -v most="${reported:-0}" 'NR == FNR { n[$0]++; total++; next }
		/^[0-9]+$/ { absent++; next }
		n[$0]-- < 1 { print "not theirs:", $0; failed = 1 }
		{ equal++ }
		END {
			print total, equal, absent + 0, most
			exit failed || equal + absent != total || absent > most ||
				absent > total / 10
		}' "$folder/b" "$folder/a" >"$folder/difference" ||
		fail "other stacks, $1" "$folder/difference" "$folder/a" "$folder/b"
}
# The pipe is open as long as one of the processes is there.
cat >"$folder/run" <<'SH2'
. "$folder/known"
known "$1" perl
"$@" 99>"$theirs" 98>&1 | cat >/dev/null
SH2
export folder out=$folder/out theirs=$folder/theirs
"$PROBERUN" -o "$folder/out" "$MODULE" \
	-c "bash $folder/run $python $folder/workers.py ${then[*]}" 2>"$folder/err" ||
	fail 'the status' "$folder/err"
compare processes "$points"

# The interpreters and scripts of the namespace are at places where others have no files.
cat >"$folder/enter" <<'SH2'
set -e
mount -t tmpfs none "$root"
for d in usr lib lib64 bin etc dev proc root; do
	[ -e /$d ] || continue
	mkdir -p "$root/$d"
	mount --rbind /$d "$root/$d"
done
mkdir -p "$root/opt/own/bin" "$root/srv" "$root/tmp"
cp "$1" "$root/opt/own/bin/python"
cp "$(readlink -f "$(command -v perl)")" "$root/opt/own/bin/perl"
cp "$folder"/*.py "$folder"/*.pl "$folder"/last.* "$root/srv"
. "$folder/known"
PYTHONHOME=$2 known "$root/opt/own/bin/python" "$root/opt/own/bin/perl"
chroot "$root" env PYTHONHOME="$2" \
	/opt/own/bin/python /srv/workers.py /opt/own/bin/perl /srv/next.pl "${@:3}" \
	99>"$theirs" 98>&1 | cat >/dev/null
SH2
mkdir "$folder/root"
home=$("$python" -c 'import sys; print(sys.prefix)')
export root=$folder/root
enter="unshare -m --propagation private bash $folder/enter $python $home"
"$PROBERUN" -o "$folder/out" "$MODULE" -c "$enter ${php:+bash /srv/last.sh}" 2>"$folder/err" ||
	fail 'the status in a namespace' "$folder/err"
compare namespace "$points"
