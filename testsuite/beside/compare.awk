# SPDX-License-Identifier: GPL-2.0
# compare.awk NM TARGET DUMPED LOCATED - counts how many lines of the latter two agree, and the
# reasons why the others differ, as lines "COUNT REASON". Lines without a known reason are also
# written to the file `unexplained`. located.c describes the lines.

function next_file() { if (FNR == 1) file++ }

# Returns the last address in the ascending list of @n addresses that is not behind @pc.
function last_of(list, n, pc,   low, high, mid) {
	low = 0; high = n
	while (low < high) {
		mid = int((low + high) / 2)
		if ("x" list[mid] <= "x" pc) low = mid + 1; else high = mid
	}
	return low ? list[low - 1] : ""
}

# Names of the text symbol at an address; entry of the function in debug information.
function symbol_at(pc) { return names[last_of(start, nsymbols, pc)] }
function function_at(pc) { return last_of(functions, nfunctions, pc) }

function is_init(pc) {
	return ("x" pc >= "x" first_init && "x" pc < "x" end_init) || ("x" pc >= "x" first_exit && "x" pc < "x" end_exit)
}

# Returns whether one of the function's names at @pc is in a list.
function is_in(list, pc,   n, each, i) {
	n = split(symbol_at(pc), each, " ")
	for (i = 1; i <= n; i++)
		if (each[i] in list) return 1
	return 0
}

# The file has each line once, so several values belong to copies at one address.
function add(to,   key) {
	key = $1 " " $2 " " $3 " " $4
	if (key in to) to[key] = to[key] " " $5
	else to[key] = $5
}

function count(what) { counts[what]++ }
function unexplained(what, line) { counts["UNEXPLAINED: " what]++; print what ": " line >"unexplained" }

function kind(value) { return value == "-" ? "-" : substr(value, 1, 1) }

function compare(key, ours, theirs,   part) {
	split(key, part, " ")
	if (ours == theirs)
		count(part[2] == "c" ? "values in copies: the same" : "values at entries: the same")
	else if (index(theirs, "?"))
		count(ours == "-" ? "values that are not worked out on either side" : "values not compared")
	else if (part[2] == "c" && kind(ours) == "p" && substr(ours, 2) == substr(theirs, 2))
		count("values in copies: of this processor, where debug information has what is added to its base")
	else if (part[2] == "c" && ours == "-" && kind(theirs) == "a" && ++early <= 10)
		count("values in copies: not available; debug information has a slot that is not filled yet")
	else if (part[2] == "c")
		unexplained("values in copies", key " " ours ", not " theirs)
	else if (ours == "-")
		count("values at entries: a structure, whose members have values")
	else if (kind(ours) == "v" && kind(theirs) == "-" || kind(ours) == "a" && kind(theirs) == "-")
		count("values at entries: by convention; debug information has none")
	else if (kind(theirs) == "a")
		count("values at entries: by convention; debug information has a slot that is not filled yet")
	else
		count("values at entries: by convention; debug information has what comes later")
}

{ next_file() }

# Debug information has only a part of the value.
$5 == "<" { $5 = "-" }

file == 1 {
	if ($3 == "_sinittext") first_init = $1
	if ($3 == "_einittext") end_init = $1
	if ($3 == "__exittext_begin") first_exit = $1
	if ($3 == "__exittext_end") end_exit = $1
	if ($2 !~ /[tTwW]/) next
	if (!($1 in names)) start[nsymbols++] = $1
	names[$1] = names[$1] " " $3
	next
}

file == 2 {
	if ($1 == "section") section = $2
	else if (section == "blacklist") blacklist[$1] = 1
	else if (section == "ftrace") traceable[$1] = 1
	next
}

file == 3 && NF == 3 && $2 == "r" { rest[$1 " c " $3] = 1; next }
file == 3 && NF == 3 {
	theirs[$0] = 1
	if ($2 == "e") {
		if (!($1 in begins)) functions[nfunctions++] = $1
		begins[$1] = 1
	}
	next
}
file == 3 && NF == 5 { add(value); next }
file == 4 && NF == 3 { ours[$0] = 1; probed[$3] = 1; if ($2 == "e") entered[$1] = 1; next }
file == 4 && NF == 5 { add(own); next }

END {
	for (line in ours) {
		split(line, part, " ")
		what = part[2] == "c" ? "copies" : "functions"
		if (line in theirs) count(what ": the same")
		else if (part[2] == "c") unexplained("copies", line)
		else if (part[1] in begins) count("functions: one of several names of an address")
		else count("functions: assembler, without debug information")
	}
	for (line in theirs) {
		if (line in ours) continue
		split(line, part, " ")
		what = part[2] == "c" ? "copies" : "functions"
		if (part[2] == "e" && part[1] in entered) count("functions: one of several names of an address")
		else if (is_init(part[1])) count(what " left out: __init and __exit code")
		else if (is_in(blacklist, part[1])) count(what " left out: the kernel's blacklist")
		else if (part[2] == "e" && symbol_at(part[1]) ~ /\.part\./ && part[3] in probed)
			count("functions left out: a part of a function that is probed where it begins")
		else if (part[2] == "e" && !is_in(traceable, part[1]))
			count("functions left out of a pattern: not in the kernel's list of what can be traced")
		else if (!(function_at(part[1]) in names)) count(what " left out: a weak function that another one replaced")
		else unexplained(what " left out", line)
	}
	for (line in rest) {
		if (line in ours && !(line in theirs)) unexplained("copies: the rest of a function", line)
		else count("copies left out: the rest of a function that the compiler split")
	}
	for (key in own) {
		split(key, part, " ")
		if (!((part[1] " " part[2] " " part[3]) in theirs)) continue
		if (key in value) compare(key, own[key], value[key])
		else if (part[2] == "e") count("values at entries: a name of the prototype alone")
		else unexplained("a name in copies", key)
	}
	for (key in value) {
		split(key, part, " ")
		if (key in own || !((part[1] " " part[2] " " part[3]) in ours)) continue
		if (part[2] == "e") count("values at entries: a name of debug information alone")
		else unexplained("a name in copies", key)
	}
	for (what in counts) print counts[what], what
}
