/* test/unit/backend/test_lsp_table.c - which language server is for what. */
#include "backend/lsp_table.h"

#include "base/tempdir.h"
#include "data/json.h"
#include "unit.h"

#include <sys/stat.h>

/* A workspace w, and settings and programs as a test wants them. */
struct fixture {
	struct dt_documents docs;
	struct dt_world world;
	struct dt_arena arena;
	const char *dir;
	const char *root;
	const char *server; /* values of [lsp] */
	const char *settings;
	const char *off;
	const char *programs;
	char *env[2];
	const char *on_path; /* what PATH has */
};

static char **env_of(void *owner, const char *asker, struct dt_arena *arena)
{
	(void)asker;
	(void)arena;
	return ((struct fixture *)owner)->env;
}

static const char *find(void *owner, const char *asker, struct dt_arena *arena,
                        const char *program)
{
	(void)asker;
	(void)arena;
	if (program[0] == '/')
		return program;
	return ((struct fixture *)owner)->on_path;
}

static const char *setting(void *owner, const char *key)
{
	struct fixture *f = owner;

	if (!strcmp(key, "lsp.server"))
		return f->server;
	if (!strcmp(key, "lsp.settings"))
		return f->settings;
	if (!strcmp(key, "lsp.off"))
		return f->off;
	assert_string_equal(key, "lsp.workspace_programs");
	return f->programs;
}

static void begin(struct fixture *f, void **state)
{
	*f = (struct fixture){
		.dir = *state,
		.server = "",
		.settings = "",
		.off = "",
		.programs = "on",
	};
	tempdir_mkdir(f->dir, "w");
	f->root = dt_arena_printf(&f->arena, "%s/w", f->dir);
	dt_documents_init(&f->docs, (const char *[]){ f->root }, 1);
	f->world = (struct dt_world){
		.docs = &f->docs,
		.owner = f,
		.env = env_of,
		.find = find,
		.setting = setting,
	};
}

static void end(struct fixture *f)
{
	dt_documents_done(&f->docs);
	dt_arena_done(&f->arena);
}

/* The names for a language, with blanks between them. */
static const char *names_of(struct fixture *f, const char *language)
{
	const struct dt_lsp_entry *const *list =
		dt_lsp_entries_of(&f->world, &f->arena, language);
	const char *names = "";

	for (; *list; list++)
		names = dt_arena_printf(&f->arena, "%s%s%s", names,
		                        *names ? " " : "", (*list)->name);
	return names;
}

static const struct dt_lsp_entry *entry_of(struct fixture *f, const char *name)
{
	const struct dt_lsp_entry *const *list =
		dt_lsp_entries(&f->world, &f->arena);

	for (; *list; list++) {
		if (!strcmp((*list)->name, name))
			return *list;
	}
	fail_msg("%s is not there", name);
	return NULL;
}

static void add_program(struct fixture *f, const char *name)
{
	tempdir_put(f->dir, name, "#!/bin/sh\n");
	assert_int_equal(
		chmod(dt_arena_printf(&f->arena, "%s/%s", f->dir, name), 0755),
		0);
}

static const char *program(struct fixture *f, const char *name,
                           const char *folder)
{
	char **argv = dt_lsp_command(
		&f->world, &f->arena, entry_of(f, name), f->root,
		dt_arena_printf(&f->arena, "%s/%s", f->dir, folder));

	if (!argv)
		return "none";
	return strncmp(argv[0], f->dir, strlen(f->dir)) != 0
	               ? argv[0]
	               : argv[0] + strlen(f->dir) + 1;
}

static void assert_object(struct fixture *f, const char *name, const char *text)
{
	const struct dt_json *json;
	struct dt_fail why = { 0 };

	if (!text)
		return;
	if (dt_json_read(&f->arena, dt_str(text), &json, &why))
		fail_msg("%s: %s", name, why.msg);
	assert_int_equal(json->type, DT_JSON_OBJECT);
}

test(every_entry_is_whole_and_named_once)
{
	struct fixture f;
	const struct dt_lsp_entry *const *list;

	begin(&f, state);
	list = dt_lsp_entries(&f.world, &f.arena);
	for (size_t i = 0; list[i]; i++) {
		assert_non_null(list[i]->languages[0]);
		assert_non_null(list[i]->argv[0]);
		assert_non_null(list[i]->markers);
		assert_non_null(list[i]->install);
		assert_object(&f, list[i]->name, list[i]->settings);
		assert_object(&f, list[i]->name, list[i]->options);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(list[i]->name, list[k]->name);
	}
	end(&f);
}

test(a_language_has_its_servers_the_best_first)
{
	struct fixture f;

	begin(&f, state);
	assert_string_equal(names_of(&f, "cpp"), "clangd ccls");
	assert_string_equal(names_of(&f, "typescriptreact"),
	                    "typescript-language-server vtsls");
	assert_string_equal(names_of(&f, "plaintext"), "");
	f.off = "cc* py*";
	assert_string_equal(names_of(&f, "cpp"), "clangd");
	assert_string_equal(names_of(&f, "python"),
	                    "basedpyright jedi-language-server ruff");
	end(&f);
}

test(a_line_of_the_person_changes_a_command_or_adds_a_server)
{
	struct fixture f;
	const struct dt_lsp_entry *entry;

	begin(&f, state);
	f.server = "ccls: /opt/ccls -v=1\nmine foo, c: mine --stdio";
	assert_string_equal(names_of(&f, "c"), "ccls mine clangd");
	assert_string_equal(names_of(&f, "foo"), "mine");
	entry = entry_of(&f, "ccls");
	assert_string_equal(entry->argv[0], "/opt/ccls");
	assert_string_equal(entry->argv[1], "-v=1");
	assert_null(entry->argv[2]);
	assert_string_equal(entry->markers[0], "compile_commands.json");
	f.off = "mine";
	assert_string_equal(names_of(&f, "foo"), "");
	end(&f);
}

/* On a stack that others have used since. */
test(a_server_of_the_person_has_no_markers)
{
	const struct dt_lsp_entry *entry;
	struct fixture f;

	begin(&f, state);
	f.server = "mylang mylang: /opt/mylang/bin/server";
	entry = entry_of(&f, "mylang");
	assert_string_equal(names_of(&f, "c"), names_of(&f, "c"));
	assert_null(entry->markers[0]);
	assert_string_equal(
		dt_lsp_root(&f.arena, entry, f.root,
	                    dt_arena_printf(&f.arena, "%s/a/b", f.root)),
		f.root);
	end(&f);
}

test(settings_of_the_person_take_the_place_of_ours)
{
	struct fixture f;

	begin(&f, state);
	assert_non_null(strstr(entry_of(&f, "pyright")->settings, "analysis"));
	f.settings = "gopls: {}\npyright: {\"a\":1}\npyright: {\"a\":2}";
	assert_string_equal(entry_of(&f, "pyright")->settings, "{\"a\":2}");
	assert_string_equal(entry_of(&f, "gopls")->settings, "{}");
	assert_null(entry_of(&f, "clangd")->settings);
	end(&f);
}

test(lines_that_cannot_be_read_are_refused)
{
	static const char *const servers[] = { "clangd", "clangd:", ": clangd",
		                               "mine: mine" };
	static const char *const settings[] = { "{}", "clangd: 1", "a b: {}",
		                                "clangd: {", ": {}" };
	struct dt_fail why = { 0 };

	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++)
		assert_int_equal(dt_lsp_check_server(dt_str(servers[i]), NULL),
		                 DT_E_ARGS);
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		assert_int_equal(
			dt_lsp_check_settings(dt_str(settings[i]), NULL),
			DT_E_ARGS);
	assert_ok(dt_lsp_check_server(DT_STR("clangd: clangd-16"), &why));
	assert_ok(dt_lsp_check_server(DT_STR("mine a,b: mine -x"), &why));
	assert_ok(dt_lsp_check_settings(DT_STR("a: {\"b\":{}}"), &why));
}

test(the_root_is_the_nearest_folder_with_the_best_marker)
{
	struct fixture f;
	const struct dt_lsp_entry *entry;
	const char *path;

	begin(&f, state);
	entry = entry_of(&f, "rust-analyzer");
	path = dt_arena_printf(&f.arena, "%s/w/a/b/src/x.rs", f.dir);
	tempdir_mkdir(f.dir, "w/a");
	tempdir_mkdir(f.dir, "w/a/b");
	tempdir_mkdir(f.dir, "w/a/b/src");
	tempdir_put(f.dir, "Cargo.lock", "");
	assert_string_equal(dt_lsp_root(&f.arena, entry, f.root, path), f.root);
	tempdir_put(f.dir, "w/a/b/Cargo.toml", "");
	assert_string_equal(dt_lsp_root(&f.arena, entry, f.root, path),
	                    dt_arena_printf(&f.arena, "%s/w/a/b", f.dir));
	tempdir_put(f.dir, "w/a/Cargo.lock", "");
	assert_string_equal(dt_lsp_root(&f.arena, entry, f.root, path),
	                    dt_arena_printf(&f.arena, "%s/w/a", f.dir));
	end(&f);
}

test(a_program_comes_from_the_workspace_a_virtualenv_or_path)
{
	struct fixture f;

	begin(&f, state);
	assert_string_equal(program(&f, "pylsp", "w"), "none");
	f.on_path = "/usr/bin/pylsp";
	assert_string_equal(program(&f, "pylsp", "w"), "/usr/bin/pylsp");
	tempdir_mkdir(f.dir, "v");
	tempdir_mkdir(f.dir, "v/bin");
	add_program(&f, "v/bin/pylsp");
	f.env[0] = dt_arena_printf(&f.arena, "VIRTUAL_ENV=%s/v", f.dir);
	assert_string_equal(program(&f, "pylsp", "w"), "v/bin/pylsp");
	tempdir_mkdir(f.dir, "w/a");
	tempdir_mkdir(f.dir, "w/.venv");
	tempdir_mkdir(f.dir, "w/.venv/bin");
	tempdir_put(f.dir, "w/.venv/bin/pylsp", "not to be run\n");
	assert_string_equal(program(&f, "pylsp", "w/a"), "v/bin/pylsp");
	add_program(&f, "w/.venv/bin/pylsp");
	assert_string_equal(program(&f, "pylsp", "w/a"), "w/.venv/bin/pylsp");
	end(&f);
}

test(programs_of_the_workspace_can_be_switched_off)
{
	struct fixture f;

	begin(&f, state);
	tempdir_mkdir(f.dir, "w/node_modules");
	tempdir_mkdir(f.dir, "w/node_modules/.bin");
	add_program(&f, "w/node_modules/.bin/pyright-langserver");
	assert_string_equal(program(&f, "pyright", "w"),
	                    "w/node_modules/.bin/pyright-langserver");
	f.programs = "off";
	assert_string_equal(program(&f, "pyright", "w"), "none");
	/* Neither by way of PATH. */
	f.on_path = dt_arena_printf(
		&f.arena, "%s/node_modules/.bin/pyright-langserver", f.root);
	assert_string_equal(program(&f, "pyright", "w"), "none");
	f.server = dt_arena_printf(&f.arena, "pyright: %s --stdio", f.on_path);
	assert_string_equal(program(&f, "pyright", "w"),
	                    "w/node_modules/.bin/pyright-langserver");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(every_entry_is_whole_and_named_once),
		test_in_tempdir(a_language_has_its_servers_the_best_first),
		test_in_tempdir(
			a_line_of_the_person_changes_a_command_or_adds_a_server),
		test_in_tempdir(a_server_of_the_person_has_no_markers),
		test_in_tempdir(settings_of_the_person_take_the_place_of_ours),
		cmocka_unit_test(lines_that_cannot_be_read_are_refused),
		test_in_tempdir(
			the_root_is_the_nearest_folder_with_the_best_marker),
		test_in_tempdir(
			a_program_comes_from_the_workspace_a_virtualenv_or_path),
		test_in_tempdir(programs_of_the_workspace_can_be_switched_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
