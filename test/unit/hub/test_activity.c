/* test/unit/hub/test_activity.c - twin of src/hub/activity.c */
#include "agent.h"

#include "hub/activity.h"

/* What a list gave: "kind what status|" for each. */
struct look {
	char text[4096];
	char message[64]; /* of the last */
	size_t count;
	int64_t last_id;
	int ended;
	struct dt_fail fail;
};

static void on_list(struct dt_store *store, const struct dt_activity_list *list,
                    const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;
	size_t len = 0;

	(void)store;
	look->ended++;
	look->fail = *fail;
	look->count = list->count;
	look->last_id = list->last_id;
	if (list->count > 0 && list->records[list->count - 1].message)
		snprintf(look->message, sizeof(look->message), "%s",
		         list->records[list->count - 1].message);
	for (size_t i = 0; i < list->count && len < 4000; i++)
		len += (size_t)snprintf(
			look->text + len, sizeof(look->text) - len, "%s %s %s|",
			dt_activity_kinds[list->records[i].kind],
			list->records[i].what,
			list->records[i].status ? list->records[i].status
						: "-");
}

static struct look look_at(struct world *w, unsigned kinds)
{
	struct dt_activity_filter filter = { .kinds = kinds };
	struct look look = { 0 };

	dt_activity_list(&w->hub, &filter, on_list, &look);
	wait_for(w, look.ended);
	assert_string_equal(look.fail.msg, "");
	return look;
}

world_test(everything_that_happens_is_kept)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *c = connect_agent(ws, w);
	struct dt_review *r;

	call(c, "getWorkspaceFolders", "{}");
	hear(c);
	r = propose(c, make_file(w, "a", "1\n"), "2", "t");
	decide(connect_command(w), r->id, "\"verdict\":\"accept\"");
	hear(c);
	hang_up(c);
	wait_for(w, ws->session_count == 0);
	assert_string_equal(
		look_at(w, 0).text,
		"daemon started -|workspace served -|session connected -|"
		"session initialized -|call getWorkspaceFolders done|"
		"review opened -|review writing -|call openDiff done|"
		"session disconnected -|");
}

/* With the whole id an agent could take the verdict on another's change. */
world_test(of_a_review_the_beginning_of_its_id_is_told)
{
	struct world *w = *state;
	struct client *c = connect_agent(serve(w), w);
	struct dt_review *r = propose(c, make_file(w, "a", "1\n"), "2", "t");
	struct look look = look_at(w, 0);

	assert_int_equal(strlen(look.message), 8);
	assert_memory_equal(look.message, r->id, 8);
}

world_test(a_restart_is_kept_and_the_numbers_go_on)
{
	struct world *w = *state;
	int64_t last;

	serve(w);
	last = look_at(w, 0).last_id;
	assert_int_equal(last, 2);
	connect_agent(serve(w), w);
	restart_hub(w);
	assert_string_equal(
		look_at(w, (1u << DT_ACTIVITY_DAEMON) |
	                           (1u << DT_ACTIVITY_SESSION))
			.text,
		"daemon started -|session connected -|session initialized -|"
		"session disconnected -|daemon stopped -|daemon started -|");
	assert_true(look_at(w, 0).last_id > last);
}

static void add_calls(struct world *w, unsigned count)
{
	struct dt_activity_record r = { .kind = DT_ACTIVITY_CALL,
		                        .what = "x",
		                        .status = "done" };

	for (unsigned i = 0; i < count; i++)
		dt_activity_add(&w->hub, &r);
}

/* Without a list, which would flush. */
world_test(a_batch_leaves_when_it_is_full_or_after_a_while)
{
	struct world *w = *state;

	wait_for(w, dt_activity_last(&w->hub) == 1);
	add_calls(w, 3);
	assert_int_equal(dt_activity_last(&w->hub), 1);
	wait_for(w, dt_activity_last(&w->hub) == 4);
	add_calls(w, 1000);
	wait_for(w, dt_activity_last(&w->hub) == 1004);
	assert_int_equal(dt_activity_lost(&w->hub), 0);
}

world_test(a_store_that_does_not_keep_up_loses_and_counts)
{
	struct world *w = *state;

	add_calls(w, 256 * 40);
	assert_true(dt_activity_lost(&w->hub) >= 256);
	assert_true(look_at(w, 0).last_id >= 256 * 32);
}

/* Each list hands over what was added before it: a small batch. */
world_test(those_who_read_lose_nothing)
{
	struct world *w = *state;
	struct dt_activity_filter filter = { .limit = 1 };
	struct look look = { 0 };

	for (int i = 0; i < 100; i++) {
		add_calls(w, 1);
		dt_activity_list(&w->hub, &filter, on_list, &look);
	}
	wait_for(w, look.ended == 100);
	assert_int_equal(dt_activity_lost(&w->hub), 0);
	assert_int_equal(look_at(w, 1u << DT_ACTIVITY_CALL).count, 100);
}

world_test(a_store_that_does_not_open_is_told_of_once)
{
	struct world *w = *state;
	const char *log;

	make_folder(w, "s/dovetail");
	make_folder(w, "s/dovetail/dovetail.db");
	start_hub(w);
	add_calls(w, 3);
	wait_for(w, dt_activity_lost(&w->hub) == 4); /* and "started" */
	connect_agent(serve(w), w);
	wait_for(w, dt_activity_lost(&w->hub) == 7);
	log = file_text(w, text_of(w, "%s/log", w->dir));
	log = strstr(log, "cannot open");
	assert_non_null(log);
	assert_null(strstr(log + 1, "cannot open"));
}

world_test(the_persons_number_of_calls_is_kept)
{
	struct world *w = *state;

	make_folder(w, "c/dovetail");
	put_file(text_of(w, "%s/c/dovetail/dovetail.conf", w->dir),
	         "[store]\nkeep_calls = 100\n");
	add_calls(w, 300);
	assert_int_equal(look_at(w, 1u << DT_ACTIVITY_CALL).count, 300);
	restart_hub(w);
	wait_for(w, look_at(w, 1u << DT_ACTIVITY_CALL).count == 100);
}

world_test(a_long_message_is_cut)
{
	struct world *w = *state;
	char *text = text_of(w, "%01000d", 1);
	struct dt_activity_record r = { .kind = DT_ACTIVITY_DAEMON,
		                        .what = text };
	struct look look;

	dt_activity_add(&w->hub, &r);
	look = look_at(w, 0);
	assert_int_equal(look.count, 2);
	assert_true(strlen(look.text) < 400);
}

static int more;

static void on_more(struct dt_activity_watch *watch)
{
	more++;
	dt_activity_unwatch(watch);
}

world_test(who_watches_is_told_until_it_unwatches)
{
	struct world *w = *state;
	struct dt_activity_watch watch = { .on_more = on_more };

	more = 0;
	dt_activity_watch(&w->hub, &watch);
	wait_for(w, more == 1);
	add_calls(w, 300);
	wait_for(w, dt_activity_last(&w->hub) == 301);
	assert_int_equal(more, 1);
}

world_test(a_daemon_that_stops_answers_with_a_sentence)
{
	struct dt_activity_filter filter = { 0 };
	struct world *w = *state;
	struct look look = { 0 };

	dt_hub_stop(&w->hub);
	dt_activity_list(&w->hub, &filter, on_list, &look);
	assert_int_equal(look.ended, 1);
	assert_string_equal(look.fail.msg, "the daemon stops");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(everything_that_happens_is_kept),
		test_in_world(of_a_review_the_beginning_of_its_id_is_told),
		test_in_world(a_restart_is_kept_and_the_numbers_go_on),
		test_in_world(a_batch_leaves_when_it_is_full_or_after_a_while),
		test_in_world(a_store_that_does_not_keep_up_loses_and_counts),
		test_in_world(those_who_read_lose_nothing),
		test_in_empty_world(a_store_that_does_not_open_is_told_of_once),
		test_in_world(the_persons_number_of_calls_is_kept),
		test_in_world(a_long_message_is_cut),
		test_in_world(who_watches_is_told_until_it_unwatches),
		test_in_world(a_daemon_that_stops_answers_with_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
