# SPDX-License-Identifier: GPL-2.0
# Frames of Perl in a stopped program's memory: what caller() and Carp say at a thousand points, and
# as many groups of them as the native stack has run loops.
# shellcheck shell=bash disable=SC2154
make -s -C "$TOP" build/testsuite/beside/script_walk >made 2>&1 || fail 'not built' made
"$TOP/build/testsuite/beside/script_walk" perl "$TOP/testsuite/programs/script.pl" 1000 \
	>walked 2>log
status=$?
[ $status = 0 ] || fail "status $status" log
# A thread's outermost frame is what it was created with: it has no main program.
awk '
	function differ(what, i) {
		print what ": " head
		for (i = 1; i <= ours || i <= theirs; i++)
			print "  " our[i] " | " their[i]
		exit failed = 1
	}
	function finish(i) {
		points += head != ""
		if (loops != groups)
			differ(loops " loops, " groups " groups")
		if (theirs == ours + 1 && their[theirs] ~ /^main\t/)
			without_main++
		else if (ours != theirs)
			differ("number of frames")
		for (i = 1; i <= ours; i++)
			if (our[i] != their[i])
				differ("frame " i)
		frames += ours
	}
	/^point / {
		finish()
		head = $0; loops = $2; groups = $3; ours = theirs = 0
		if ($4)
			differ("ended by " $4)
		next
	}
	# caller() does not tell them apart.
	/^= / { our[++ours] = substr($0, 3); sub(/^do "file"/, "require", our[ours]); next }
	/^-$/ { next }
	/^> / { their[++theirs] = substr($0, 3); next }
	{ print "unexpected: " $0; exit failed = 1 }
	END {
		if (!failed)
			finish()
		print points " points, " frames " frames, " without_main + 0 " without main"
		exit failed || points < 1000 || frames < 5000 || without_main > points / 20
	}' walked >compared || fail 'frames differ' compared
