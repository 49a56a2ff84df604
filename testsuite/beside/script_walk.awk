#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0
# script_walk.awk FILE - compares what script_walk has printed: the frames that it found with those
# that the program wrote, and the number of groups with that of loops. A main program may be missing
# at a few points: a thread, for example, has none. Fails if there are fewer than 1,000 points.
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
# Perl's caller() does not tell the two apart.
/^= / { our[++ours] = substr($0, 3); sub(/^do "file"/, "require", our[ours]); next }
/^-$/ { next }
/^> / { their[++theirs] = substr($0, 3); next }
{ print "unexpected: " $0; exit failed = 1 }
END {
	if (!failed)
		finish()
	print points " points, " frames " frames, " without_main + 0 " without main"
	exit failed || points < 1000 || frames < 5000 || without_main > points / 20
}
