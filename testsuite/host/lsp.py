# SPDX-License-Identifier: GPL-2.0
# lsp.py PROBEC TARGET TAPSET-DIRECTORY: a client of the language server that checks its answers.
import json, subprocess, sys

probec, target, tapsets = sys.argv[1:]
server = subprocess.Popen([probec, 'lsp', '-r', target], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
uri = 'file:///no/such/directory/a%20script.kp'
number = 0


def send(message, parts=False):
    text = json.dumps({'jsonrpc': '2.0', **message}).encode()
    data = b'Content-Length: %d\r\n\r\n%s' % (len(text), text)
    # In two parts, a message must be put together again.
    for piece in (data[:30], data[30:]) if parts else (data,):
        server.stdin.write(piece)
        server.stdin.flush()


def receive():
    length = None
    while line := server.stdout.readline().strip():
        name, value = line.split(b':')
        if name == b'Content-Length':
            length = int(value)
    return json.loads(server.stdout.read(length))


def request(method, line=None, column=None):
    global number
    number += 1
    params = {}
    if line is not None:
        params = {'textDocument': {'uri': uri}, 'position': {'line': line, 'character': column}}
    send({'id': number, 'method': method, 'params': params}, parts=True)
    answer = receive()
    assert answer['id'] == number, answer
    return answer


def ask(method, line=None, column=None):
    return request(method, line, column)['result']


def change(text):
    send({'method': 'textDocument/didChange', 'params': {
        'textDocument': {'uri': uri, 'version': 2}, 'contentChanges': [{'text': text}]}})


def diagnostics():
    message = receive()
    assert message['method'] == 'textDocument/publishDiagnostics', message
    assert message['params']['uri'] == uri, message
    return message['params']['diagnostics']


def labels(line, column):
    return {item['label']: item for item in ask('textDocument/completion', line, column)}


capabilities = ask('initialize')['capabilities']
assert capabilities['hoverProvider'] and capabilities['definitionProvider']
send({'method': 'initialized', 'params': {}})
send({'method': 'textDocument/didOpen', 'params': {'textDocument': {
    'uri': uri, 'languageId': 'probec', 'version': 1,
    'text': 'probe kernel.function("vfs_raed") { }\nprobe end { println("\U0001f600\u00e9", y) }\n'}}})
first, second = sorted(diagnostics(), key=lambda d: d['range']['start']['line'])
assert first['code'] == 'E_NO_MATCH' and first['severity'] == 1, first
assert first['range'] == {'start': {'line': 0, 'character': 22}, 'end': {'line': 0, 'character': 32}}, first
assert "did you mean 'vfs_read'?" in first['message'], first
# Columns are UTF-16 units: the face takes two, the other letter one.
assert second['range']['start'] == {'line': 1, 'character': 27}, second
assert second['code'] == 'E_UNKNOWN_VARIABLE', second

script = '''# a script
global totals
function mine:long(n:long) { return n + 1 }
probe vfs.read {
\ttotals[execname()] <<< $count
\tprintln(mine(1), ppfu)
\tx = $co
}
probe vfs.wri
'''
change(script)
change(script)  # only the last one is checked
found = diagnostics()
assert found, found

hover = ask('textDocument/hover', 4, 12)['contents']['value']
assert 'Returns the name of the current thread' in hover, hover
assert ask('textDocument/hover', 4, 27)['contents']['value'] == '$count: size_t\n'
assert 'file is read' in ask('textDocument/hover', 3, 8)['contents']['value']
assert ask('textDocument/hover', 0, 0) is None

place = ask('textDocument/definition', 4, 12)
assert place['uri'] == 'file://' + tapsets + '/context.kp', place
line = open(tapsets + '/context.kp').read().split('\n')[place['range']['start']['line']]
assert line.startswith('function execname'), line
assert ask('textDocument/definition', 5, 10) == {'uri': uri, 'range': {
    'start': {'line': 2, 'character': 0}, 'end': {'line': 2, 'character': 0}}}
assert ask('textDocument/definition', 4, 3)['range']['start']['line'] == 1
assert ask('textDocument/definition', 3, 9)['uri'].endswith('/vfs.kp')

assert 'ppfunc' in labels(5, 22), labels(5, 22)
items = labels(6, 8)
assert items['$count']['detail'] == 'size_t' and '$file' not in items, items
items = labels(8, 13)
assert 'vfs.write' in items and 'vfs.read' not in items, items
assert items['vfs.write']['textEdit']['range'] == {
    'start': {'line': 8, 'character': 6}, 'end': {'line': 8, 'character': 13}}, items
change(script + 'probe kernel.function("vfs_readl')
diagnostics()
assert list(labels(9, 32)) == ['kernel.function("vfs_readlink")'], labels(9, 32)

# An error without a place is shown at the first line.
change('#: PATH  the program\nprobe begin { println(@1) }\n')
missing, = diagnostics()
assert missing['code'] == 'E_ARG' and missing['range']['start'] == {'line': 0, 'character': 0}, missing

change('probe begin { println("fine") }\n')
assert diagnostics() == []
assert 'error' in request('no/such/method')
assert ask('textDocument/hover', 99, 99) is None
send({'method': 'textDocument/didClose', 'params': {'textDocument': {'uri': uri}}})
assert ask('shutdown') is None
send({'method': 'exit'})
assert server.wait(30) == 0
