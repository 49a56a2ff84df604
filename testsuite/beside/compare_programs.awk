# SPDX-License-Identifier: GPL-2.0
# compare_programs.awk DUMPED LOCATED - compare.awk for a program: counts which values of parameters
# agree, and the reasons why the others differ, as lines "COUNT REASON". Lines without a known
# reason are also written to the file `unexplained`. located.c describes the lines. Functions are
# known by their addresses, since the two have other names for them; several copies may be entered
# at one.

function kind(value) { return value == "-" ? "-" : substr(value, 1, 1) }
function count(what) { counts[what]++ }
function unexplained(what, line) { counts["UNEXPLAINED: " what]++; print what ": " line >"unexplained" }

# Remembers the values of a parameter at a place, each once.
function add(to, key, value) {
	if (!(key in to)) to[key] = value
	else if (index(" " to[key] " ", " " value " ") == 0) to[key] = to[key] " " value
}

# A vector register is one of 17 to 32: 0x1122334455667700 + n * 0x10101.
function is_vector(value,   n) {
	for (n = 17; n <= 32; n++)
		if (index(value, sprintf("v11223344%x", 1432778496 + n * 65793)) == 1)
			return 1
	return 0
}

# A constant of a narrow type may be extended or not.
function is_narrow(ours, theirs,   low) {
	low = substr(ours, 2)
	return theirs ~ /^vffffff/ && length(low) < 9 && substr(theirs, length(theirs) - length(low) + 1) == low
}

# A register may have more bits than the type: debug information may leave out those above 32, or of
# a bool, all but one.
function is_part(ours, theirs,   low) {
	low = substr(theirs, 2)
	if (length(low) == 1 && low <= 1)
		return index("02468ace", substr(ours, length(ours))) ? low == 0 : low == 1
	return length(low) <= 8 && length(ours) > 9 && substr(ours, length(ours) - length(low) + 1) == low
}

# Whether another parameter there has its value in theirs.
function is_exchanged(key, value,   at, other) {
	at = key
	sub(/ [^ ]*$/, "", at)
	for (other in theirs)
		if (index(other, at " ") == 1 && other != key && theirs[other] == value && ours[other] != value)
			return 1
	return 0
}

# Whether a value is what another parameter there has, or a small number.
function is_another(key, value,   at, other) {
	if (value ~ /^v[0-9a-f]?[0-9a-f]$/) return 1
	at = key
	sub(/ [^ ]*$/, "", at)
	for (other in ours)
		if (index(other, at " ") == 1 && other != key && ours[other] == value)
			return 1
	return 0
}

function compare_entry(key, mine, other) {
	# A clone may list a parameter twice, in a register and as a constant.
	if (index(" " other " ", " " mine " ") || is_narrow(mine, other)) count("values at entries: the same")
	else if (index(other, "?")) count("values not compared")
	else if (mine == "<") count("values at entries: refused; debug information has a part of the value")
	else if (kind(mine) == "v" && kind(other) == "v" && is_part(mine, other)) count("values at entries: the same, in a wider register")
	else if (mine == "-" && is_vector(other)) count("values at entries: in a vector register")
	else if (mine == "-" && other ~ /:/) count("values at entries: in pieces, of which members have values")
	else if (mine == "-" && kind(other) == "a") count("values at entries: a structure in memory or a slot that is not filled")
	else if (mine == "-" && is_another(key, other)) count("values at entries: refused; debug information has another value at once")
	else if (mine == "-") unexplained("values at entries", key " refused, not " other)
	else if (other == "-") count("values at entries: by convention; debug information has none here")
	else if (kind(other) == "a") count("values at entries: by convention; debug information has a slot that is not filled yet")
	else if (is_exchanged(key, mine)) count("values at entries: by convention; debug information has parameters exchanged")
	else if (is_another(key, other)) count("values at entries: by convention; debug information has another value at once")
	else unexplained("values at entries", key " " mine ", not " other)
}

# repeated: a copy whose beginning is repeated there is among ours.
function compare_copy(key, ours, theirs, repeated,   all, i, n) {
	n = split(ours, all, " ")
	for (i = 1; i <= n; i++) {
		if (index(" " theirs " ", " " all[i] " ")) count("values in copies: the same")
		else if (index(theirs, "?") || theirs ~ /:/ || is_vector(theirs)) count("values not compared")
		else if (all[i] == "-" && kind(theirs) == "a") count("values in copies: not available; debug information has an address")
		else if (all[i] == "<") count("values in copies: refused; debug information has a part of the value")
		else if (repeated) count("values in copies: of a repeated beginning")
		else unexplained("values in copies", key " " all[i] ", not " theirs)
	}
}

NF == 3 { if (FNR == NR) place[$1 " " $2]++; else if ($1 != "0") own_place[$1 " " $2]++; next }
FNR == NR { add(theirs, $1 " " $2 " " $4, $5); next }
$1 != "0" { add(ours, $1 " " $2 " " $4, $5); listed[$1 " " $2] = 1 }

# The file `statements` has the addresses at which the line table begins statements.
END {
	while ((getline line <"statements") > 0) statement[line] = 1
	for (at in own_place) {
		what = at ~ / c$/ ? "copies" : "functions"
		if (at in place) count(what ": the same")
		else if (what == "copies" && substr(at, 1, length(at) - 2) in statement)
			count("copies: a repeated beginning")
		else if (what == "copies") unexplained(what, at)
		else count("functions: without debug information")
	}
	for (key in ours) {
		split(key, part, " ")
		if (!((part[1] " " part[2]) in place)) continue
		if (!(key in theirs)) count("a name that debug information has elsewhere")
		else if (part[2] == "e") compare_entry(key, ours[key], theirs[key])
		else compare_copy(key, ours[key], theirs[key],
				  own_place[part[1] " " part[2]] > place[part[1] " " part[2]])
	}
	for (key in theirs) {
		split(key, part, " ")
		at = part[1] " " part[2]
		if (!(at in own_place) || key in ours) continue
		if (at in listed) unexplained("a name that is not listed", key)
		else count("names of a function in another one: a closure, or a method of a local class")
	}
	for (what in counts) print counts[what], what
}
