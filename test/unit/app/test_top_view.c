/* test/unit/app/test_top_view.c - twin of src/app/top_view.c */
#include "app/top_view.h"

#include "unit.h"

static const char *event_texts[] = { "one", "two", "three", "four", "five" };

/* Two looks at a daemon, two seconds apart. */
struct world {
	struct dt_arena arena;
	struct dt_top_session session;
	struct dt_top_tool tools[2][3];
	struct dt_top_workspace workspace[2];
	struct dt_top top[2];
	struct dt_top_page page;
};

static void begin(struct world *w)
{
	*w = (struct world){
		.session = { .agent = "claude\033-code",
		             .version = "2",
		             .connected_ms = 1,
		             .running = 1,
		             .queue_bytes = 7,
		             .waiting = 2 },
	};
	for (int i = 0; i < 2; i++) {
		w->tools[i][0] = (struct dt_top_tool){ "idle", 100, 0, 50, 90 };
		w->tools[i][1] = (struct dt_top_tool){ "busy", 10 + 5 * i, 3,
			                               1500, 2000000 };
		w->tools[i][2] = (struct dt_top_tool){ "rare", 1, 0, 0, 0 };
		w->workspace[i] = (struct dt_top_workspace){
			.root = "/w",
			.port = 10101,
			.waiting = 2,
			.sessions = { &w->session, 1 },
			.tools = { w->tools[i], 3 },
		};
		w->top[i] = (struct dt_top){
			.version = "9",
			.started_ms = 1,
			.now_ms = 1000 + 2000 * i,
			.workspaces = { &w->workspace[i], 1 },
		};
	}
	w->page = (struct dt_top_page){
		.now = &w->top[1],
		.before = &w->top[0],
		.events = { event_texts, 5 },
		.columns = 120,
	};
}

static const char *shown(struct world *w)
{
	struct dt_buf out;
	const char *copy;

	dt_buf_init(&out, 100000);
	dt_top_write(&out, &w->arena, &w->page);
	copy = dt_arena_strdup(&w->arena, dt_buf_z(&out));
	dt_buf_done(&out);
	return copy;
}

static size_t lines_of(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

test(a_page_has_everything_where_there_is_room)
{
	struct world w;
	const char *text;

	begin(&w);
	text = shown(&w);
	assert_non_null(strstr(text,
	                       "Dovetail 9: 1 workspace, 1 agent, 2.5 calls/s, "
	                       "2 reviews waiting, started just now\n"));
	assert_non_null(strstr(text, "/w (port 10101)\n"));
	assert_non_null(strstr(text, "claude<U+001B>-code 2"));
	assert_non_null(strstr(text, "1 running, 7 B queued, 2 waiting\n"));
	assert_non_null(strstr(
		text, "busy                               15        3      2.5"
		      "    1.5 ms     2.0 s\n"));
	assert_non_null(strstr(text, "RECENT\none\n"));
	assert_null(strchr(text, '\033'));
	dt_arena_done(&w.arena);
}

test(the_busiest_tool_is_first)
{
	struct world w;
	const char *text;

	begin(&w);
	text = shown(&w);
	assert_true(strstr(text, "busy ") < strstr(text, "idle "));
	assert_true(strstr(text, "idle ") < strstr(text, "rare "));
	/* Without a look before there are no rates. */
	w.page.before = NULL;
	text = shown(&w);
	assert_true(strstr(text, "idle ") < strstr(text, "busy "));
	assert_non_null(strstr(text, " 0.0 calls/s"));
	dt_arena_done(&w.arena);
}

test(a_tool_of_two_workspaces_is_told_apart)
{
	struct dt_top_workspace both[2];
	struct world w;
	const char *text;

	begin(&w);
	both[0] = both[1] = w.workspace[1];
	both[1].root = "/home/other";
	both[1].tools.count = 1;
	w.top[1].workspaces = (struct dt_items){ both, 2 };
	text = shown(&w);
	assert_non_null(strstr(text, "\nidle w  "));
	assert_non_null(strstr(text, "\nidle other  "));
	assert_non_null(strstr(text, "\nbusy  "));
	dt_arena_done(&w.arena);
}

test(another_daemon_counts_from_zero)
{
	struct world w;

	begin(&w);
	w.top[0].started_ms = 0;
	assert_non_null(strstr(shown(&w), " 0.0 calls/s"));
	dt_arena_done(&w.arena);
}

test(a_page_is_no_longer_and_no_wider_than_the_terminal)
{
	struct world w;

	begin(&w);
	for (w.page.rows = 3; w.page.rows < 20; w.page.rows++) {
		const char *text = shown(&w);

		assert_true(lines_of(text) <= w.page.rows);
		if (w.page.rows >= 8)
			assert_non_null(strstr(text, "five\n"));
	}
	w.page.columns = 20;
	assert_non_null(strstr(shown(&w), "Dovetail 9: 1 worksp\n"));
	dt_arena_done(&w.arena);
}

test(a_cut_leaves_characters_whole)
{
	struct world w;

	begin(&w);
	w.workspace[1].root = "/\xc3\xa4\xc3\xb6\xc3\xbc";
	w.page.columns = 3;
	assert_non_null(strstr(shown(&w), "\n/\xc3\xa4\xc3\xb6\n"));
	dt_arena_done(&w.arena);
}

test(an_answer_is_read_by_its_shape)
{
	static const char text[] =
		"{\"version\":\"9\",\"pid\":3,\"startedMs\":1,\"nowMs\":2,"
		"\"workspaces\":[{\"root\":\"/w\",\"port\":5,\"waiting\":0,"
		"\"sessions\":[{\"agent\":\"a\",\"running\":4}],\"tools\":[{"
		"\"name\":\"t\",\"calls\":6,\"p95Us\":7}]}]}";
	struct dt_arena arena = { 0 };
	const struct dt_top_workspace *ws;
	const struct dt_json *json;
	struct dt_top top = { 0 };

	assert_ok(dt_json_read(&arena, dt_str(text), &json, NULL));
	assert_ok(dt_shape_read(&dt_top_shape, &arena, json, &top, NULL));
	ws = top.workspaces.ptr;
	assert_int_equal(ws->port, 5);
	assert_int_equal(((struct dt_top_session *)ws->sessions.ptr)->running,
	                 4);
	assert_int_equal(((struct dt_top_tool *)ws->tools.ptr)->p95_us, 7);
	dt_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_has_everything_where_there_is_room),
		cmocka_unit_test(the_busiest_tool_is_first),
		cmocka_unit_test(a_tool_of_two_workspaces_is_told_apart),
		cmocka_unit_test(another_daemon_counts_from_zero),
		cmocka_unit_test(
			a_page_is_no_longer_and_no_wider_than_the_terminal),
		cmocka_unit_test(a_cut_leaves_characters_whole),
		cmocka_unit_test(an_answer_is_read_by_its_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
