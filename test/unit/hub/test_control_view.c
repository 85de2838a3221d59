#include "agent.h"

#define TEXT "one\nt\xc3\xa4\xf0\x9f\x98\x80x\nthree\n"

static const char *open_at(struct client *c, const char *path, const char *more)
{
	return ask(c, "open", text_of(c->w, "{\"path\":\"%s\"%s}", path, more));
}

static void check_selected(struct client *agent, const char *path,
                           const char *text, const char *range)
{
	struct world *w = agent->w;
	const char *message = hear(agent);

	assert_string_equal(at(w, message, "params.filePath"), path);
	assert_string_equal(at(w, message, "params.text"), text);
	assert_string_equal(
		text_of(w, "%s.%s-%s.%s",
	                at(w, message, "params.selection.start.line"),
	                at(w, message, "params.selection.start.character"),
	                at(w, message, "params.selection.end.line"),
	                at(w, message, "params.selection.end.character")),
		range);
}

world_test(open_puts_the_cursor_where_the_person_said)
{
	struct world *w = *state;
	struct dt_workspace *ws = serve(w);
	struct client *agent = connect_ready_agent(ws, w);
	struct client *c = connect_command(w);
	char *path = make_file(w, "a.txt", TEXT);
	const char *answer = open_at(c, path, "");

	assert_string_equal(at(w, answer, "result"),
	                    text_of(w, "{\"path\":\"%s\",\"lines\":1}", path));
	check_selected(agent, path, "", "0.0-0.0");
	open_at(c, path, ",\"line\":2,\"column\":4");
	check_selected(agent, path, "", "1.4-1.4");
	answer = open_at(c, path, ",\"line\":99,\"column\":99");
	assert_string_equal(at(w, answer, "result.lines"), "4");
	check_selected(agent, path, "", "3.0-3.0");
	assert_string_equal(ws->docs.active->path, path);
}

world_test(open_says_what_it_cannot_open)
{
	struct world *w = *state;
	struct client *c = connect_command(w);
	char *outside = text_of(w, "%s/outside", w->dir);
	char *folder;

	put_file(outside, "x");
	request(c, "open", text_of(w, "{\"path\":\"%s\"}", outside));
	expect_failure(c, c->id, -32011,
	               text_of(w,
	                       "%s is in no folder that is served: run "
	                       "`dovetail start` there",
	                       outside));
	serve(w);
	folder = text_of(w, ",\"folder\":\"%s\"", w->project);
	request(c, "open", text_of(w, "{\"path\":\"%s\"%s}", outside, folder));
	expect_failure(c, c->id, -32010,
	               text_of(w, "%s is outside the workspace", outside));
	assert_string_equal(
		at(w, open_at(c, text_of(w, "%s/none", w->project), ""),
	           "error.code"),
		"-32011");
	request(c, "open", "{\"path\":\"a.txt\"}");
	expect_failure(c, c->id, -32602, "path: not an absolute path");
}

world_test(select_counts_as_a_person_does)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *path = make_file(w, "a.txt", TEXT);
	const char *answer;

	answer = ask(c, "select",
	             text_of(w,
	                     "{\"path\":\"%s\",\"startLine\":1,\"endLine\":2}",
	                     path));
	assert_string_equal(at(w, answer, "result"),
	                    text_of(w, "{\"path\":\"%s\",\"lines\":2}", path));
	check_selected(agent, path, "one\nt\xc3\xa4\xf0\x9f\x98\x80x",
	               "0.0-1.5");
	ask(c, "select",
	    text_of(w,
	            "{\"path\":\"%s\",\"startLine\":2,\"startColumn\":3,"
	            "\"endLine\":2,\"endColumn\":4}",
	            path));
	check_selected(agent, path, "\xf0\x9f\x98\x80", "1.2-1.4");
}

world_test(what_ends_before_it_starts_is_not_selected)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *path = make_file(w, "a.txt", TEXT);

	request(c, "select",
	        text_of(w, "{\"path\":\"%s\",\"startLine\":3,\"endLine\":1}",
	                path));
	expect_failure(c, c->id, -32602, "it ends before it starts");
	request(c, "select",
	        text_of(w, "{\"path\":\"%s\",\"startLine\":3}", path));
	expect_failure(c, c->id, -32602, "it ends before it starts");
	expect_silence(agent, 50);
}

world_test(select_can_clear)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	const char *answer = ask(
		c, "select",
		text_of(w, "{\"folder\":\"%s\",\"clear\":true}", w->project));

	assert_string_equal(at(w, answer, "result"),
	                    "{\"path\":\"\",\"lines\":0}");
	check_selected(agent, "", "", "0.0-0.0");
	request(c, "select", "{}");
	expect_failure(c, c->id, -32602, "path: missing");
	request(c, "select", text_of(w, "{\"folder\":\"%s\"}", w->project));
	expect_failure(c, c->id, -32602, "path: missing");
	request(c, "select",
	        text_of(w, "{\"path\":\"%s/none\",\"startLine\":1}",
	                w->project));
	assert_string_equal(at(w, hear(c), "error.code"), "-32011");
}

world_test(a_file_outside_may_be_selected_from_inside)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *outside = text_of(w, "%s/outside", w->dir);

	put_file(outside, "x\n");
	ask(c, "select",
	    text_of(w,
	            "{\"path\":\"%s\",\"folder\":\"%s\",\"startLine\":1,"
	            "\"endLine\":1}",
	            outside, w->project));
	check_selected(agent, outside, "x", "0.0-0.1");
}

static const char *mention(struct client *c, const char *path, const char *more)
{
	return ask(c, "mention",
	           text_of(c->w, "{\"path\":\"%s\"%s}", path, more));
}

world_test(mention_says_who_was_told)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *path = text_of(w, "%s/a.txt", w->project);

	assert_string_equal(at(w, mention(c, path, ""), "result"),
	                    "{\"agent\":\"claude-code\",\"isWaiting\":false}");
	expect(agent,
	       "{\"jsonrpc\":\"2.0\",\"method\":\"at_mentioned\",\"params\":{"
	       "\"filePath\":\"%s\"}}",
	       path);
	mention(c, path, ",\"firstLine\":1,\"lastLine\":3");
	assert_string_equal(
		at(w, hear(agent), "params"),
		text_of(w,
	                "{\"filePath\":\"%s\",\"lineStart\":0,\"lineEnd\":2}",
	                path));
	mention(c, path, ",\"firstLine\":7");
	assert_string_equal(
		at(w, hear(agent), "params"),
		text_of(w,
	                "{\"filePath\":\"%s\",\"lineStart\":6,\"lineEnd\":6}",
	                path));
	mention(c, path, ",\"firstLine\":7,\"lastLine\":2");
	assert_string_equal(at(w, hear(agent), "params.lineEnd"), "6");
	assert_string_equal(
		at(w, mention(c, path, ",\"agent\":\"nobody\""), "result"),
		"{\"agent\":\"\",\"isWaiting\":true}");
}

/* The CLI makes paths relative to its real folder. */
world_test(through_a_linked_folder_the_real_file_is_meant)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *path = make_file(w, "a.txt", TEXT);
	char *linked = text_of(w, "%s/link/a.txt", w->dir);

	assert_int_equal(symlink(w->project, text_of(w, "%s/link", w->dir)), 0);
	assert_string_equal(at(w, open_at(c, linked, ""), "result.path"), path);
	check_selected(agent, path, "", "0.0-0.0");
	ask(c, "select",
	    text_of(w, "{\"path\":\"%s\",\"startLine\":1,\"endLine\":1}",
	            linked));
	check_selected(agent, path, "one", "0.0-0.3");
	mention(c, linked, "");
	assert_string_equal(at(w, hear(agent), "params.filePath"), path);
}

/* A link inside the workspace keeps its name. */
world_test(a_linked_file_inside_is_meant_by_its_own_name)
{
	struct world *w = *state;
	struct client *agent = connect_ready_agent(serve(w), w);
	struct client *c = connect_command(w);
	char *alias = text_of(w, "%s/alias.txt", w->project);

	make_file(w, "a.txt", TEXT);
	assert_int_equal(symlink("a.txt", alias), 0);
	mention(c, alias, "");
	assert_string_equal(at(w, hear(agent), "params.filePath"), alias);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(open_puts_the_cursor_where_the_person_said),
		test_in_world(open_says_what_it_cannot_open),
		test_in_world(select_counts_as_a_person_does),
		test_in_world(what_ends_before_it_starts_is_not_selected),
		test_in_world(select_can_clear),
		test_in_world(a_file_outside_may_be_selected_from_inside),
		test_in_world(mention_says_who_was_told),
		test_in_world(through_a_linked_folder_the_real_file_is_meant),
		test_in_world(a_linked_file_inside_is_meant_by_its_own_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
