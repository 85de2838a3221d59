# bash completion for dovetail(1)

_dovetail() {
	local cur prev words cword
	_init_completion -n : || return

	local commands='demo run review hook mcp log status top metrics lsp terminals
		attach-terminal open select
		mention mute unmute start stop restart serve reload config policy tools
		call help'
	local command=
	[ "$cword" -gt 1 ] && command=${words[1]}

	case $prev in
	--workspace | --record)
		_filedir -d
		return
		;;
	--text-file | --output)
		_filedir
		return
		;;
	--print-config | --install | --uninstall)
		COMPREPLY=($(compgen -W 'claude-desktop claude-code codex cursor
			gemini opencode vscode' -- "$cur"))
		return
		;;
	--kind)
		COMPREPLY=($(compgen -W 'create change delete rename' -- "$cur"))
		return
		;;
	--answers | --limit | --port | --wait | --comment | --agent | --lines | --for)
		return
		;;
	esac

	local options='--help'
	case $command in
	'')
		options="$commands --help --version"
		;;
	demo)
		options+=' --answers'
		;;
	serve)
		options+=' --workspace --port --record'
		;;
	stop)
		options+=' --force'
		;;
	status)
		options+=' --json --line --security'
		;;
	top)
		options+=' --once --json'
		;;
	metrics)
		options+=' --output'
		;;
	lsp)
		options+=' --json'
		[ "$cword" -eq 2 ] && options+=' restart'
		;;
	start)
		options+=' --workspace'
		;;
	run)
		options+=' --workspace --no-hook'
		[ "$cword" -eq 2 ] && options+=' claude'
		;;
	hook)
		case ${words[2]} in
		install | uninstall)
			options+=' claude --user --project --yes'
			;;
		esac
		[ "$cword" -eq 2 ] && options+=' claude install uninstall'
		;;
	mcp)
		options+=' --workspace --print-config --install --uninstall --yes'
		options+=' --full'
		;;
	call)
		options+=' --workspace --list --json'
		[ "$cword" -eq 2 ] && options+=" $(_dovetail_tools)"
		;;
	help)
		options+=" $commands"
		;;
	review)
		case ${words[2]} in
		list)
			options+=' --all --json'
			;;
		show)
			options+=' --json'
			;;
		accept)
			options+=' --next --wait --all --json --text-file --comment --always'
			;;
		reject)
			options+=' --next --wait --all --json --comment'
			;;
		apply)
			options+=' --yes --force --json'
			;;
		*)
			options+=' --all --watch'
			;;
		esac
		[ "$cword" -eq 2 ] && options+=' list show accept reject apply'
		case ${words[2]} in
		show | accept | reject | apply)
			options+=" $(_dovetail_reviews)"
			;;
		esac
		;;
	log)
		options+=' -f --follow --reviews --sessions --audit --calls --limit --json'
		[ "$cword" -eq 2 ] && options+=' show export import'
		case ${words[2]} in
		export | import)
			_filedir
			;;
		esac
		;;
	open)
		_filedir
		;;
	terminals)
		options+=' --json'
		;;
	attach-terminal)
		options+=' --share --read-only'
		;;
	select)
		options+=' --clear'
		_filedir
		;;
	mention)
		options+=' --agent'
		_filedir
		;;
	mute)
		options+=" --for $(_dovetail_agents)"
		;;
	unmute)
		options+=" $(_dovetail_agents)"
		;;
	policy)
		options+=' --json'
		[ "$cword" -eq 2 ] && options+=' check allow disallow'
		if [ "${words[2]}" = check ]; then
			options+=' --agent --kind --lines --run'
			_filedir
		elif [ "${words[2]}" = allow ]; then
			options+=' --yes'
		fi
		;;
	tools)
		options+=' --markdown --json'
		;;
	config)
		options+=' --json'
		[ "$cword" -eq 2 ] && options+=" $(_dovetail_keys)"
		;;
	esac
	COMPREPLY+=($(compgen -W "$options" -- "$cur"))
}

# The ids of the waiting reviews: the first word of each line of the list.
_dovetail_reviews() {
	dovetail review list 2>/dev/null | cut -d' ' -f1
}

# Every line of the list that is indented begins with a tool.
_dovetail_tools() {
	dovetail tools 2>/dev/null | sed -n 's/^  \([^ ]*\) .*/\1/p' | sort -u
}

# The agents that are connected: the first word of their lines.
_dovetail_agents() {
	dovetail status 2>/dev/null | sed -n 's/^    \([^ ,]*\).*, connected .*/\1/p'
}

_dovetail_keys() {
	dovetail config 2>/dev/null | sed -n 's/ = .*//; /^[^#]/p'
}

complete -F _dovetail dovetail
