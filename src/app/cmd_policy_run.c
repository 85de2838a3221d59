/*
 * app/cmd_policy_run.c - dovetail policy allow, disallow and check --run.
 *
 * A daemon that runs changes the file itself, because it knows who asks: what
 * agents may run is not for agents to say.  Without one the file is changed
 * here.
 */
#include "app/cmd_policy_run.h"

#include "app/remote.h"
#include "app/terminal.h"
#include "app/text.h"
#include "base/buf.h"
#include "base/limits.h"
#include "hub/dirs.h"
#include "hub/policy.h"
#include "hub/programs.h"

#include <stdio.h>

struct options {
	bool is_sure;
};

static const struct dt_option allow_table[] = {
	DT_OPTION(struct options, is_sure, FLAG,
	          "also a program that runs whatever it is given",
	          .name = "yes"),
	DT_OPTION_END,
};

static struct dt_names names_of(struct dt_arena *arena, char *const *args)
{
	struct dt_names names = { 0 };

	while (args[names.count])
		names.count++;
	names.ptr = dt_arena_alloc(arena, names.count * sizeof(*names.ptr));
	for (size_t i = 0; i < names.count; i++)
		names.ptr[i] = args[i];
	return names;
}

static enum dt_err send(struct dt_remote *remote, const struct dt_names *names,
                        bool is_removal, struct dt_arena *arena,
                        struct dt_fail *fail)
{
	struct dt_json_out *params = dt_remote_begin(remote);

	dt_json_key(params, "names");
	dt_json_begin_array(params);
	for (size_t i = 0; i < names->count; i++)
		dt_json_put_z(params, names->ptr[i]);
	dt_json_end_array(params);
	dt_json_key(params, "isRemoval");
	dt_json_put_bool(params, is_removal);
	return dt_remote_call(remote, "policy/allow", arena, NULL, fail);
}

static enum dt_err change(char *const *args, bool is_removal,
                          struct dt_fail *fail)
{
	struct dt_arena arena = { 0 };
	struct dt_names names = names_of(&arena, args);
	struct dt_dirs dirs;
	struct dt_remote *remote = NULL;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err && !dt_remote_open(&remote, NULL))
		err = send(remote, &names, is_removal, &arena, fail);
	else if (!err)
		err = dt_policy_write(dirs.conf, &names, is_removal, fail);
	for (size_t i = 0; i < names.count && !err; i++)
		printf("%s %s\n", names.ptr[i],
		       is_removal ? "is asked about from now on."
		                  : "may run without asking from now on.");
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

/* A program that stands for every other is not allowed in passing. */
static enum dt_err confirm(const char *name, bool *out_sure,
                           struct dt_fail *fail)
{
	int key;

	if (!dt_terminal_is_there())
		return dt_fail(fail, DT_E_STATE,
		               "%s runs whatever it is given, so allowing it "
		               "allows every command: --yes says that this is "
		               "meant",
		               name);
	printf("%s runs whatever it is given, so allowing it allows every "
	       "command. Allow it? [y/n] ",
	       name);
	dt_terminal_begin_keys();
	do {
		key = dt_terminal_key(-1);
	} while (key != 'y' && key != 'n' && key != 'q' && key != DT_KEY_END);
	dt_terminal_end_keys();
	puts(key == 'y' ? "yes" : "no");
	*out_sure = key == 'y';
	return DT_E_OK;
}

static enum dt_err allow(const void *opts, char *const *args,
                         struct dt_fail *fail)
{
	const struct options *options = opts;
	bool is_sure = true;
	enum dt_err err = DT_E_OK;

	for (size_t i = 0; args[i] && !err && is_sure; i++) {
		err = dt_policy_check_name(args[i], fail);
		if (!err && !options->is_sure &&
		    dt_policy_runs_anything(args[i]))
			err = confirm(args[i], &is_sure, fail);
	}
	return err || !is_sure ? err : change(args, false, fail);
}

const struct dt_command dt_cmd_policy_allow = {
	.name = "allow",
	.args = "PROGRAM...",
	.summary = "Let agents run programs without asking",
	.doc = "Let agents run these programs without asking. What they do then "
	       "is not watched:\nthis saves questions and is no protection "
	       "from a program that is set on harm.",
	.options = allow_table,
	.options_size = sizeof(struct options),
	.min_args = 1,
	.max_args = 100,
	.run = allow,
	.persons = "say what agents may run",
};

static enum dt_err disallow(const void *opts, char *const *args,
                            struct dt_fail *fail)
{
	(void)opts;
	return change(args, true, fail);
}

const struct dt_command dt_cmd_policy_disallow = {
	.name = "disallow",
	.args = "PROGRAM...",
	.summary = "Be asked about programs again",
	.doc = "Be asked again before an agent runs these programs.",
	.min_args = 1,
	.max_args = 100,
	.run = disallow,
	.persons = "say what agents may run",
};

/* check --run */

/* The next word, quotes taken off; NULL: there is none. */
static const char *next_word(struct dt_arena *arena, const char **at)
{
	const char *word = NULL;
	char quote = '\0';
	bool has_any = false;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_ARGUMENTS);
	*at += strspn(*at, " \t");
	for (; **at && (quote || !strchr(" \t", **at)); ++*at) {
		bool is_quote =
			quote ? **at == quote : **at == '\'' || **at == '"';

		has_any = true;
		if (is_quote)
			quote = quote ? '\0' : **at;
		else
			dt_buf_add_char(&buf, **at);
	}
	if (has_any)
		word = dt_arena_strdup(arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return word;
}

enum dt_err dt_policy_check_run(struct dt_arena *arena,
                                const struct dt_config *config,
                                const char *root, const char *folder,
                                const char *text, struct dt_fail *fail)
{
	struct dt_names roots = { .ptr = &root, .count = 1 };
	struct dt_wish wish = {
		.name = next_word(arena, &text),
		.folder = folder,
	};
	struct dt_fail why = { 0 };
	struct dt_needs needs;
	const char *word;

	if (!wish.name)
		return dt_fail(fail, DT_E_ARGS, "--run: there is no command");
	wish.args.ptr =
		dt_arena_alloc(arena, (strlen(text) + 1) * sizeof(char *));
	while ((word = next_word(arena, &text)))
		wish.args.ptr[wish.args.count++] = word;
	if (dt_policy_check_wish(arena, dt_config_get(config, "run.allow"),
	                         &roots, &wish, &needs, &why))
		printf("ask: %s\n", dt_text_safe(arena, why.msg));
	else if (needs.what & (DT_NEED_SEEN | DT_NEED_ALL_SEEN))
		puts("allow: it runs without asking while the files that say "
		     "what runs are as you last saw them");
	else if (needs.what)
		puts("allow: it runs without asking where it can print no file "
		     "that is kept from agents");
	else
		puts("allow: it runs without asking");
	return DT_E_OK;
}
