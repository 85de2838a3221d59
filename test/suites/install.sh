#!/usr/bin/env bash
# `meson install` puts everything where a distribution expects it.
# needs: bash-completion fish mandoc zsh
# slots: 2
. test/suites/lib.sh

root=$TMPDIR/root
share=$root/usr/share
meson setup "$TMPDIR/build" --prefix=/usr -Dtests=disabled &&
	DESTDIR=$root meson install -C "$TMPDIR/build" --quiet

installed() {
	(cd "$root" && find . -type f | sed 's/^\.//' | sort)
}

expected() {
	cat <<-'END'
	/usr/bin/dovetail
	/usr/share/bash-completion/completions/dovetail
	/usr/share/fish/vendor_completions.d/dovetail.fish
	/usr/share/man/man1/dovetail.1
	/usr/share/man/man5/dovetail.conf.5
	/usr/share/zsh/site-functions/_dovetail
	END
}

same_files() {
	diff -u <(expected) <(installed)
}

runs() {
	"$root/usr/bin/dovetail" --version
}

hardened() {
	local elf
	elf=$(readelf --wide --file-header --dynamic --program-headers \
		--syms "$root/usr/bin/dovetail")
	for sign in 'DYN (Position-Independent' GNU_RELRO BIND_NOW \
		__stack_chk_fail '_chk@'; do
		grep -qF -- "$sign" <<<"$elf" || { echo "no $sign"; return 1; }
	done
}

bash_completes() {
	bash -c '. /usr/share/bash-completion/bash_completion
		. "$1"
		COMP_WORDS=(dovetail rev) COMP_CWORD=1
		COMP_LINE="dovetail rev" COMP_POINT=12
		_dovetail dovetail rev dovetail
		[ "${COMPREPLY[*]}" = review ]' \
		bash "$share/bash-completion/completions/dovetail"
}

fish_completes() {
	fish --no-config -c "source $share/fish/vendor_completions.d/dovetail.fish
		complete --do-complete 'dovetail rev'" | grep -q '^review'
}

try "the files" same_files
try "the program runs" runs
try "the program is hardened" hardened
try "bash completes" bash_completes
try "fish completes" fish_completes
try "zsh reads its completions" zsh -n "$share/zsh/site-functions/_dovetail"
