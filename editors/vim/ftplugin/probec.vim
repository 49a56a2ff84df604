" SPDX-License-Identifier: GPL-2.0
" Vim settings for scripts of probec. :make checks the script; the errors are in the quickfix list.
if exists('b:did_ftplugin')
	finish
endif
let b:did_ftplugin = 1

setlocal comments=:# commentstring=#\ %s
setlocal makeprg=probec\ --color=never\ --check\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c-%*\\d:\ %trror:\ %m
setlocal errorformat+=%f:%l:%c-%*\\d:\ %tarning:\ %m,%-G%.%#

let b:undo_ftplugin = 'setlocal comments< commentstring< makeprg< errorformat<'
