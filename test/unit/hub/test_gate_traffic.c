/*
 * test/unit/hub/test_gate_traffic.c - the gate as agents see it.
 *
 * Everything that passes the links is recorded and searched: what is denied must
 * not be in it by whatever way, and what is allowed must, or the search proves
 * nothing.
 */
#include "agent.h"

#include "editor/diagnostics.h"
#include "hub/record.h"

#include <dirent.h>

#define SECRET "s3cr3t-7f1c"
#define PUBLIC "public-41ab"

struct scene {
	struct dt_workspace *ws;
	struct client *agent;
	struct client *command;
	char *env;  /* .env, which holds the secret */
	char *link; /* leads to it */
	char *code; /* allowed */
	char *seen; /* the folder of the recording */
};

static struct scene open_scene(struct world *w)
{
	struct scene s = { .seen = make_folder(w, "seen") };

	assert_ok(dt_recorder_new(s.seen, &w->hub.recorder, NULL));
	s.ws = serve(w);
	s.env = make_file(w, ".env", "A=1\nTOKEN=" SECRET "\n");
	s.link = text_of(w, "%s/notes.txt", w->project);
	assert_int_equal(symlink(".env", s.link), 0);
	s.code = make_file(w, "a.c", "int x; /* " PUBLIC " */\n");
	s.agent = connect_ready_agent(s.ws, w);
	s.command = connect_command(w);
	return s;
}

static const char *select_lines(struct scene *s, const char *path, int first,
                                int last)
{
	struct world *w = s->command->w;

	return ask(s->command, "select",
	           text_of(w,
	                   "{\"path\":%s,\"startLine\":%d,\"startColumn\":1,"
	                   "\"endLine\":%d,\"endColumn\":0}",
	                   quoted(w, path), first, last));
}

/* The selection an agent is told next: its path and its text. */
static void expect_selected(struct client *c, const char *path,
                            const char *text)
{
	const char *message = hear(c);

	assert_string_equal(at(c->w, message, "method"), "selection_changed");
	assert_string_equal(at(c->w, message, "params.filePath"), path);
	assert_string_equal(at(c->w, message, "params.text"), text);
}

/* Whether a text is in what any agent got, or in the recording of it. */
static bool has_passed(struct world *w, struct scene *s, const char *text)
{
	DIR *dir = opendir(s->seen);
	struct dirent *entry;
	bool is_there = false;

	for (struct client *c = w->clients; c; c = c->next) {
		for (size_t i = 0; i < c->count && c != s->command; i++)
			is_there |= strstr(c->heard[i], text) != NULL;
	}
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *file = file_text(
			w, text_of(w, "%s/%s", s->seen, entry->d_name));

		/* What an agent says itself it knows already. */
		for (const char *at = file; at && (at = strstr(at, text));
		     at++) {
			const char *line = at;

			while (line > file && line[-1] != '\n')
				line--;
			is_there |= strncmp(line, "agent>", 6) != 0;
		}
	}
	closedir(dir);
	return is_there;
}

world_test(a_denied_selection_takes_the_place_of_an_older_one)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *answer;

	answer = select_lines(&s, s.code, 1, 1);
	assert_null(at(w, answer, "result.withheld"));
	expect_selected(s.agent, s.code, "int x; /* " PUBLIC " */");
	answer = select_lines(&s, s.env, 1, 2);
	assert_string_equal(at(w, answer, "result.withheld"),
	                    ".env is kept from agents: .env* is denied (built "
	                    "in)");
	expect_selected(s.agent, "", "");
	/* That nothing is selected it knows. */
	select_lines(&s, s.link, 2, 2);
	expect_silence(s.agent, 50);
	select_lines(&s, s.code, 1, 1);
	expect_selected(s.agent, s.code, "int x; /* " PUBLIC " */");
	assert_true(has_passed(w, &s, PUBLIC));
	assert_false(has_passed(w, &s, SECRET));
}

world_test(who_comes_later_gets_nothing_denied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	hang_up(s.agent);
	select_lines(&s, s.link, 1, 2);
	expect_silence(connect_ready_agent(s.ws, w), 50);
	assert_false(has_passed(w, &s, SECRET));
}

world_test(a_denied_mention_fails_and_is_sent_to_nobody)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *answer =
		ask(s.command, "mention",
	            text_of(w, "{\"path\":%s}", quoted(w, s.link)));

	assert_string_equal(at(w, answer, "error.code"), "-32010");
	assert_string_equal(at(w, answer, "error.message"),
	                    "notes.txt is kept from agents: it leads to .env, "
	                    "and .env* is denied (built in)");
	hang_up(s.agent);
	answer = ask(s.command, "mention",
	             text_of(w, "{\"path\":%s}", quoted(w, s.env)));
	assert_string_equal(at(w, answer, "error.code"), "-32010");
	assert_int_equal(s.ws->mention_count, 0);
	expect_silence(connect_ready_agent(s.ws, w), 50);
}

world_test(a_mention_that_waits_is_judged_again)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	hang_up(s.agent);
	ask(s.command, "mention",
	    text_of(w, "{\"path\":%s}", quoted(w, s.code)));
	assert_int_equal(s.ws->mention_count, 1);
	put_file(text_of(w, "%s/.dovetail.conf", w->project),
	         "[context]\ndeny = *.c\n");
	dt_hub_reload(&w->hub);
	expect_silence(connect_ready_agent(s.ws, w), 50);
	assert_int_equal(s.ws->mention_count, 0);
}

/* Ask by every tool that might tell something of a file. */
static void ask_everything(struct scene *s, const char *path)
{
	static const char *const tools[] = {
		"getCurrentSelection", "getLatestSelection",
		"getOpenEditors",      "getDiagnostics",
		"executeCode",         "get_all_opened_file_paths",
	};
	struct client *c = s->agent;
	char *file = text_of(c->w, "{\"filePath\":%s}", quoted(c->w, path));

	call(c, "openFile",
	     text_of(c->w,
	             "{\"filePath\":%s,\"startText\":\"TOKEN\","
	             "\"selectToEndOfLine\":true}",
	             quoted(c->w, path)));
	call(c, "openFile",
	     text_of(c->w, "{\"filePath\":%s,\"makeFrontmost\":false}",
	             quoted(c->w, path)));
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		call(c, tools[i], "{\"code\":\"1\"}");
	call(c, "getDiagnostics",
	     text_of(c->w, "{\"uri\":%s}", quoted(c->w, path)));
	call(c, "checkDocumentDirty", file);
	call(c, "saveDocument", file);
	call(c, "open_files",
	     text_of(c->w, "{\"file_paths\":[%s]}", quoted(c->w, path)));
	call(c, "getCurrentSelection", "{}");
	call(c, "close_tab",
	     text_of(c->w, "{\"tab_name\":%s}", quoted(c->w, path)));
	run_for(c->w, 50);
}

/* An editor that finds fault with every file it is asked about, and with two
 * more; for the rest it is the one that was there. */
static const struct dt_backend *real;
static const char *faulty[3];

static void find_fault(struct dt_editor *editor, const struct dt_operation *op,
                       const void *args, struct dt_answer *answer)
{
	struct dt_diagnostic problem = {
		.message = DT_STR("near " SECRET),
	};
	struct dt_diagnostic fine = { .message = DT_STR("near " PUBLIC) };
	struct dt_file_diagnostics files[] = {
		{ faulty[0], { &problem, 1 } },
		{ faulty[1], { &problem, 1 } },
		{ faulty[2], { &fine, 1 } },
	};
	struct dt_diagnostics_result result = { { files, 3 } };

	if (op == &dt_op_get_diagnostics)
		dt_answer_end(answer, &result);
	else
		real->perform(editor, op, args, answer);
}

world_test(no_tool_tells_what_is_denied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct dt_backend fake;

	real = s.ws->editor->backend;
	fake = *real;
	fake.perform = find_fault;
	faulty[0] = s.env;
	faulty[1] = s.link;
	faulty[2] = s.code;
	s.ws->editor->backend = &fake;
	ask_everything(&s, s.env);
	ask_everything(&s, s.link);
	ask_everything(&s, text_of(w, "%s/./x/../.env", w->project));
	ask_everything(&s, text_of(w, "file://%s", s.env));
	assert_false(has_passed(w, &s, SECRET));
	assert_true(has_passed(w, &s, "near " PUBLIC));
	/* The names are free. */
	assert_true(has_passed(w, &s, "Opened file:"));
	assert_true(has_passed(w, &s, "is kept from agents"));
	/* And the same of a file that is not denied does pass. */
	ask_everything(&s, s.code);
	assert_true(has_passed(w, &s, "lineCount\\\":2"));
	s.ws->editor->backend = real;
}

static void show(struct scene *s, const char *path, const char *text)
{
	struct dt_event event = {
		.type = DT_EVENT_SELECTION,
		.selection = {
			.path = path,
			.text = dt_str(text),
			.is_lasting = true,
		},
	};

	s->ws->editor->on_event(s->ws->editor, &event, s->ws->editor->owner);
}

world_test(what_an_editor_shows_is_not_sent_again_once_it_is_denied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	show(&s, s.code, "shown");
	expect_selected(s.agent, s.code, "shown");
	put_file(text_of(w, "%s/.dovetail.conf", w->project),
	         "[context]\ndeny = *.c\n");
	ask(s.command, "reload", "{}");
	expect_selected(s.agent, "", "");
	/* A prompt makes us send what is shown once more. */
	check_call(s.agent, "closeAllDiffTabs", "{}", "CLOSED_0_DIFF_TABS");
	expect_silence(s.agent, 700);
	unlink(text_of(w, "%s/.dovetail.conf", w->project));
	ask(s.command, "reload", "{}");
	expect_selected(s.agent, s.code, "shown");
}

world_test(a_muted_agent_hears_nothing_and_the_others_do)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct client *b = connect_agent_as(s.ws, w, "beta", "1");

	ask(b, "tools/list", "{}");
	wait_for(w, last_session(s.ws)->agent.is_ready);
	show(&s, s.code, "one");
	expect_selected(s.agent, s.code, "one");
	expect_selected(b, s.code, "one");
	ask(s.command, "mute", "{\"agent\":\"beta\"}");
	expect_selected(b, "", "");
	show(&s, s.code, "two");
	expect_selected(s.agent, s.code, "two");
	check_call(b, "getCurrentSelection", "{}",
	           "{\"success\":false,\"message\":\"No active editor "
	           "found\"}");
	/* It goes to who may hear it; one that is named and muted fails. */
	ask(s.command, "mention",
	    text_of(w, "{\"path\":%s}", quoted(w, s.code)));
	assert_string_equal(at(w, hear(s.agent), "method"), "at_mentioned");
	request(s.command, "mention",
	        text_of(w, "{\"path\":%s,\"agent\":\"beta\"}",
	                quoted(w, s.code)));
	expect_failure(s.command, s.command->id, -32010,
	               "that agent is muted: `dovetail unmute` ends that");
	expect_silence(b, 700);
	ask(s.command, "unmute", "{\"agent\":\"beta\"}");
	expect_selected(b, s.code, "two");
	expect_silence(s.agent, 50);
}

world_test(do_not_disturb_is_for_everybody)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *answer;

	ask(s.command, "mute", "{}");
	answer = select_lines(&s, s.code, 1, 1);
	assert_string_equal(at(w, answer, "result.withheld"),
	                    "agents are muted: `dovetail unmute` ends that");
	request(s.command, "mention",
	        text_of(w, "{\"path\":%s}", quoted(w, s.code)));
	expect_failure(s.command, s.command->id, -32010,
	               "agents are muted: `dovetail unmute` ends that");
	expect_silence(s.agent, 50);
	expect_silence(connect_ready_agent(s.ws, w), 50);
	assert_false(has_passed(w, &s, PUBLIC));
	/* What is selected by then is told. */
	ask(s.command, "unmute", "{}");
	expect_selected(s.agent, s.code, "int x; /* " PUBLIC " */");
}

world_test(a_line_is_kept_of_all_that_left_and_all_that_did_not)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	const char *log;

	select_lines(&s, s.code, 1, 1);
	select_lines(&s, s.env, 1, 2);
	ask(s.command, "mention",
	    text_of(w, "{\"path\":%s,\"firstLine\":2,\"lastLine\":4}",
	            quoted(w, s.code)));
	log = ask(s.command, "log/list", "{\"what\":\"audit\"}");
	assert_string_equal(at(w, log, "result.items.0.kind"), "selection");
	assert_string_equal(at(w, log, "result.items.0.path"), s.code);
	assert_string_equal(at(w, log, "result.items.0.bytes"), "24");
	assert_string_equal(at(w, log, "result.items.0.lines"), "1");
	assert_null(at(w, log, "result.items.0.denied"));
	assert_string_equal(at(w, log, "result.items.1.kind"), "selection");
	assert_string_equal(at(w, log, "result.items.1.path"), s.env);
	assert_non_null(
		strstr(at(w, log, "result.items.1.denied"), "built in"));
	assert_string_equal(at(w, log, "result.items.2.kind"), "mention");
	assert_string_equal(at(w, log, "result.items.2.lines"), "3");
	assert_null(strstr(log, SECRET));
	assert_null(strstr(log, PUBLIC));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(
			a_denied_selection_takes_the_place_of_an_older_one),
		test_in_world(who_comes_later_gets_nothing_denied),
		test_in_world(a_denied_mention_fails_and_is_sent_to_nobody),
		test_in_world(a_mention_that_waits_is_judged_again),
		test_in_world(no_tool_tells_what_is_denied),
		test_in_world(
			what_an_editor_shows_is_not_sent_again_once_it_is_denied),
		test_in_world(a_muted_agent_hears_nothing_and_the_others_do),
		test_in_world(do_not_disturb_is_for_everybody),
		test_in_world(
			a_line_is_kept_of_all_that_left_and_all_that_did_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
