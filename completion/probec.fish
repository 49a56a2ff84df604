# SPDX-License-Identifier: GPL-2.0
# Completion of probec for fish. probec --complete knows what can be completed.

function __probec_complete
    set -l before (commandline -opc)
    set -l word (string replace -r '^["\']' '' -- (commandline -ct))
    set -l probec $before[1] --complete
    # A tool that is a command of its own is the first word of probec's.
    string match -q '*.kp' -- $before[1]
    and set probec probec --complete (basename $before[1])
    for line in ($probec $before[2..] "$word" 2>/dev/null)
        switch $line
            case ':files*'
                set -l end (string replace ':files *' '' -- $line | string escape --style=regex)
                __fish_complete_path (string replace -r '^--[^=]*=' '' -- $word) |
                    string match -r "^.*(?:/|$end)(?:\t.*)?\$"
            case ':directories'
                __fish_complete_directories $word
            case ':commands'
                complete -C "$word"
            case ':processes'
                __fish_complete_pids
            case '*'
                echo $line
        end
    end
end

# The files of the tools are links to this one.
for command in probec (basename (status filename) .fish)
    complete -c $command -f -a '(__probec_complete)'
end
