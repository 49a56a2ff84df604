# SPDX-License-Identifier: GPL-2.0
# The cache has a module for each program that a script may mean: that of -c and of -x, of a
# relative path, of a name in PATH, and of a pattern when another file matches. The module's own
# description says which program it probes.
#@ needs: target
# shellcheck shell=bash disable=SC2154
export PROBEC_DEBUGINFO=
mkdir here there
echo 'int work(int x) { return x + 1; }
int main(int c, char **v) { work(c); return pause(); }' >work.c
gcc -w -g -O0 -o here/work work.c 2>log || fail 'the program' log
gcc -w -g -O1 -fno-inline -o there/work work.c 2>log || fail 'the program' log

# probed DIRECTORY FILE [OPTION]...: the module that is made in DIRECTORY probes FILE, when it is
# built and when it is taken from the cache.
probed() {
	local module last='' file=$2
	for _ in 1 2; do
		module=$(cd "$1" && "$PROBEC" -w -p4 -r "$TARGET" "${@:3}" 2>said) ||
			fail "${*@Q}" "$1/said"
		grep -qa "$PWD/$file" "$module" || fail "${*@Q}: another program"
		[ "${last:-$module}" = "$module" ] || fail "${*@Q}: not taken from the cache"
		last=$module
	done
}
handler="{ println(\$arg1) } # $(mktemp -u XXXXXXXXXX)" # built by nobody else
work="probe process.function(\"work\") $handler"
for dir in here there here; do
	probed . $dir/work -c "./$dir/work" -e "$work"
	probed $dir $dir/work -e "probe process(\"./work\").function(\"work\") $handler"
	probed $dir $dir/work -e "probe process(\"work\").function(\"work\") $handler"
	PATH=$PWD/$dir:$PATH \
		probed . $dir/work -e "probe process(\"work\").function(\"work\") $handler"
	"./$dir/work" &
	probed . $dir/work -x $! -e "$work"
	kill $!
done
pattern="probe process(\"$PWD/there/wor*\").function(\"work\") { }
	probe process(\"$PWD/here/work\").begin { }"
probed . here/work -e "$pattern # ${handler#*# }"
cp there/work there/worker
probed . there/worker -e "$pattern # ${handler#*# }"
