# SPDX-License-Identifier: GPL-2.0
#@ needs: python3 make nvim
# Syntax files as installed: an editor recognises scripts by their name and their first line, and
# colours each word of the language as such; the grammar for VS Code has the same words.
make -s -C "$TOP" install prefix="$PWD/usr" >said 2>&1 || fail 'make install' said
export HOME=$PWD XDG_DATA_DIRS=$PWD/usr/share
export XDG_CONFIG_HOME=$PWD XDG_STATE_HOME=$PWD XDG_DATA_HOME=$PWD
groups() { # FILE: prints the file type, and for each word of the file the group of its first letter
	cat >dump.vim <<'END'
let out = [&filetype]
for line in range(1, line('$'))
	let start = 0
	while 1
		let [word, start, end] = matchstrpos(getline(line), '\S\+', start)
		if start < 0 | break | endif
		call add(out, word . ' ' . synIDattr(synID(line, start + 1, 1), 'name'))
		let start = end
	endwhile
endfor
call writefile(out, 'groups')
qall!
END
	timeout 60 nvim --headless -i NONE -c 'source dump.vim' "$1" >said 2>&1 || fail 'nvim' said
	cat groups
}

# Every word of the language, by the table of the compiler.
sed -n 's/^\([A-Z_]*\)(.*"\([@a-z_]*\)")$/\1 \2/p' "$TOP/compiler/ast/words.def" >words
[ "$(wc -l <words)" -gt 40 ] || fail 'the words of the language' words
cut -d' ' -f2 words >words.kp
{
	echo probec
	sed 's/^KEYWORD \(string\|long\)$/\1 probecType/
		s/^KEYWORD \(.*\)/\1 probecKeyword/
		s/^PRINT_WORD \(.*\)/\1 probecPrint/
		s/^[A-Z]*_WORD \(@.*\)/\1 probecOperator/' words
} >wanted
groups words.kp | diff wanted - || fail 'words have other groups'

# The first line alone, and other parts of the language.
cat >script <<'END'
#! /usr/bin/env -S probec
probe kernel.function("vfs_read").return , timer.s(5) {
 n[pid()] <<< $count // text
 println( "x%d\n" , 0x1F )
}
#@ opts: -g
%{ int x; %}
END
groups script | diff - <(cat <<'END'
probec
#! probecComment
/usr/bin/env probecComment
-S probecComment
probec probecComment
probe probecKeyword
kernel.function("vfs_read").return probecPoint
, 
timer.s(5) probecPoint
{ 
n[pid()] 
<<< probecAggregate
$count probecVariable
// probecComment
text probecComment
println( probecPrint
"x%d\n" probecString
, 
0x1F probecNumber
) 
} 
#@ probecDirective
opts: probecDirective
-g probecDirective
%{ probecMacro
int cType
x; probecEmbedded
%} probecMacro
END
) || fail 'another colour'
echo 'text of probec' >other
[ "$(groups other | head -n 1)" = '' ] || fail 'a text is taken for a script' groups

# The errors of a script are places in the editor.
printf 'probe begin {\n\tprintln(nothing)\n}\n' >wrong.kp
PATH=$PWD/usr/bin:$PATH timeout 60 nvim --headless -i NONE -c 'silent make' \
	-c 'let places = map(getqflist(), "v:val.lnum . \":\" . v:val.col . v:val.type")' \
	-c 'call writefile(places, "places")' -c 'qall!' wrong.kp >said 2>&1 || fail 'nvim' said
[ "$(cat places)" = '2:10e' ] || fail 'another place of the error' places said

# TextMate's grammar: its expressions are valid, and the first that matches a word names its kind.
python3 - usr/share/probec/editors/vscode words <<'END' || fail 'the grammar for VS Code'
import json, re, sys
folder, words = sys.argv[1:]
package = json.load(open(folder + '/package.json'))['contributes']
json.load(open(folder + '/' + package['languages'][0]['configuration']))
assert '.kp' in package['languages'][0]['extensions']
assert re.search(package['languages'][0]['firstLine'], '#! /usr/bin/env -S probec')
grammar = json.load(open(folder + '/' + package['grammars'][0]['path']))
assert grammar['scopeName'] == package['grammars'][0]['scopeName']

def rules(patterns):
    for rule in patterns:
        if 'include' in rule:
            if rule['include'].startswith('#'):
                yield from rules(grammar['repository'][rule['include'][1:]]['patterns'])
        else:
            yield rule['name'], re.compile(rule.get('match') or rule['begin'])
            if 'end' in rule:
                re.compile(rule['end'])

all_rules = list(rules(grammar['patterns']))
def scope(text):
    found = [(m.start(), i, name) for i, (name, e) in enumerate(all_rules) if (m := e.search(text))]
    return min(found)[2] if found else None

kinds = {'KEYWORD': 'keyword.control.probec', 'PRINT_WORD': 'support.function.probec',
         'AGG_WORD': 'keyword.operator.word.probec', 'AT_WORD': 'keyword.operator.word.probec'}
for line in open(words):
    kind, word = line.split()
    wanted = 'storage.type.probec' if word in ('string', 'long') else kinds[kind]
    assert scope(word + ' ') == wanted, (word, scope(word))
for text, wanted in (('kernel.function("vfs_read").return {', 'meta.probe-point.probec'),
                     ('# text', 'comment.line.number-sign.probec'),
                     ('#@ opts', 'comment.line.documentation.probec'),
                     ('%{ int x', 'meta.embedded.block.c'),
                     ('$count + 1', 'variable.other.context.probec'),
                     ('0x1F', 'constant.numeric.probec'),
                     ('"text"', 'string.quoted.double.probec'),
                     ('@1', 'variable.language.argument.probec'),
                     ('pid()', 'entity.name.function.probec')):
    assert scope(text) == wanted, (text, scope(text))
END
