# SPDX-License-Identifier: GPL-2.0
# Completion of probec for bash. probec --complete knows what can be completed; this passes the words
# and quotes the answers.

# Split the line up to the cursor into _probec_words, as the shell would without expansions. Sets
# _probec_quote to the quote that is still open, or nothing.
_probec_split() { # LINE
	local line=$1 word='' begun='' c
	_probec_words=() _probec_quote=
	while [ -n "$line" ]; do
		c=${line:0:1} line=${line:1}
		if [ "$_probec_quote" = "'" ] || { [ "$_probec_quote" = '"' ] && [ "$c" != \\ ]; }; then
			if [ "$c" = "$_probec_quote" ]; then _probec_quote=; else word+=$c; fi
			continue
		fi
		case $c in
		[\'\"]) _probec_quote=$c begun=1 ;;
		\\) word+=${line:0:1} line=${line:1} begun=1 ;;
		[[:space:]])
			[ -z "$begun" ] || _probec_words+=("$word")
			word='' begun=
			;;
		*) word+=$c begun=1 ;;
		esac
	done
	_probec_words+=("$word")
}

_probec() {
	local _probec_words _probec_quote answer word cut='' files=() IFS=$' \t\n'
	COMPREPLY=()
	_probec_split "${COMP_LINE:0:COMP_POINT}"
	word=${_probec_words[-1]}
	# A tool that is a command of its own is the first word of probec's.
	local probec=("$1" --complete)
	[[ $1 != *.kp ]] || probec=(probec --complete "${1##*/}")
	mapfile -t answer < <("${probec[@]}" "${_probec_words[@]:1}" 2>/dev/null | cut -f1)
	# readline replaces only what follows the last of its separators, unless a quote is open.
	if [ -z "$_probec_quote" ] && [[ $word == *[$COMP_WORDBREAKS]* ]]; then
		cut=${word%"${word##*[$COMP_WORDBREAKS]}"}
	fi
	for word in "${answer[@]}"; do
		case $word in
		:files*) mapfile -t files < <(_probec_files "${_probec_words[-1]}" "${word#:files }") ;;
		:directories) mapfile -t files < <(compgen -d -- "${_probec_words[-1]#*=}") ;;
		:commands) mapfile -t files < <(compgen -c -- "${_probec_words[-1]}") ;;
		:processes) mapfile -t files < <(cd /proc && compgen -G "${_probec_words[-1]}[0-9]*") ;;
		*)
			[[ $word != *[=\(\"./] ]] || compopt -o nospace 2>/dev/null
			word=${word#"$cut"}
			# What the shell would read in another way is put in quotes.
			[ -n "$_probec_quote" ] || [[ $word != *[\(\)\"\*]* ]] || word=\'$word
			COMPREPLY+=("$word")
			;;
		esac
	done
	if [ ${#files[@]} -gt 0 ]; then
		compopt -o filenames 2>/dev/null
		COMPREPLY+=("${files[@]}")
	fi
}

# Files that match a pattern, and directories.
_probec_files() { # WORD PATTERN
	compgen -d -- "${1#*=}"
	compgen -f -X "!$2" -- "${1#*=}"
}

# The files of the tools are links to this one.
complete -F _probec probec "${BASH_SOURCE##*/}"
