# bash completion for dovetail(1)

_dovetail() {
	local cur prev words cword
	_init_completion -n : || return

	local commands='serve start stop restart status run review open select
		mention tools config'
	local command=
	[ "$cword" -gt 1 ] && command=${words[1]}

	case $prev in
	--workspace | --record)
		_filedir -d
		return
		;;
	--text-file)
		_filedir
		return
		;;
	--port | --wait | --comment | --agent)
		return
		;;
	esac

	local options='--help'
	case $command in
	'')
		options="$commands --help --version"
		;;
	serve)
		options+=' --workspace --port --record'
		;;
	status)
		options+=' --json'
		;;
	run)
		[ "$cword" -eq 2 ] && options+=' claude'
		;;
	review)
		options+=' --all --json'
		case ${words[2]} in
		accept)
			options+=' --next --wait --text-file'
			;;
		reject)
			options+=' --next --wait --comment'
			;;
		esac
		[ "$cword" -eq 2 ] && options+=' list show accept reject'
		case ${words[2]} in
		show | accept | reject)
			options+=" $(_dovetail_reviews)"
			;;
		esac
		;;
	open | select)
		_filedir
		;;
	mention)
		options+=' --agent'
		_filedir
		;;
	tools)
		options+=' --markdown --json'
		;;
	config)
		options+=' --json'
		;;
	esac
	COMPREPLY+=($(compgen -W "$options" -- "$cur"))
}

# The ids of the waiting reviews: the first word of each line of the list.
_dovetail_reviews() {
	dovetail review list 2>/dev/null | cut -d' ' -f1
}

complete -F _dovetail dovetail
