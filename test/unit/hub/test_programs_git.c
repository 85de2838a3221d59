/*
 * test/unit/hub/test_programs_git.c - the table of git's options held against the
 * git of this machine.
 */
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "hub/programs.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What git says, in the arena; "" when it fails. */
static const char *said(struct dt_arena *arena, const char *command)
{
	FILE *pipe = popen(command, "r");
	struct dt_buf out;
	char line[4096];
	const char *text;

	assert_non_null(pipe);
	dt_buf_init(&out, DT_MIB);
	while (fgets(line, sizeof(line), pipe))
		dt_buf_add_z(&out, line);
	pclose(pipe);
	text = dt_arena_strdup(arena, dt_buf_z(&out));
	dt_buf_done(&out);
	return text;
}

/* The long options of a command as git lists them for shells; those of diff
 * belong to all that print one. */
static const char *options_of(struct dt_arena *arena, const char *command,
                              bool is_diff)
{
	const char *own = said(
		arena,
		dt_arena_printf(
			arena, "git %s --git-completion-helper-all 2>/dev/null",
			command));

	return is_diff ? dt_arena_printf(arena, "%s %s", own,
	                                 options_of(arena, "diff", false))
	               : own;
}

/* Whether an option is the beginning of others and none itself. */
static bool is_beginning(const char *all, struct dt_str option)
{
	struct dt_str rest = dt_str(all);
	bool is_other = false;
	struct dt_str word;

	if (option.ptr[option.len - 1] == '=')
		option.len--;
	while ((word = dt_str_cut_word(&rest)).len > 0) {
		while (word.len > 0 && strchr("=\n", word.ptr[word.len - 1]))
			word.len--;
		if (dt_str_eq(word, option))
			return false;
		is_other |= dt_str_starts(word, option);
	}
	return is_other;
}

/* git would take it for another option, which may be any. */
test(no_option_of_the_table_is_the_beginning_of_another)
{
	struct dt_arena arena = { 0 };
	size_t count = 0;

	if (!strstr(options_of(&arena, "commit", false), "--amend"))
		skip();
	for (size_t i = 0; i < dt_program_git.row_count; i++) {
		const struct dt_row *row = &dt_program_git.rows[i];
		const char *lists[] = { row->fine, row->prints };
		const char *all = options_of(&arena, row->name, row->prints);

		for (size_t l = 0; l < 2 && !row->why; l++) {
			struct dt_str rest = dt_str(lists[l] ? lists[l] : "");
			struct dt_str word;

			while ((word = dt_str_cut_word(&rest)).len > 0) {
				/* Of log, which compares whole words. */
				if (word.ptr[1] != '-' ||
				    dt_str_is(word, "--skip="))
					continue;
				count++;
				if (is_beginning(all, word))
					fail_msg("git %s: %.*s", row->name,
					         DT_STR_ARG(word));
			}
		}
	}
	assert_true(count > 300);
	dt_arena_done(&arena);
}

static bool has_letter(const char *letters, char c)
{
	return letters && strchr(letters, c);
}

/* -m <text> of the usage: a letter with a value, which others cannot follow. */
test(letters_that_take_a_value_are_known)
{
	static const char *const commands[] = { "add",    "commit",  "branch",
		                                "tag",    "switch",  "checkout",
		                                "push",   "fetch",   "grep",
		                                "status", "ls-files" };
	struct dt_arena arena = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		const struct dt_row *row =
			dt_program_row(&dt_program_git, commands[i], NULL);
		struct dt_str rest = dt_str(
			said(&arena, dt_arena_printf(&arena, "git %s -h 2>&1",
		                                     commands[i])));

		while (rest.len > 0) {
			struct dt_str line =
				dt_str_trim(dt_str_cut(&rest, '\n'));
			const char *text =
				dt_arena_strndup(&arena, line.ptr, line.len);

			if (line.len < 3 || text[0] != '-' || text[1] == '-')
				continue;
			count++;
			/* What takes none must not hide what follows it. */
			if (!strchr(text, '<') &&
			    has_letter(row->valued, text[1]))
				fail_msg("git %s -%c has no value", commands[i],
				         text[1]);
		}
	}
	assert_true(count == 0 || count > 50);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			no_option_of_the_table_is_the_beginning_of_another),
		cmocka_unit_test(letters_that_take_a_value_are_known),
	};

	/* Nothing of the person's settings counts. */
	setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
