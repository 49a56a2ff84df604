# SPDX-License-Identifier: GPL-2.0
#@ needs: target python3 nvim
# The language server, with a client that checks each answer, and with an editor.
export TMPDIR=$PWD
timeout 120 python3 "$TOP/testsuite/host/lsp.py" "$PROBEC" "$TARGET" "$TOP/tapsets" ||
	fail 'an answer is another'
# An end without "shutdown", and text that is no message.
status=0
printf 'Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}' | "$PROBEC" lsp || status=$?
[ "$status" = 1 ] || fail "exit without shutdown: status $status"
status=0
printf 'Content-Length: 5\r\n\r\n{"js}' | timeout 10 "$PROBEC" lsp || status=$?
[ "$status" = 1 ] || fail "no message: status $status"

# Neovim shows the error, the documentation, and candidates.
export HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_STATE_HOME=$PWD XDG_DATA_HOME=$PWD XDG_CACHE_HOME=$PWD
printf 'probe begin {\n\tprintln(nothing, execname())\n}\n' >wrong.kp
cat >client.lua <<END
-- Neovim 0.8 and later have vim.lsp.start() for both.
local cmd = { '$PROBEC', 'lsp', '-r', '$TARGET' }
local client = vim.lsp.start_client({ name = 'probec', cmd = cmd })
vim.lsp.buf_attach_client(0, client)
local function wait(what, test)
	if not vim.wait(30000, test, 50) then error(what) end
end
wait('no diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
local out = {}
for _, d in ipairs(vim.diagnostic.get(0)) do
	table.insert(out, string.format('%d:%d %s', d.lnum, d.col, d.code))
end
vim.api.nvim_win_set_cursor(0, { 2, 19 })
local function ask(method)
	local params = vim.lsp.util.make_position_params(0, 'utf-16')
	local answers = vim.lsp.buf_request_sync(0, method, params, 30000)
	for _, answer in pairs(answers) do return answer.result end
end
table.insert(out, vim.split(ask('textDocument/hover').contents.value, '\n')[1])
table.insert(out, vim.fn.fnamemodify(ask('textDocument/definition').uri, ':t'))
vim.lsp.buf.definition()
wait('no jump', function() return vim.fn.expand('%:t') == 'context.kp' end)
table.insert(out, (vim.fn.getline('.'):gsub('%s*%(.*', '')))
vim.fn.writefile(out, 'shown')
vim.cmd('qall!')
END
timeout 100 nvim --headless -i NONE -n wrong.kp -c 'luafile client.lua' -c 'cquit!' >said 2>&1 ||
	fail 'nvim' said
diff shown - <<'END' || fail 'the editor shows something else' said
1:9 E_UNKNOWN_VARIABLE
1:18 E_CONTEXT
execname:string()  (function)
context.kp
function execname:string
END
[ -z "$(ls | grep probec-lsp)" ] || fail 'temporary files are left'
