/*
 * test/unit/backend/test_code_edit.c - changes of code by the real clangd and
 * clang-format, and what is said where there is neither.
 */
#include "backend/code_edit.h"

#include "backend/headless_state.h"
#include "base/limits.h"
#include "base/tempdir.h"
#include "editor/code_edit.h"
#include "editor/ranges.h"
#include "loop/spawn.h"
#include "lsp_fake.h"
#include "unit.h"

#include <limits.h>
#include <stdlib.h>

#define TEXT                                                                   \
	"static int twice(int n) { return n + n; }\n"                          \
	"/* \xc3\xa4\xf0\x9f\x98\x80 */ int main(void) { return twice(1); }\n" \
	"int   wide;\n"                                                        \
	"int f(void) { return 1 }\n"

struct scene {
	struct dt_loop *loop;
	struct dt_documents docs;
	struct dt_editor *editor;
	struct dt_arena arena;
	const char *file;
	const char *path; /* for programs */
	const char *mode; /* of the fake server, or NULL: the real ones */
	const struct dt_operation *op;
	struct dt_answer answer;
	int ended;
	struct dt_fail fail;
	char *made; /* what the changes make of the file */
	char *told; /* the result as JSON */
};

static char **world_env(void *owner, const char *asker, struct dt_arena *arena)
{
	struct scene *s = owner;
	char **env = dt_arena_alloc(arena, 4 * sizeof(*env));

	(void)asker;
	env[0] = dt_arena_printf(arena, "PATH=%s", s->path);
	env[1] = dt_arena_strdup(arena, "HOME=/dev/null");
	if (s->mode)
		env[2] = dt_arena_printf(arena, "FAKE_LSP=%s", s->mode);
	return env;
}

static const char *world_find(void *owner, const char *asker,
                              struct dt_arena *arena, const char *program)
{
	struct scene *s = owner;
	char self[PATH_MAX];

	(void)asker;
	if (s->mode)
		return dt_arena_strdup(arena, realpath("/proc/self/exe", self));
	/* A machine without it. */
	if (strstr(s->path, "/only-formatters") && !strcmp(program, "clangd"))
		return NULL;
	return dt_spawn_find(arena, program, getenv("PATH"));
}

static const char *world_setting(void *owner, const char *key)
{
	(void)owner;
	(void)key;
	return NULL;
}

static void begin(struct scene *s, void **state)
{
	const char *dir = *state;
	const char *root;

	*s = (struct scene){ .loop = dt_loop_new(), .path = getenv("PATH") };
	root = dt_arena_printf(&s->arena, "%s/w", dir);
	tempdir_mkdir(dir, "w");
	tempdir_put(dir, "w/a.c", TEXT);
	s->file = dt_arena_printf(&s->arena, "%s/a.c", root);
	dt_documents_init(&s->docs, &root, 1);
	s->editor = dt_headless_new(&(struct dt_world){
		.loop = s->loop,
		.docs = &s->docs,
		.owner = s,
		.env = world_env,
		.find = world_find,
		.setting = world_setting,
	});
}

static void end(struct scene *s)
{
	s->editor->backend->free(s->editor);
	dt_loop_run(s->loop);
	dt_loop_free(s->loop);
	dt_documents_done(&s->docs);
	dt_arena_done(&s->arena);
}

static void apply(struct scene *s, const struct dt_code_edit_result *result)
{
	const struct dt_change *change = result->changes.ptr;
	struct dt_buf made;

	if (result->changes.count == 0)
		return;
	assert_int_equal(result->changes.count, 1);
	assert_string_equal(change->path, s->file);
	dt_buf_init(&made, DT_MIB);
	if (change->text.ptr)
		dt_buf_add_str(&made, change->text);
	else
		assert_ok(dt_ranges_apply(&change->ranges, DT_STR(TEXT), &made,
		                          NULL));
	s->made = dt_arena_strdup(&s->arena, dt_buf_z(&made));
	dt_buf_done(&made);
}

static void on_end(struct dt_answer *answer, const void *result,
                   const struct dt_fail *fail, void *owner)
{
	struct scene *s = owner;
	struct dt_json_out out;
	struct dt_buf told;

	(void)answer;
	s->ended++;
	if (fail) {
		s->fail = *fail;
	} else {
		dt_buf_init(&told, DT_MIB);
		out = dt_json_out(&told);
		dt_shape_write(&s->op->result, result, &out);
		s->told = dt_arena_strdup(&s->arena, dt_buf_z(&told));
		dt_buf_done(&told);
		if (s->op->result.size == sizeof(struct dt_code_edit_result))
			apply(s, result);
	}
	dt_loop_stop(s->loop);
}

static enum dt_err perform(struct scene *s, const struct dt_operation *op,
                           const void *args)
{
	s->op = op;
	s->ended = 0;
	s->fail = (struct dt_fail){ 0 };
	s->made = s->told = NULL;
	dt_answer_init(&s->answer, on_end, s);
	s->editor->backend->perform(s->editor, op, args, &s->answer);
	if (!s->ended)
		dt_loop_run(s->loop);
	assert_int_equal(s->ended, 1);
	return s->fail.code;
}

static bool has(const char *program)
{
	struct dt_arena arena = { 0 };
	bool is_there = dt_spawn_find(&arena, program, getenv("PATH"));

	dt_arena_done(&arena);
	return is_there;
}

#define NEEDS(program)                                                         \
	do {                                                                   \
		if (!has(program)) {                                           \
			print_message(program " is not installed\n");          \
			skip();                                                \
		}                                                              \
	} while (0)

test(a_symbol_is_renamed_also_behind_wide_characters)
{
	struct dt_rename_args args = { .position = { 0, 12 },
		                       .new_name = "two_of" };
	struct scene s;

	NEEDS("clangd");
	begin(&s, state);
	args.path = s.file;
	assert_ok(perform(&s, &dt_op_prepare_rename, &args));
	assert_non_null(strstr(s.told, "\"placeholder\":\"twice\""));
	assert_ok(perform(&s, &dt_op_make_rename, &args));
	assert_non_null(s.made);
	assert_non_null(strstr(s.made, "static int two_of(int n)"));
	assert_non_null(strstr(s.made, "\xf0\x9f\x98\x80 */ int main(void) { "
	                               "return two_of(1); }"));
	args.position = (struct dt_position){ 2, 4 };
	assert_ok(perform(&s, &dt_op_prepare_rename, &args));
	assert_non_null(strstr(s.told, "\"canRename\":false"));
	end(&s);
}

test(a_problem_has_its_fix)
{
	struct dt_actions_args list = { .range = { { 3, 0 }, { 3, 24 } } };
	struct dt_make_action_args make = { .range = list.range };
	struct scene s;

	NEEDS("clangd");
	begin(&s, state);
	list.path = make.path = s.file;
	assert_ok(perform(&s, &dt_op_get_code_actions, &list));
	assert_non_null(strstr(s.told, "insert ';'"));
	assert_non_null(strstr(s.told, "\"source\":\"clangd\""));
	make.title = "insert ';'";
	assert_ok(perform(&s, &dt_op_make_code_action, &make));
	assert_non_null(strstr(s.made, "return 1; }"));
	make.title = "sing";
	assert_int_equal(perform(&s, &dt_op_make_code_action, &make),
	                 DT_E_MISSING);
	make.title = NULL;
	make.only = "source.organizeImports";
	assert_ok(perform(&s, &dt_op_make_code_action, &make));
	assert_null(s.made);
	end(&s);
}

static bool was_executed(struct scene *s)
{
	char *mark =
		dt_arena_printf(&s->arena, "%s/executed", s->docs.roots[0]);

	return !unlink(mark);
}

static enum dt_err make(struct scene *s, const char *title, bool is_preview)
{
	struct dt_make_action_args args = { .path = s->file,
		                            .title = title,
		                            .is_preview = is_preview };

	return perform(s, &dt_op_make_code_action, &args);
}

test(a_command_is_executed_when_it_is_known_to_write_nothing)
{
	static const char *const refused[] = { "install", "move", "bare" };
	struct scene s;

	begin(&s, state);
	s.mode = "actions";
	assert_ok(make(&s, "fix", false));
	assert_true(was_executed(&s));
	assert_ok(make(&s, "extract", false));
	assert_true(was_executed(&s));
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		assert_int_equal(make(&s, refused[i], false), DT_E_UNSUPPORTED);
		assert_non_null(strstr(s.fail.msg, "may write files"));
		assert_false(was_executed(&s));
	}
	assert_int_equal(make(&s, "nameless", false), DT_E_PROTO);
	assert_false(was_executed(&s));
	end(&s);
}

test(an_edit_that_is_not_understood_is_not_half_made)
{
	struct scene s;

	begin(&s, state);
	s.mode = "odd-actions";
	assert_int_equal(make(&s, "fix", false), DT_E_UNSUPPORTED);
	assert_non_null(strstr(s.fail.msg, "cannot be understood"));
	end(&s);
}

test(a_preview_executes_no_command)
{
	struct scene s;

	begin(&s, state);
	s.mode = "actions";
	assert_int_equal(make(&s, "fix", true), DT_E_UNSUPPORTED);
	assert_non_null(strstr(s.fail.msg, "applyCodeAction"));
	assert_int_equal(make(&s, "move", true), DT_E_UNSUPPORTED);
	assert_false(was_executed(&s));
	end(&s);
}

test(a_file_is_formatted_by_its_server)
{
	struct dt_format_args args = { 0 };
	struct scene s;

	NEEDS("clangd");
	begin(&s, state);
	args.path = s.file;
	assert_ok(perform(&s, &dt_op_make_format, &args));
	assert_non_null(strstr(s.made, "\nint wide;\n"));
	assert_non_null(strstr(s.told, "\"source\":\"clangd\""));
	end(&s);
}

test(where_there_is_no_server_a_program_formats)
{
	struct dt_format_args args = { 0 };
	struct dt_rename_args rename = { .new_name = "x" };
	struct dt_document *doc;
	struct scene s;

	NEEDS("clang-format");
	begin(&s, state);
	s.path = "/only-formatters";
	args.path = rename.path = s.file;
	assert_ok(perform(&s, &dt_op_make_format, &args));
	assert_non_null(strstr(s.told, "\"source\":\"clang-format\""));
	assert_non_null(strstr(s.made, "\nint wide;\n"));
	/* The text of now, though it is not saved. */
	assert_ok(dt_documents_open(&s.docs, s.file, &doc, NULL));
	dt_document_set_overlay(&s.docs, doc, DT_STR("int   unsaved;\n"));
	assert_ok(perform(&s, &dt_op_make_format, &args));
	assert_string_equal(s.made, "int unsaved;\n");
	args.has_range = true;
	assert_int_equal(perform(&s, &dt_op_make_format, &args),
	                 DT_E_UNSUPPORTED);
	assert_int_equal(perform(&s, &dt_op_make_rename, &rename),
	                 DT_E_UNSUPPORTED);
	end(&s);
}

test(what_is_dropped_ends_quietly)
{
	struct dt_format_args args = { 0 };
	struct scene s;

	begin(&s, state);
	s.path = "/only-formatters";
	args.path = s.file;
	s.op = &dt_op_make_format;
	dt_answer_init(&s.answer, on_end, &s);
	s.editor->backend->perform(s.editor, s.op, &args, &s.answer);
	dt_answer_drop(&s.answer);
	assert_int_equal(s.ended, 0);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_tempdir(
			a_symbol_is_renamed_also_behind_wide_characters),
		test_in_tempdir(a_problem_has_its_fix),
		test_in_tempdir(
			a_command_is_executed_when_it_is_known_to_write_nothing),
		test_in_tempdir(
			an_edit_that_is_not_understood_is_not_half_made),
		test_in_tempdir(a_preview_executes_no_command),
		test_in_tempdir(a_file_is_formatted_by_its_server),
		test_in_tempdir(where_there_is_no_server_a_program_formats),
		test_in_tempdir(what_is_dropped_ends_quietly),
	};

	fake_run();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
