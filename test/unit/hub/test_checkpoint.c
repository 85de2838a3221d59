/* test/unit/hub/test_checkpoint.c - twin of src/hub/checkpoint.c */
#include "agent.h"

#include "hub/checkpoint.h"

static char *path_of(struct world *w, const struct dt_workspace *ws)
{
	return text_of(w, "%s/s/dovetail/checkpoints/%s.json", w->dir,
	               ws->record.id);
}

static char *open_document(struct world *w, struct dt_workspace *ws,
                           const char *name)
{
	char *path = make_file(w, name, "text\n");
	struct dt_document *doc;

	assert_ok(dt_documents_open(&ws->docs, path, &doc, NULL));
	ws->docs.active = doc;
	return path;
}

/* Stop, let the test put another checkpoint there, and start again. */
static struct dt_workspace *restart_with(struct world *w, const char *text)
{
	char *path = path_of(w, serve(w));

	stop_hub(w);
	put_file(path, text);
	start_loop(w);
	start_hub(w);
	return serve(w);
}

world_test(documents_are_open_again_after_a_restart)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *a = open_document(w, ws, "a");
	char *b = open_document(w, ws, "b");
	char *gone = open_document(w, ws, "gone");

	ws->docs.active = dt_documents_find(&ws->docs, a);
	unlink(gone);
	restart_hub(w);
	ws = serve(w);
	assert_int_equal(ws->docs.count, 2);
	assert_non_null(dt_documents_find(&ws->docs, b));
	assert_ptr_equal(ws->docs.active, dt_documents_find(&ws->docs, a));
	assert_true(log_has(w, "gone is not opened again"));
}

world_test(it_is_written_soon_after_a_change_and_for_us_alone)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *path = path_of(w, ws);
	struct client *c;

	assert_false(is_there(path));
	c = connect_agent(ws, w);
	wait_for(w, is_there(path));
	assert_int_equal(mode_of(path), 0600);
	assert_string_equal(at(w, file_text(w, path), "sessions.0.id"),
	                    last_session(ws)->id);
	assert_string_equal(at(w, file_text(w, path), "sessions.0.agent"),
	                    "claude-code");
	hang_up(c);
	/* Nothing is left to remember. */
	wait_for(w, !is_there(path));
}

world_test(sessions_of_the_run_before_are_remembered)
{
	struct world *w = *state;
	const struct dt_past_session *past;
	char *id;

	connect_agent(serve(w), w);
	id = dt_arena_strdup(&w->arena, last_session(serve(w))->id);
	assert_int_equal(dt_checkpoint_sessions(serve(w)).count, 0);
	restart_hub(w);
	assert_int_equal(dt_checkpoint_sessions(serve(w)).count, 1);
	past = dt_checkpoint_sessions(serve(w)).ptr;
	assert_string_equal(past->id, id);
	assert_string_equal(past->agent, "claude-code");
	assert_true(past->connected_ms > 0);
}

#define CHECKPOINT(version, workspace, saved)                                  \
	text_of(w,                                                             \
	        "{\"version\":%d,\"savedMs\":%lld,\"workspace\":\"%s\","       \
	        "\"root\":\"%s\",\"sessions\":[],\"documents\":[\"%s/a\"]}",   \
	        version, (long long)(saved), workspace, w->project,            \
	        w->project)

world_test(what_is_not_for_us_is_refused)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	int64_t now = dt_clock_wall_ms();
	char *id = dt_arena_strdup(&w->arena, ws->record.id);

	make_file(w, "a", "");
	assert_int_equal(restart_with(w, CHECKPOINT(1, id, now))->docs.count,
	                 1);
	assert_int_equal(
		restart_with(w, CHECKPOINT(1, id, now + 4000))->docs.count, 1);
	assert_false(log_has(w, "is not used"));
	assert_int_equal(
		restart_with(w, CHECKPOINT(1, id, now + 60000))->docs.count, 0);
	assert_true(log_has(w, "is not used: it is from the future"));
	assert_int_equal(
		restart_with(w, CHECKPOINT(1, "other", now))->docs.count, 0);
	assert_true(log_has(w, "is not used: it is of another workspace"));
	assert_int_equal(restart_with(w, CHECKPOINT(2, id, now))->docs.count,
	                 0);
	assert_true(log_has(w, "is not used: its version is 2"));
	assert_int_equal(restart_with(w, "{\"version\":1,")->docs.count, 0);
	assert_int_equal(restart_with(w, "[]")->docs.count, 0);
	assert_int_equal(restart_with(w, "")->docs.count, 0);
}

world_test(nothing_outside_is_opened)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	char *id = dt_arena_strdup(&w->arena, ws->record.id);

	ws = restart_with(
		w, text_of(w,
	                   "{\"version\":1,\"savedMs\":1,\"workspace\":\"%s\","
	                   "\"root\":\"%s\",\"sessions\":[],\"documents\":"
	                   "[\"/etc/passwd\"]}",
	                   id, w->project));
	assert_int_equal(ws->docs.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(documents_are_open_again_after_a_restart),
		test_in_world(
			it_is_written_soon_after_a_change_and_for_us_alone),
		test_in_world(sessions_of_the_run_before_are_remembered),
		test_in_world(what_is_not_for_us_is_refused),
		test_in_world(nothing_outside_is_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
