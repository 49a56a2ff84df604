" SPDX-License-Identifier: GPL-2.0
" Scripts of probec: by their names, or by a first line that starts probec.
au BufRead,BufNewFile *.kp,*.kpm setfiletype probec
au BufRead * if getline(1) =~# '^#!.*\<probec\>' | setlocal filetype=probec | endif
