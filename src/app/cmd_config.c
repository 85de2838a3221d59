/* app/cmd_config.c - dovetail config. */
#include "app/command.h"
#include "app/person.h"
#include "app/remote.h"
#include "app/text.h"
#include "base/buf.h"
#include "base/limits.h"
#include "hub/config.h"
#include "hub/dirs.h"

struct options {
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION_END,
};

static const char *full_name(struct dt_arena *arena,
                             const struct dt_config_key *key)
{
	return dt_arena_printf(arena, "%s.%s", key->section, key->name);
}

static void print_all(struct dt_arena *arena, const struct dt_config *config)
{
	for (size_t i = 0; i < dt_config_key_count; i++) {
		const char *name = full_name(arena, &dt_config_keys[i]);

		printf("# %s\n%s = %s\n", dt_config_keys[i].doc, name,
		       dt_config_get(config, name));
	}
}

static void print_json(struct dt_arena *arena, const struct dt_config *config)
{
	struct dt_buf text;
	struct dt_json_out out;

	dt_buf_init(&text, DT_LIMIT_MESSAGE);
	out = dt_json_out(&text);
	dt_json_begin_array(&out);
	for (size_t i = 0; i < dt_config_key_count; i++) {
		const struct dt_config_key *key = &dt_config_keys[i];
		const char *name = full_name(arena, key);

		dt_json_begin_object(&out);
		dt_remote_put(&out, "key", name);
		dt_remote_put(&out, "value", dt_config_get(config, name));
		dt_remote_put(&out, "default", key->def);
		dt_remote_put(&out, "doc", key->doc);
		dt_json_end_object(&out);
	}
	dt_json_end_array(&out);
	puts(dt_buf_z(&text));
	dt_buf_done(&text);
}

static enum dt_err print(struct dt_arena *arena, const char *path,
                         const char *key, bool is_json, struct dt_fail *fail)
{
	struct dt_config *config = dt_config_new();
	enum dt_err err = DT_E_OK;

	dt_config_read(config, path, false);
	for (size_t i = 0; i < dt_config_warning_count(config); i++)
		fprintf(stderr, "dovetail: %s\n",
		        dt_text_safe(arena, dt_config_warning(config, i)));
	if (key && !dt_config_find(key))
		err = dt_fail(
			fail, DT_E_MISSING,
			"there is no key %s; `dovetail config` lists them",
			key);
	else if (key)
		puts(dt_config_get(config, key));
	else if (is_json)
		print_json(arena, config);
	else
		print_all(arena, config);
	dt_config_free(config);
	return err;
}

static enum dt_err set(struct dt_arena *arena, const char *path,
                       char *const *args, struct dt_fail *fail)
{
	struct dt_remote *remote;
	enum dt_err err = dt_person_check("change the configuration", fail);

	if (!err)
		err = dt_config_write(path, args[0], args[1], fail);
	if (err)
		return err;
	printf("%s is set in %s.\n", args[0], dt_text_safe(arena, path));
	/* A daemon that runs reads it at once; else the next one will. */
	if (dt_remote_open(&remote, NULL))
		return DT_E_OK;
	err = dt_remote_call(remote, "reload", arena, NULL, fail);
	dt_remote_free(remote);
	return err;
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_dirs dirs;
	enum dt_err err = dt_dirs_find(&arena, &dirs, fail);

	if (!err && args[0] && args[1])
		err = set(&arena, dirs.conf, args, fail);
	else if (!err)
		err = print(&arena, dirs.conf, args[0], options->is_json, fail);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_config = {
	.name = "config",
	.args = "[KEY [VALUE]]",
	.summary = "Print or change the configuration",
	.doc = "Print all values of dovetail.conf(5), print one, or set one.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.max_args = 2,
	.run = run,
};
