# fish completion for dovetail(1)

function __dovetail_reviews
    dovetail review list 2>/dev/null | string split --fields 1 ' '
end

function __dovetail_tools
    dovetail tools 2>/dev/null | string match --regex --groups-only '^  (\S+)' | sort -u
end

function __dovetail_keys
    dovetail config 2>/dev/null | string match --regex --groups-only '^([a-z]\S*) ='
end

function __dovetail_agents
    dovetail status 2>/dev/null | string match --regex --groups-only '^    ([^ ,]+).*, connected '
end

# The command is the first word after dovetail; a verb follows review.
function __dovetail_command
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

function __dovetail_verb
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    __dovetail_command review; and test (count $words) -ge 3
    and contains -- $words[3] $argv
end

function __dovetail_first
    test (commandline --tokenize --cut-at-cursor --current-process | count) -eq 1
end

function __dovetail_second
    test (commandline --tokenize --cut-at-cursor --current-process | count) -eq 2
end

complete -c dovetail -f
complete -c dovetail -l help -d 'Explain the command'
complete -c dovetail -n __dovetail_first -l version -d 'Print the version'
complete -c dovetail -n __dovetail_first -a demo -d 'See it work, in a scratch folder'
complete -c dovetail -n __dovetail_first -a serve -d 'Run the daemon in the foreground'
complete -c dovetail -n __dovetail_first -a start -d 'Start the daemon'
complete -c dovetail -n __dovetail_first -a stop -d 'Stop the daemon'
complete -c dovetail -n __dovetail_first -a restart -d 'Restart the daemon'
complete -c dovetail -n __dovetail_first -a status -d 'What runs, and what to type next'
complete -c dovetail -n __dovetail_first -a top -d 'What goes on, live'
complete -c dovetail -n __dovetail_first -a metrics -d 'Counters and times, for Prometheus'
complete -c dovetail -n __dovetail_first -a lsp -d 'The language servers of this workspace'
complete -c dovetail -n __dovetail_first -a run -d 'Start an agent that is connected'
complete -c dovetail -n __dovetail_first -a review -d 'Decide the changes agents propose'
complete -c dovetail -n __dovetail_first -a log -d 'What agents asked, and what was decided'
complete -c dovetail -n __dovetail_first -a hook -d 'Review edits in every permission mode'
complete -c dovetail -n __dovetail_first -a mcp -d 'Be an MCP server for any client'
complete -c dovetail -n __dovetail_first -a call -d 'Call a tool as an agent would'
complete -c dovetail -n __dovetail_first -a open -d 'Open a file'
complete -c dovetail -n __dovetail_first -a select -d 'Select text for the agents'
complete -c dovetail -n __dovetail_first -a mention -d 'Mention a file to an agent'
complete -c dovetail -n __dovetail_first -a terminals -d 'List the terminals of agents'
complete -c dovetail -n __dovetail_first -a attach-terminal -d 'Look into a terminal of an agent'
complete -c dovetail -n __dovetail_first -a mute -d 'Do not tell agents what you do'
complete -c dovetail -n __dovetail_first -a unmute -d 'Tell agents again what you do'
complete -c dovetail -n __dovetail_first -a tools -d 'List the tools agents can call'
complete -c dovetail -n __dovetail_first -a config -d 'Print or change the configuration'
complete -c dovetail -n __dovetail_first -a policy -d 'Which changes are reviewed'
complete -c dovetail -n __dovetail_first -a reload -d 'Have the daemon read its configuration again'
complete -c dovetail -n __dovetail_first -a help -d 'Explain a command'

complete -c dovetail -n '__dovetail_command serve start run mcp call' -l workspace -r -a '(__fish_complete_directories)' -d 'The folder to serve'
complete -c dovetail -n '__dovetail_command demo' -l answers -x -d 'For scripts: one of a, e, r for each change'
complete -c dovetail -n '__dovetail_command serve' -l port -x -d 'Listen here'
complete -c dovetail -n '__dovetail_command serve' -l record -r -a '(__fish_complete_directories)' -d 'Write transcripts'
complete -c dovetail -n '__dovetail_command status top tools config policy lsp' -l json -d 'Print JSON'
complete -c dovetail -n '__dovetail_command status' -l line -d 'Print one short line'
complete -c dovetail -n '__dovetail_command status' -l security -d 'Print what agents can still do'
complete -c dovetail -n '__dovetail_verb list show accept reject apply' -l json -d 'Print JSON'
set -l __dovetail_clients 'claude-desktop claude-code codex cursor gemini opencode vscode'
complete -c dovetail -n '__dovetail_command mcp' -l print-config -x -a "$__dovetail_clients" -d 'Print what the client needs'
complete -c dovetail -n '__dovetail_command mcp' -l install -x -a "$__dovetail_clients" -d 'Put it into its configuration'
complete -c dovetail -n '__dovetail_command mcp' -l uninstall -x -a "$__dovetail_clients" -d 'Take it out again'
complete -c dovetail -n '__dovetail_command mcp' -l yes -d 'Do not ask'
complete -c dovetail -n '__dovetail_command mcp' -l full -d 'List every tool'
complete -c dovetail -n '__dovetail_command call' -l list -d 'List the tools'
complete -c dovetail -n '__dovetail_command call' -l json -d 'Print the whole result'
complete -c dovetail -n '__dovetail_command call; and __dovetail_second' -a '(__dovetail_tools)'
complete -c dovetail -n '__dovetail_command top' -l once -d 'Print it once and end'
complete -c dovetail -n '__dovetail_command metrics' -l output -r -d 'Write to this file'
complete -c dovetail -n '__dovetail_command lsp; and __dovetail_second' -a restart -d 'End servers; they start again when needed'
complete -c dovetail -n '__dovetail_command select' -l clear -d 'Select nothing'
complete -c dovetail -n '__dovetail_command config; and __dovetail_second' -a '(__dovetail_keys)'
complete -c dovetail -n '__dovetail_command tools' -l markdown -d 'Print Markdown'
complete -c dovetail -n '__dovetail_command open select mention policy' -F
complete -c dovetail -n '__dovetail_command log' -s f -l follow -d 'Go on with what happens next'
complete -c dovetail -n '__dovetail_command log' -l reviews -d 'Reviews alone'
complete -c dovetail -n '__dovetail_command log' -l sessions -d 'Sessions alone'
complete -c dovetail -n '__dovetail_command log' -l audit -d 'What left for agents'
complete -c dovetail -n '__dovetail_command log' -l calls -d 'Calls of tools instead'
complete -c dovetail -n '__dovetail_command log' -l limit -x -d 'The latest so many'
complete -c dovetail -n '__dovetail_command log' -l json -d 'Print one object a line'
complete -c dovetail -n '__dovetail_command log; and __dovetail_second' -a show -d 'Print a change as a diff'
complete -c dovetail -n '__dovetail_command log; and __dovetail_second' -a export -d 'Write what happened as lines of JSON'
complete -c dovetail -n '__dovetail_command log; and __dovetail_second' -a import -d 'Read what was exported'
complete -c dovetail -n '__dovetail_command log; and not __dovetail_second' -F
complete -c dovetail -n '__dovetail_command policy; and __dovetail_second' -a check -d 'Which rule would decide a change'
complete -c dovetail -n '__dovetail_command policy; and __dovetail_second' -a allow -d 'Let agents run programs without asking'
complete -c dovetail -n '__dovetail_command policy; and __dovetail_second' -a disallow -d 'Be asked about programs again'
complete -c dovetail -n '__dovetail_command policy' -l run -x -d 'Say it of this command'
complete -c dovetail -n '__dovetail_command policy' -l yes -d 'Also one that runs whatever it is given'
complete -c dovetail -n '__dovetail_command policy' -l agent -x -d 'Who wants it'
complete -c dovetail -n '__dovetail_command policy' -l kind -x -a 'create change delete rename' -d 'What is done'
complete -c dovetail -n '__dovetail_command policy' -l lines -x -d 'How many lines are changed'
complete -c dovetail -n '__dovetail_command mention' -l agent -x -d 'Who is told'
complete -c dovetail -n '__dovetail_command terminals' -l json -d 'Print JSON'
complete -c dovetail -n '__dovetail_command attach-terminal' -l share -d 'Let every agent use it'
complete -c dovetail -n '__dovetail_command attach-terminal' -l read-only -d 'Look, but do not type'
complete -c dovetail -n '__dovetail_command mute' -l for -x -a '30m 1h 2h 1d' -d 'So long'
complete -c dovetail -n '__dovetail_command mute unmute; and __dovetail_second' -a '(__dovetail_agents)' -d 'Agent'
complete -c dovetail -n '__dovetail_command run; and __dovetail_second' -a claude -d 'Claude Code'

complete -c dovetail -n '__dovetail_command run' -l no-hook -d 'Review only what the CLI asks about'

complete -c dovetail -n '__dovetail_command hook; and __dovetail_second' -a claude -d 'Ask for a verdict before Claude Code edits'
complete -c dovetail -n '__dovetail_command hook; and __dovetail_second' -a install -d 'Put the hook into the settings'
complete -c dovetail -n '__dovetail_command hook; and __dovetail_second' -a uninstall -d 'Take the hook out of the settings'
complete -c dovetail -n '__dovetail_command hook; and not __dovetail_second' -a claude -d 'Claude Code'
complete -c dovetail -n '__dovetail_command hook; and not __dovetail_second' -l user -d 'Your own settings'
complete -c dovetail -n '__dovetail_command hook; and not __dovetail_second' -l project -d 'The settings of this folder'
complete -c dovetail -n '__dovetail_command hook; and not __dovetail_second' -l yes -d 'Do not ask'

complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -a list -d 'The changes that wait for a verdict'
complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -a show -d 'Print one of them as a diff'
complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -a accept -d 'Let the agent make the change'
complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -a reject -d 'Turn the change down'
complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -a apply -d 'Write a change that is not on disk'
complete -c dovetail -n '__dovetail_command review' -l all -d 'Of every workspace'
complete -c dovetail -n '__dovetail_command review; and __dovetail_second' -l watch -d 'Ring the bell when one comes'
complete -c dovetail -n '__dovetail_verb show accept reject apply' -a '(__dovetail_reviews)' -d 'Waiting review'
complete -c dovetail -n '__dovetail_verb accept reject' -l next -d 'The one that has waited longest'
complete -c dovetail -n '__dovetail_verb accept reject' -l wait -x -d 'Wait this many seconds for one'
complete -c dovetail -n '__dovetail_verb accept' -l always -d 'Allow the program from now on'
complete -c dovetail -n '__dovetail_verb accept' -l text-file -r -F -d 'Accept this text instead'
complete -c dovetail -n '__dovetail_verb accept reject' -l comment -x -d 'Words for the agent'
complete -c dovetail -n '__dovetail_verb apply' -l yes -d 'Do not ask'
complete -c dovetail -n '__dovetail_command stop' -l force -d 'Although changes wait'
complete -c dovetail -n '__dovetail_verb apply' -l force -d 'Although the file has changed'
