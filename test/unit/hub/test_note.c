/* test/unit/hub/test_note.c - twin of src/hub/note.c */
#include "ask_op.h"

#include "editor/project.h"

static const char *set_note(struct world *w, const char *text)
{
	struct dt_set_note_args args = { dt_str(text) };

	return ask_op(w, serve(w), &dt_op_set_note, &args);
}

static const char *get_note(struct world *w)
{
	return ask_op(w, serve(w), &dt_op_get_note, NULL);
}

world_test(a_note_outlives_the_daemon)
{
	struct world *w = *state;
	const char *note;

	connect_agent(serve(w), w);
	assert_string_equal(get_note(w), "{}");
	note = set_note(w, "go on at \"x\"\n");
	assert_string_equal(at(w, note, "updatedBy"), "claude-code");
	restart_hub(w);
	connect_agent(serve(w), w);
	note = get_note(w);
	assert_string_equal(at(w, note, "note"), "go on at \"x\"\n");
	assert_string_equal(at(w, note, "updatedBy"), "claude-code");
	assert_non_null(at(w, note, "updatedAt"));
}

world_test(a_new_note_replaces_the_old_and_an_empty_one_removes_it)
{
	struct world *w = *state;

	connect_agent(serve(w), w);
	set_note(w, "one");
	set_note(w, "two");
	assert_string_equal(at(w, get_note(w), "note"), "two");
	set_note(w, "");
	assert_string_equal(get_note(w), "{}");
	set_note(w, "");
	assert_string_equal(get_note(w), "{}");
}

world_test(a_note_is_short_and_for_its_owner_alone)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct dt_set_note_args args = { 0 };
	char *large = malloc(DT_LIMIT_NOTE + 1);
	struct asked asked;
	struct stat st;

	assert_non_null(large);
	connect_agent(ws, w);
	set_note(w, "x");
	assert_int_equal(stat(text_of(w, "%s/notes/%s.json", w->hub.dirs.state,
	                              ws->record.id),
	                      &st),
	                 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	memset(large, 'x', DT_LIMIT_NOTE + 1);
	args.note = (struct dt_str){ large, DT_LIMIT_NOTE + 1 };
	begin_op(&asked, w, ws, &dt_op_set_note, &args);
	assert_int_equal(asked.fail.code, DT_E_LIMIT);
	assert_string_equal(at(w, get_note(w), "note"), "x");
	free(large);
}

world_test(what_cannot_be_understood_is_no_note)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	set_note(w, "x");
	assert_ok(dt_file_write(text_of(w, "%s/notes/%s.json",
	                                w->hub.dirs.state, ws->record.id),
	                        DT_STR("{\"note\":7}"), 0600, NULL));
	assert_string_equal(get_note(w), "{}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_note_outlives_the_daemon),
		test_in_world(
			a_new_note_replaces_the_old_and_an_empty_one_removes_it),
		test_in_world(a_note_is_short_and_for_its_owner_alone),
		test_in_world(what_cannot_be_understood_is_no_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
