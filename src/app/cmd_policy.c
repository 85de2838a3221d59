/*
 * app/cmd_policy.c - dovetail policy: the rules, and which one would win.  What
 * agents may run is cmd_policy_run.c's.
 *
 * The files are read as the daemon reads them at the next reload, so this works
 * without one and shows what was just written.
 */
#include "app/cmd_policy_run.h"
#include "app/command.h"
#include "app/folder.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/path.h"
#include "hub/config.h"
#include "hub/dirs.h"
#include "hub/place.h"

#include <sys/stat.h>

/* Both configurations of a workspace. */
struct policy {
	const char *here; /* the current folder */
	const char *root; /* its workspace */
	struct dt_config *config;
};

static bool is_known(const char *root, void *owner)
{
	struct dt_place_record record;
	struct dt_arena arena = { 0 };
	bool is_kept = !dt_place_find(&arena, owner, root, &record, NULL);

	dt_arena_done(&arena);
	return is_kept;
}

static enum dt_err read_policy(struct dt_arena *arena, struct policy *out,
                               struct dt_fail *fail)
{
	struct dt_dirs dirs;
	struct dt_place_question question = {
		.is_known = is_known,
		.owner = &dirs,
	};
	enum dt_err err = dt_dirs_find(arena, &dirs, fail);

	if (!err)
		err = dt_folder_find(arena, NULL, &out->here, fail);
	if (err)
		return err;
	question.folder = out->here;
	question.home = dirs.home;
	/* Where no workspace can be, the person's own rules are left. */
	if (dt_place_root(arena, &question, &out->root, NULL))
		out->root = out->here;
	out->config = dt_config_new();
	dt_config_read(out->config, dirs.conf, false);
	dt_config_read(out->config,
	               dt_path_join(arena, out->root, ".dovetail.conf"), true);
	return DT_E_OK;
}

static void print_warnings(struct dt_arena *arena, const struct policy *policy)
{
	for (size_t i = 0; i < dt_config_warning_count(policy->config); i++)
		fprintf(stderr, "dovetail: %s\n",
		        dt_text_safe(arena,
		                     dt_config_warning(policy->config, i)));
	if (dt_config_rules(policy->config)->is_broken)
		fputs("dovetail: a rule cannot be read, so nothing is allowed "
		      "without asking\n",
		      stderr);
}

static const char *rule_text(struct dt_arena *arena, const struct dt_rule *rule)
{
	const char *text;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_LIMIT_ARGUMENTS);
	dt_rule_print(rule, &buf);
	text = dt_text_safe(arena, dt_buf_z(&buf));
	dt_buf_done(&buf);
	return text;
}

static void put_rule(struct dt_json_out *out, const struct dt_rule *rule)
{
	if (!rule) {
		dt_json_put_null(out);
		return;
	}
	dt_json_begin_object(out);
	dt_remote_put(out, "action", dt_rule_actions[rule->action]);
	dt_remote_put(out, "rule", rule->text);
	dt_remote_put(out, "file", rule->file);
	dt_json_key(out, "line");
	dt_json_put_int(out, rule->line);
	dt_json_key(out, "isRepository");
	dt_json_put_bool(out, rule->is_repository);
	dt_json_end_object(out);
}

/* policy */

struct list_options {
	bool is_json;
};

static const struct dt_option list_table[] = {
	DT_OPTION(struct list_options, is_json, FLAG, "print JSON",
	          .name = "json"),
	DT_OPTION_END,
};

static void print_list(struct dt_arena *arena, const struct dt_config *config)
{
	const struct dt_rules *rules = dt_config_rules(config);

	for (size_t i = 0; i < rules->count; i++)
		puts(rule_text(arena, &rules->list[i]));
	puts("otherwise: ask");
	printf("run without asking: %s\n",
	       dt_text_safe(arena, dt_config_get(config, "run.allow")));
}

static void print_list_json(const struct dt_config *config)
{
	const struct dt_rules *rules = dt_config_rules(config);
	struct dt_buf text;
	struct dt_json_out out;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_json_begin_object(&out);
	dt_json_key(&out, "rules");
	dt_json_begin_array(&out);
	for (size_t i = 0; i < rules->count; i++)
		put_rule(&out, &rules->list[i]);
	dt_json_end_array(&out);
	dt_json_key(&out, "isBroken");
	dt_json_put_bool(&out, rules->is_broken);
	dt_remote_put(&out, "run", dt_config_get(config, "run.allow"));
	dt_json_end_object(&out);
	puts(dt_buf_z(&text));
	dt_buf_done(&text);
}

static enum dt_err list(const void *opts, char *const *args,
                        struct dt_fail *fail)
{
	const struct list_options *options = opts;
	struct dt_arena arena = { 0 };
	struct policy policy = { 0 };
	enum dt_err err = read_policy(&arena, &policy, fail);

	(void)args;
	if (!err) {
		print_warnings(&arena, &policy);
		if (options->is_json)
			print_list_json(policy.config);
		else
			print_list(&arena, policy.config);
	}
	dt_config_free(policy.config);
	dt_arena_done(&arena);
	return err;
}

/* check */

struct check_options {
	const char *agent;
	const char *kind;
	struct dt_maybe_u32 lines;
	const char *run;
	bool is_json;
};

static const struct dt_option check_table[] = {
	DT_OPTION(struct check_options, run, TEXT,
	          "say it of this command instead", .name = "run",
	          .value = "COMMAND"),
	DT_OPTION(struct check_options, agent, TEXT, "who wants it",
	          .name = "agent", .value = "NAME"),
	DT_OPTION(struct check_options, kind, TEXT,
	          "create, change, delete or rename", .name = "kind",
	          .value = "KIND"),
	DT_OPTION(struct check_options, lines, NUMBER,
	          "how many lines are changed", .name = "lines", .value = "N"),
	DT_OPTION(struct check_options, is_json, FLAG, "print JSON",
	          .name = "json"),
	DT_OPTION_END,
};

static enum dt_err read_kind(const char *name, const char *path, unsigned *out,
                             struct dt_fail *fail)
{
	struct stat st;

	if (!name) {
		*out = lstat(path, &st) == 0 ? DT_RULE_CHANGE : DT_RULE_CREATE;
		return DT_E_OK;
	}
	for (unsigned bit = 0; 1u << bit <= DT_RULE_RENAME; bit++) {
		if (strcmp(name, dt_rule_kinds[bit]) != 0)
			continue;
		*out = 1u << bit;
		return DT_E_OK;
	}
	return dt_fail(fail, DT_E_ARGS,
	               "--kind is one of create, change, delete and rename; "
	               "what else a file is, its path tells");
}

/* The file as the rules will see it. */
static enum dt_err read_subject(struct dt_arena *arena,
                                const struct policy *policy, const char *file,
                                const struct check_options *options,
                                struct dt_rule_subject *out,
                                struct dt_fail *fail)
{
	const char *path = dt_path_join(arena, policy->here, file);
	const char *real;
	enum dt_err err = read_kind(options->kind, path, &out->kinds, fail);

	if (err)
		return err;
	if (!dt_path_real(arena, path, &real, NULL))
		path = real;
	out->path = path;
	if (!dt_path_is_beneath(path, policy->root)) {
		out->kinds |= DT_RULE_OUTSIDE;
	} else {
		out->path += strlen(policy->root);
		out->path += strspn(out->path, "/");
	}
	out->kinds |= dt_rules_kinds_of(out->path);
	out->agent = options->agent ? options->agent : "claude-code";
	out->lines = options->lines.is_set ? options->lines.value : 1;
	return DT_E_OK;
}

static const char *kind_names(struct dt_arena *arena, unsigned kinds)
{
	const char *names = "";

	for (unsigned bit = 0; dt_rule_kinds[bit]; bit++) {
		if (kinds & 1u << bit)
			names = dt_arena_printf(arena, "%s%s%s", names,
			                        *names ? ", " : "",
			                        dt_rule_kinds[bit]);
	}
	return names;
}

static void print_ruling(struct dt_arena *arena, const struct dt_rules *rules,
                         const struct dt_rule_subject *subject,
                         const struct dt_ruling *ruling)
{
	printf("%s: %s (%s), %s, %s\n", dt_rule_actions[ruling->action],
	       dt_text_safe(arena, subject->path),
	       kind_names(arena, subject->kinds),
	       dt_text_count(arena, subject->lines, "line"),
	       dt_text_safe(arena, subject->agent));
	if (ruling->rule)
		printf("by %s\n", rule_text(arena, ruling->rule));
	else
		puts(rules->is_broken ? "because a rule cannot be read"
		                      : "because no rule fits");
	if (ruling->too_wide)
		printf("not by %s,\nwhich does not say %s\n",
		       rule_text(arena, ruling->too_wide),
		       subject->kinds & DT_RULE_OUTSIDE ? "kind:outside"
		                                        : "kind:settings");
}

static void print_ruling_json(const struct dt_rule_subject *subject,
                              const struct dt_ruling *ruling)
{
	struct dt_buf text;
	struct dt_json_out out;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_json_begin_object(&out);
	dt_remote_put(&out, "action", dt_rule_actions[ruling->action]);
	dt_json_key(&out, "rule");
	put_rule(&out, ruling->rule);
	dt_json_key(&out, "tooWide");
	put_rule(&out, ruling->too_wide);
	dt_remote_put(&out, "path", subject->path);
	dt_remote_put(&out, "agent", subject->agent);
	dt_json_key(&out, "lines");
	dt_json_put_int(&out, subject->lines);
	dt_json_key(&out, "kinds");
	dt_json_begin_array(&out);
	for (unsigned bit = 0; dt_rule_kinds[bit]; bit++) {
		if (subject->kinds & 1u << bit)
			dt_json_put_z(&out, dt_rule_kinds[bit]);
	}
	dt_json_end_array(&out);
	dt_json_end_object(&out);
	puts(dt_buf_z(&text));
	dt_buf_done(&text);
}

static enum dt_err check(const void *opts, char *const *args,
                         struct dt_fail *fail)
{
	const struct check_options *options = opts;
	struct dt_arena arena = { 0 };
	struct policy policy = { 0 };
	struct dt_rule_subject subject = { 0 };
	enum dt_err err = DT_E_OK;

	if ((args[0] != NULL) == (options->run != NULL))
		return dt_fail(fail, DT_E_ARGS,
		               "say what to check: either a FILE or --run "
		               "COMMAND");
	err = read_policy(&arena, &policy, fail);
	if (options->run) {
		if (!err)
			err = dt_policy_check_run(&arena, policy.config,
			                          policy.root, policy.here,
			                          options->run, fail);
		dt_config_free(policy.config);
		dt_arena_done(&arena);
		return err;
	}
	if (!err)
		err = read_subject(&arena, &policy, args[0], options, &subject,
		                   fail);
	if (!err) {
		const struct dt_rules *rules = dt_config_rules(policy.config);
		struct dt_ruling ruling = dt_rules_decide(rules, &subject);

		print_warnings(&arena, &policy);
		if (options->is_json)
			print_ruling_json(&subject, &ruling);
		else
			print_ruling(&arena, rules, &subject, &ruling);
	}
	dt_config_free(policy.config);
	dt_arena_done(&arena);
	return err;
}

static const struct dt_command check_command = {
	.name = "check",
	.args = "[FILE]",
	.summary = "Which rule would decide a change",
	.doc = "Say what would become of a change of FILE, and by which rule; or "
	       "with --run\nwhether a command would run without asking.",
	.options = check_table,
	.options_size = sizeof(struct check_options),
	.max_args = 1,
	.run = check,
};

static const struct dt_command *const subcommands[] = {
	&check_command,
	&dt_cmd_policy_allow,
	&dt_cmd_policy_disallow,
	NULL,
};

const struct dt_command dt_cmd_policy = {
	.name = "policy",
	.summary = "Which changes are reviewed",
	.doc = "Print the rules of [policy] in dovetail.conf(5) and in the "
	       "repository's file.\nThe first that fits decides; a "
	       "repository's rules can only be stricter. Then the\nprograms "
	       "that agents may run without asking.",
	.options = list_table,
	.options_size = sizeof(struct list_options),
	.subcommands = subcommands,
	.run = list,
};
