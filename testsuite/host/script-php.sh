# SPDX-License-Identifier: GPL-2.0
# Frames of PHP in a stopped program's memory, with opcache and without: what debug_backtrace() says
# at a thousand points, and as many groups of them as the native stack has loops.
# shellcheck shell=bash disable=SC2154
php --version >version 2>&1 || { echo 'php is not installed'; exit 77; }
make -s -C "$TOP" build/testsuite/beside/script_walk >made 2>&1 || fail 'not built' made
for cache in 0 1; do
	mkdir -p made_files
	"$TOP/build/testsuite/beside/script_walk" php -d opcache.enable_cli=$cache \
		"$TOP/testsuite/programs/script.php" 1000 made_files >walked 2>log
	status=$?
	[ $status = 0 ] || fail "status $status" log
	grep '^refused: php' walked >log && { tail -n 1 log; exit 77; }
	"$TOP/testsuite/beside/script_walk.awk" walked >compared || fail 'frames differ' compared
done
