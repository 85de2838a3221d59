/* test/unit/hub/test_audit.c - twin of src/hub/audit.c */
#include "agent.h"

#include "hub/audit.h"

#define OPEN_MS 2000

static void add(struct dt_session *s, const char *path, int64_t bytes,
                const char *denied)
{
	struct dt_audit_item item = {
		.ws = s->ws,
		.kind = DT_AUDIT_SELECTION,
		.path = path,
		.bytes = bytes,
		.lines = bytes / 10,
		.denied = denied,
	};

	dt_audit_add(s, &item);
}

static const char *list(struct world *w)
{
	return ask(connect_command(w), "log/list", "{\"what\":\"audit\"}");
}

static const char *item_at(struct world *w, const char *log, int n,
                           const char *member)
{
	return at(w, log, text_of(w, "result.items.%d.%s", n, member));
}

world_test(a_line_says_what_left_for_whom)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	add(last_session(ws), "/w/a", 25, NULL);
	add(last_session(ws), "/w/b", 0, "because");
	log = list(w);
	assert_string_equal(item_at(w, log, 0, "type"), "audit");
	assert_string_equal(item_at(w, log, 0, "agent"), "claude-code");
	assert_string_equal(item_at(w, log, 0, "session"),
	                    last_session(ws)->id);
	assert_string_equal(item_at(w, log, 0, "root"), w->project);
	assert_string_equal(item_at(w, log, 0, "kind"), "selection");
	assert_string_equal(item_at(w, log, 0, "path"), "/w/a");
	assert_string_equal(item_at(w, log, 0, "bytes"), "25");
	assert_string_equal(item_at(w, log, 0, "lines"), "2");
	assert_string_equal(item_at(w, log, 0, "times"), "1");
	assert_null(item_at(w, log, 0, "denied"));
	assert_string_equal(item_at(w, log, 1, "path"), "/w/b");
	assert_string_equal(item_at(w, log, 1, "denied"), "because");
	assert_null(at(w, log, "result.items.2"));
}

world_test(repeats_are_one_line_with_the_largest_size)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	uint64_t before = w->hub.log_sequence;
	const char *log;

	connect_agent(ws, w);
	before = w->hub.log_sequence;
	for (int i = 0; i < 1000; i++)
		add(last_session(ws), "/w/a", i % 700, NULL);
	assert_int_equal(w->hub.audit_count, 1);
	/* A line that leaves and one that does not are two. */
	add(last_session(ws), "/w/a", 0, "because");
	assert_int_equal(w->hub.log_sequence, before + 2);
	log = list(w);
	assert_string_equal(item_at(w, log, 0, "times"), "1000");
	assert_string_equal(item_at(w, log, 0, "bytes"), "699");
	assert_string_equal(item_at(w, log, 0, "lines"), "69");
	assert_string_equal(item_at(w, log, 1, "denied"), "because");
	assert_null(at(w, log, "result.items.2"));
}

world_test(after_two_seconds_it_is_another_line)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	add(last_session(ws), "/w/a", 10, NULL);
	add(last_session(ws), "/w/a", 20, NULL);
	run_for(w, OPEN_MS / 2);
	add(last_session(ws), "/w/b", 10, NULL);
	wait_for(w, w->hub.audit_count == 1);
	wait_for(w, w->hub.audit_count == 0);
	add(last_session(ws), "/w/a", 5, NULL);
	log = list(w);
	assert_string_equal(item_at(w, log, 0, "bytes"), "20");
	assert_string_equal(item_at(w, log, 0, "times"), "2");
	assert_string_equal(item_at(w, log, 1, "path"), "/w/b");
	assert_string_equal(item_at(w, log, 2, "bytes"), "5");
}

world_test(two_agents_have_a_line_each)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);

	connect_agent(ws, w);
	add(last_session(ws), "/w/a", 10, NULL);
	connect_agent(ws, w);
	add(last_session(ws), "/w/a", 10, NULL);
	assert_int_equal(w->hub.audit_count, 2);
}

world_test(no_more_lines_are_open_than_the_limit)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	for (unsigned i = 0; i < DT_LIMIT_AUDITS + 50; i++)
		add(last_session(ws), text_of(w, "/w/%u", i), 1, NULL);
	assert_int_equal(w->hub.audit_count, DT_LIMIT_AUDITS);
	log = list(w);
	assert_string_equal(item_at(w, log, 0, "path"), "/w/0");
	assert_non_null(item_at(w, log, DT_LIMIT_AUDITS + 49, "path"));
}

world_test(the_last_ones_are_kept_when_the_hub_stops)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	const char *log;

	connect_agent(ws, w);
	add(last_session(ws), "/w/a", 10, NULL);
	add(last_session(ws), "/w/a", 30, NULL);
	restart_hub(w);
	log = list(w);
	assert_string_equal(item_at(w, log, 0, "bytes"), "30");
	assert_string_equal(item_at(w, log, 0, "times"), "2");
	assert_null(at(w, log, "result.items.1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(a_line_says_what_left_for_whom),
		test_in_world(repeats_are_one_line_with_the_largest_size),
		test_in_world(after_two_seconds_it_is_another_line),
		test_in_world(two_agents_have_a_line_each),
		test_in_world(no_more_lines_are_open_than_the_limit),
		test_in_world(the_last_ones_are_kept_when_the_hub_stops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
