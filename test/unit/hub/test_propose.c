/*
 * test/unit/hub/test_propose.c - proposeEdit and getReview with a real inbox, a
 * real store and real files; the dialect alone is played, in both its eras.
 */
#include "agent.h"

#include "tool/call.h"
#include "tool/edit_tools.h"

/* One call of a tool in the name of the last session. */
struct run {
	struct world *w;
	struct dt_arena arena; /* freed at the end of the call */
	struct dt_call *call;
	bool can_ask;
	bool is_modern; /* a question ends the call */
	int asked;
	char *form;
	char *state;
	int ended;
	bool is_error;
	char *text;
};

static bool can_ask(struct dt_call *call, const char *method, void *owner)
{
	struct run *run = owner;

	(void)call;
	return run->can_ask && !strcmp(method, "elicitation/create");
}

static void on_ask(struct dt_call *call, const struct dt_ask *asks,
                   struct dt_str state, void *owner)
{
	struct run *run = owner;
	struct dt_arena *keep = &run->w->arena;

	run->asked++;
	run->form = dt_arena_strndup(keep, asks->params.ptr, asks->params.len);
	run->state = dt_arena_strndup(keep, state.ptr, state.len);
	if (!run->is_modern)
		return;
	dt_call_drop(call);
	dt_arena_done(&run->arena);
}

static const struct dt_call_face face = { .can_ask = can_ask, .ask = on_ask };

static void on_end(struct dt_call *call, const struct dt_content *content,
                   bool is_error, void *owner)
{
	struct run *run = owner;

	(void)call;
	run->ended++;
	run->is_error = is_error;
	run->text = dt_arena_strndup(&run->w->arena, content->text.ptr,
	                             content->text.len);
	dt_arena_done(&run->arena);
}

static const struct dt_json *json_of(struct dt_arena *arena, const char *text)
{
	const struct dt_json *json = NULL;

	assert_ok(dt_json_read(arena, dt_str(dt_arena_strdup(arena, text)),
	                       &json, NULL));
	return json;
}

/* `answers` and `state` of a call that comes again; else NULL. */
static void start(struct run *run, unsigned tool, const char *args,
                  const char *answers, const char *state)
{
	struct dt_workspace *ws = dt_hub_workspace_at(
		&run->w->hub, &run->w->arena, run->w->project);
	struct dt_call_spec spec = {
		.arena = &run->arena,
		.caller = &last_session(ws)->agent.caller,
		.tool = &dt_tools_edit.tools[tool],
		.args = json_of(&run->arena, args),
		.face = &face,
		.on_end = on_end,
		.owner = run,
	};

	if (answers)
		spec.answers = json_of(&run->arena, answers);
	spec.asked_state = dt_str(dt_arena_strdup(&run->arena, state));
	run->ended = 0;
	assert_ok(dt_call_start(&spec, &run->call, NULL));
}

static void propose_edit(struct run *run, const char *args)
{
	start(run, 0, args, NULL, NULL);
}

static const char *result(struct run *run, const char *path)
{
	wait_for(run->w, run->ended == 1);
	if (run->is_error)
		fail_msg("%s", run->text);
	return at(run->w, run->text, path);
}

/* A workspace with an agent and a person. */
struct scene {
	struct dt_workspace *ws;
	struct client *person;
	struct run run;
	char *a;
	char *b;
};

static struct scene open_scene(struct world *w)
{
	struct scene s = { .ws = serve(w), .run = { .w = w } };

	connect_agent(s.ws, w);
	s.person = connect_command(w);
	s.a = make_file(w, "a", "one\ntwo\n");
	s.b = make_file(w, "b", "bee\n");
	return s;
}

static char *edit_args(struct scene *s, const char *more)
{
	return text_of(s->run.w,
	               "{\"changes\":[{\"path\":\"%s\",\"edits\":[{\"oldText\":"
	               "\"two\",\"newText\":\"2\"}]}],\"reason\":\"why\"%s}",
	               s->a, more);
}

static void accept(struct scene *s, const char *more)
{
	const char *answer =
		decide(s->person, last_review(s->run.w)->id,
	               text_of(s->run.w, "\"verdict\":\"accept\"%s", more));

	assert_non_null(at(s->run.w, answer, "result"));
}

static const char *form_answer(struct world *w, const char *verdict)
{
	return text_of(w,
	               "{\"verdict\":{\"action\":\"accept\",\"content\":{"
	               "\"verdict\":\"%s\",\"comment\":\"said so\"}}}",
	               verdict);
}

/* As long as a person needs at least. */
static void read_form(struct scene *s)
{
	run_for(s->run.w, DT_LIMIT_ANSWER_MS + 20);
}

static void answer_again(struct run *run, const char *answers)
{
	dt_call_again(run->call, json_of(&run->arena, answers),
	              dt_str(run->state));
}

/* What the history says about the newest review. */
static const char *history(struct scene *s, const char *id, const char *path)
{
	return at(s->run.w,
	          ask(s->person, "review/get",
	              text_of(s->run.w, "{\"id\":\"%s\"}", id)),
	          path);
}

static char *waiting_id(struct world *w)
{
	return text_of(w, "%s", last_review(w)->id);
}

/* a person decides */

world_test(an_accepted_change_is_told_with_text_and_diff)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	propose_edit(&s.run, edit_args(&s, ""));
	assert_string_equal(last_review(w)->title, "a");
	assert_string_equal(last_review(w)->reason, "why");
	accept(&s, ",\"comment\":\"fine\"");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(result(&s.run, "comment"), "fine");
	assert_string_equal(result(&s.run, "written"), "false");
	assert_string_equal(result(&s.run, "changes.0.text"), "one\n2\n");
	assert_string_equal(result(&s.run, "changes.0.kind"), "change");
	assert_null(result(&s.run, "changes.0.edited"));
	assert_string_equal(result(&s.run, "diff"),
	                    "diff --git a/a b/a\n--- a/a\n+++ b/a\n"
	                    "@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
	assert_string_equal(file_text(w, s.a), "one\ntwo\n");
}

world_test(a_rejected_change_is_told_with_the_comment)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	decide(s.person, last_review(w)->id,
	       "\"verdict\":\"reject\",\"comment\":\"no\"");
	assert_string_equal(result(&s.run, "verdict"), "rejected");
	assert_string_equal(result(&s.run, "comment"), "no");
	assert_null(result(&s.run, "changes.0.text"));
	assert_string_equal(file_text(w, s.a), "one\ntwo\n");
}

world_test(what_the_person_made_of_it_is_written)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	assert_int_equal(chmod(s.a, 0755), 0);
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	accept(&s, ",\"text\":\"mine\\n\"");
	assert_string_equal(result(&s.run, "written"), "true");
	assert_string_equal(result(&s.run, "changes.0.edited"), "true");
	assert_string_equal(result(&s.run, "changes.0.text"), "mine\n");
	assert_string_equal(file_text(w, s.a), "mine\n");
	assert_int_equal(mode_of(s.a), 0755);
}

static char *all_kinds(struct scene *s)
{
	char *p = s->run.w->project;

	return text_of(s->run.w,
	               "{\"changes\":[{\"path\":\"%s/a\",\"text\":\"A\"},"
	               "{\"path\":\"%s/new/n\",\"text\":\"n\\n\"},"
	               "{\"path\":\"%s/b\",\"newPath\":\"%s/sub/b\"},"
	               "{\"path\":\"%s/c\",\"kind\":\"delete\"}],"
	               "\"title\":\"All\",\"write\":true}",
	               p, p, p, p, p);
}

world_test(all_files_of_a_change_are_one_review_and_written_together)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *c = make_file(w, "c", "sea\n");

	propose_edit(&s.run, all_kinds(&s));
	assert_int_equal(w->hub.inbox.count, 1);
	assert_int_equal(last_review(w)->set.count, 4);
	accept(&s, "");
	assert_string_equal(result(&s.run, "written"), "true");
	assert_string_equal(result(&s.run, "changes.1.kind"), "create");
	assert_string_equal(result(&s.run, "changes.2.kind"), "rename");
	assert_string_equal(result(&s.run, "changes.3.kind"), "delete");
	assert_string_equal(file_text(w, s.a), "A");
	assert_string_equal(file_text(w, text_of(w, "%s/new/n", w->project)),
	                    "n\n");
	assert_string_equal(file_text(w, text_of(w, "%s/sub/b", w->project)),
	                    "bee\n");
	assert_false(is_there(s.b));
	assert_false(is_there(c));
}

world_test(nothing_is_written_when_one_file_changed_meanwhile)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *c = make_file(w, "c", "sea\n");
	const char *answer;

	propose_edit(&s.run, all_kinds(&s));
	put_file(c, "other\n");
	answer = decide(s.person, last_review(w)->id, "\"verdict\":\"accept\"");
	assert_non_null(
		strstr(at(w, answer, "result.problem"), "c has changed"));
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(result(&s.run, "written"), "false");
	assert_non_null(strstr(result(&s.run, "problem"), "c has changed"));
	assert_string_equal(file_text(w, s.a), "one\ntwo\n");
	assert_string_equal(file_text(w, s.b), "bee\n");
	assert_false(is_there(text_of(w, "%s/new", w->project)));
}

world_test(a_dropped_call_leaves_an_orphan_that_can_be_applied)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id;

	make_file(w, "c", "sea\n");
	propose_edit(&s.run, all_kinds(&s));
	id = waiting_id(w);
	dt_call_drop(s.run.call);
	dt_arena_done(&s.run.arena);
	assert_int_equal(w->hub.inbox.count, 0);
	assert_string_equal(history(&s, id, "result.state"), "orphaned");
	assert_non_null(at(w,
	                   ask(s.person, "review/apply",
	                       text_of(w, "{\"id\":\"%s\"}", id)),
	                   "result"));
	assert_string_equal(file_text(w, s.a), "A");
	assert_false(is_there(s.b));
}

world_test(what_cannot_be_proposed_is_a_sentence)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	propose_edit(&s.run,
	             text_of(w,
	                     "{\"changes\":[{\"path\":\"%s\",\"edits\":[{"
	                     "\"oldText\":\"three\",\"newText\":\"3\"}]}]}",
	                     s.a));
	assert_int_equal(s.run.ended, 1);
	assert_true(s.run.is_error);
	assert_non_null(strstr(s.run.text, "oldText is not in the file"));
	assert_int_equal(w->hub.inbox.count, 0);
}

/* rules decide */

static void set_rules(struct world *w, const char *rules)
{
	char *dir = text_of(w, "%s/c/dovetail", w->dir);

	mkdir(dir, 0700);
	put_file(text_of(w, "%s/dovetail.conf", dir), rules);
	dt_hub_reload(&w->hub);
}

world_test(what_the_rules_allow_is_written_without_asking)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	set_rules(w, "[policy]\nallow = a\nrecord = b\n");
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	assert_string_equal(result(&s.run, "written"), "true");
	assert_string_equal(file_text(w, s.a), "one\n2\n");
	propose_edit(&s.run,
	             text_of(w,
	                     "{\"changes\":[{\"path\":\"%s\",\"text\":\"B\"}],"
	                     "\"write\":true}",
	                     s.b));
	assert_string_equal(result(&s.run, "written"), "true");
	assert_null(result(&s.run, "comment"));
	assert_string_equal(file_text(w, s.b), "B");
	assert_int_equal(s.run.asked, 0);
	assert_int_equal(w->hub.inbox.count, 0);
	assert_int_equal(w->hub.inbox.put_by_count, 0);
}

world_test(what_the_rules_deny_fails)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	set_rules(w, "[policy]\ndeny = a\n");
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	wait_for(w, s.run.ended);
	assert_true(s.run.is_error);
	assert_non_null(strstr(s.run.text, "policy denies this change"));
	assert_string_equal(file_text(w, s.a), "one\ntwo\n");
	assert_int_equal(w->hub.inbox.put_by_count, 0);
}

/* the agent's own question, in both eras */

world_test(a_form_shows_the_diff_and_decides)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id;

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	assert_int_equal(s.run.asked, 1);
	assert_int_equal(s.run.ended, 0);
	assert_non_null(strstr(at(w, s.run.form, "message"),
	                       "a\n\nwhy\n\nchange a\n\ndiff --git a/a b/a\n"));
	id = waiting_id(w);
	assert_memory_equal(s.run.state, id, strlen(id));
	read_form(&s);
	answer_again(&s.run, form_answer(w, "accept"));
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(result(&s.run, "comment"), "said so");
	assert_string_equal(result(&s.run, "written"), "true");
	assert_string_equal(history(&s, id, "result.decidedBy"),
	                    "claude-code's own question");
}

world_test(a_form_that_was_closed_leaves_the_call_waiting)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ""));
	read_form(&s);
	answer_again(&s.run, "{\"verdict\":{\"action\":\"cancel\"}}");
	answer_again(&s.run, "{}");
	assert_int_equal(s.run.ended, 0);
	answer_again(&s.run, "{\"verdict\":{\"action\":\"decline\"}}");
	assert_string_equal(result(&s.run, "verdict"), "rejected");
}

/* `codex exec` and `copilot -p` do so. */
world_test(an_answer_that_came_at_once_is_nobodys)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	answer_again(&s.run, "{\"verdict\":{\"action\":\"decline\"}}");
	answer_again(&s.run, form_answer(w, "accept"));
	answer_again(&s.run, form_answer(w, "reject"));
	run_for(w, 20);
	assert_int_equal(s.run.ended, 0);
	assert_non_null(waiting_id(w));
	assert_string_equal(file_text(w, s.a), "one\ntwo\n");
	accept(&s, "");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(file_text(w, s.a), "one\n2\n");
}

world_test(who_comes_again_at_once_brings_no_verdict)
{
	static const char *const verdicts[] = { "accept", "reject" };
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	s.run.is_modern = true;
	for (size_t i = 0; i < 2; i++) {
		s.run.asked = 0;
		propose_edit(&s.run, edit_args(&s, ""));
		start(&s.run, 0, edit_args(&s, ""), form_answer(w, verdicts[i]),
		      s.run.state);
		run_for(w, 20);
		assert_int_equal(s.run.ended, 0);
		/* It is not asked once more. */
		assert_int_equal(s.run.asked, 1);
		accept(&s, "");
		assert_string_equal(result(&s.run, "verdict"), "accepted");
	}
}

world_test(the_first_of_two_verdicts_counts)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ""));
	read_form(&s);
	/* Both in one turn of the loop: the verdict is not on the disk yet. */
	request(s.person, "review/decide",
	        text_of(w, "{\"id\":\"%s\",\"verdict\":\"reject\"}",
	                last_review(w)->id));
	answer_again(&s.run, form_answer(w, "accept"));
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(at(w, hear(s.person), "error.code"), "-32012");
}

world_test(an_agent_comes_again_with_the_verdict)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	s.run.is_modern = true;
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	assert_int_equal(s.run.asked, 1);
	assert_int_equal(s.run.ended, 0);
	assert_int_equal(w->hub.inbox.count, 1);
	read_form(&s);
	start(&s.run, 0, edit_args(&s, ",\"write\":true"),
	      form_answer(w, "accept"), s.run.state);
	assert_string_equal(result(&s.run, "written"), "true");
	assert_string_equal(result(&s.run, "changes.0.text"), "one\n2\n");
	assert_string_equal(file_text(w, s.a), "one\n2\n");
	assert_int_equal(w->hub.inbox.count, 0);
	assert_int_equal(w->hub.inbox.put_by_count, 0);
	/* It has been told. */
	start(&s.run, 0, edit_args(&s, ""), form_answer(w, "reject"),
	      s.run.state);
	assert_true(s.run.is_error);
}

world_test(a_verdict_given_elsewhere_is_told_to_who_comes_again)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	s.run.is_modern = true;
	propose_edit(&s.run, edit_args(&s, ",\"write\":true"));
	accept(&s, "");
	assert_string_equal(file_text(w, s.a), "one\n2\n");
	start(&s.run, 0, edit_args(&s, ",\"write\":true"),
	      form_answer(w, "reject"), s.run.state);
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	assert_string_equal(result(&s.run, "written"), "true");
}

/* Programs without a person close a form on their own. */
world_test(a_form_that_was_closed_leaves_the_next_call_waiting)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	s.run.is_modern = true;
	propose_edit(&s.run, edit_args(&s, ""));
	start(&s.run, 0, edit_args(&s, ""),
	      "{\"verdict\":{\"action\":\"cancel\"}}", s.run.state);
	run_for(w, 20);
	assert_int_equal(s.run.ended, 0);
	accept(&s, "");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
}

world_test(who_does_not_wait_may_look_later)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *get;

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ",\"wait\":false"));
	assert_int_equal(s.run.asked, 0);
	assert_string_equal(result(&s.run, "verdict"), "waiting");
	assert_string_equal(result(&s.run, "id"), waiting_id(w));
	get = text_of(w, "{\"id\":\"%s\"}", waiting_id(w));
	start(&s.run, 1, get, NULL, NULL);
	assert_string_equal(result(&s.run, "verdict"), "waiting");
	/* Waiting for it and leaving changes nothing. */
	start(&s.run, 1,
	      text_of(w, "{\"id\":\"%s\",\"wait\":true}", waiting_id(w)), NULL,
	      NULL);
	assert_int_equal(s.run.ended, 0);
	dt_call_drop(s.run.call);
	dt_arena_done(&s.run.arena);
	assert_int_equal(w->hub.inbox.count, 1);
	accept(&s, "");
	start(&s.run, 1, get, NULL, NULL);
	assert_string_equal(result(&s.run, "verdict"), "accepted");
	start(&s.run, 1, get, NULL, NULL);
	assert_true(s.run.is_error);
}

world_test(who_comes_without_an_answer_is_asked_again)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	s.run.is_modern = true;
	propose_edit(&s.run, edit_args(&s, ""));
	start(&s.run, 0, edit_args(&s, ""), "{}", s.run.state);
	assert_int_equal(s.run.ended, 0);
	assert_int_equal(s.run.asked, 2);
	assert_int_equal(w->hub.inbox.count, 1);
}

world_test(no_verdict_is_taken_from_an_agent_when_that_is_off)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	set_rules(w, "[review]\nelicitation = off\n");
	propose_edit(&s.run, edit_args(&s, ""));
	assert_int_equal(s.run.asked, 0);
	s.run.state = waiting_id(w);
	answer_again(&s.run, form_answer(w, "accept"));
	run_for(w, 20);
	assert_int_equal(s.run.ended, 0);
	accept(&s, "");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
}

world_test(a_form_is_of_no_use_once_it_is_turned_off)
{
	struct world *w = *state;
	struct scene s = open_scene(w);

	s.run.can_ask = true;
	propose_edit(&s.run, edit_args(&s, ""));
	set_rules(w, "[review]\nelicitation = off\n");
	read_form(&s);
	answer_again(&s.run, form_answer(w, "accept"));
	assert_int_equal(last_review(w)->state, DT_REVIEW_WAITING);
	accept(&s, "");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
}

/* A change of the files a and b, and of as many new ones. */
static char *many_args(struct scene *s, const char *text, int count)
{
	struct world *w = s->run.w;
	char *args = text_of(w,
	                     "{\"changes\":[{\"path\":\"%s\",\"text\":\"%s\"},"
	                     "{\"path\":\"%s\",\"kind\":\"delete\"}",
	                     s->a, text, s->b);

	for (int i = 0; i < count; i++)
		args = text_of(w, "%s,{\"path\":\"%s/%0*d\",\"text\":\"\"}",
		               args, w->project, 200, i);
	return text_of(w, "%s]}", args);
}

world_test(a_form_names_every_file_or_is_not_shown)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	size_t len = 5u << 20;
	char *much = dt_arena_alloc(&w->arena, len + 1);
	const char *message;

	s.run.can_ask = true;
	memset(much, 'x', len);
	propose_edit(&s.run, many_args(&s, much, 0));
	message = at(w, s.run.form, "message");
	assert_non_null(strstr(message, "change a\ndelete b\n"));
	assert_non_null(strstr(message, "and much more: `dovetail review`"));
	read_form(&s);
	answer_again(&s.run, form_answer(w, "reject"));
	assert_string_equal(result(&s.run, "verdict"), "rejected");
	propose_edit(&s.run, many_args(&s, "", 60));
	assert_int_equal(s.run.asked, 1);
	accept(&s, "");
	assert_string_equal(result(&s.run, "verdict"), "accepted");
}

/* what is kept from agents */

/* Propose it by a form, have it accepted, and see that nothing of the old text
 * was told on the way. */
static void accept_hidden(struct scene *s, const char *change)
{
	struct world *w = s->run.w;

	s->run.can_ask = true;
	propose_edit(&s->run, text_of(w, "{\"changes\":[%s]}", change));
	assert_null(strstr(s->run.form, "secret"));
	read_form(s);
	answer_again(&s->run, form_answer(w, "accept"));
	assert_string_equal(result(&s->run, "verdict"), "accepted");
	assert_string_equal(result(&s->run, "diff"), "");
	assert_null(strstr(s->run.text, "secret"));
}

world_test(a_change_of_a_denied_file_is_decided_without_its_old_text)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *env = make_file(w, ".env", "secret\n");

	accept_hidden(
		&s, text_of(w, "{\"path\":\"%s\",\"text\":\"mine\\n\"}", env));
	assert_string_equal(result(&s.run, "changes.0.text"), "mine\n");
}

/* An agent cannot name a review that was not submitted. */
world_test(a_diff_tab_is_not_decided_by_an_agent)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	struct client *other = connect_agent(s.ws, w);
	struct dt_review *r = propose(other, s.a, "x", "tab");

	start(&s.run, 0, edit_args(&s, ""), form_answer(w, "accept"),
	      text_of(w, "%s", r->id));
	assert_true(s.run.is_error);
	assert_int_equal(r->state, DT_REVIEW_WAITING);
	assert_non_null(r->answer);
}

world_test(what_nobody_waits_for_is_orphaned_in_time)
{
	struct world *w = *state;
	struct scene s = open_scene(w);
	char *id;

	s.run.can_ask = true;
	s.run.is_modern = true;
	propose_edit(&s.run, edit_args(&s, ""));
	id = waiting_id(w);
	assert_true(dt_timer_is_running(w->hub.unattended));
	assert_true(dt_inbox_expire(&w->hub.inbox, dt_clock_ms()) > 0);
	assert_int_equal(w->hub.inbox.count, 1);
	assert_int_equal(
		dt_inbox_expire(&w->hub.inbox,
	                        dt_clock_ms() + DT_LIMIT_UNATTENDED_MS),
		0);
	assert_int_equal(w->hub.inbox.count, 0);
	assert_string_equal(history(&s, id, "result.state"), "orphaned");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test_in_world(an_accepted_change_is_told_with_text_and_diff),
		test_in_world(a_rejected_change_is_told_with_the_comment),
		test_in_world(what_the_person_made_of_it_is_written),
		test_in_world(
			all_files_of_a_change_are_one_review_and_written_together),
		test_in_world(
			nothing_is_written_when_one_file_changed_meanwhile),
		test_in_world(
			a_dropped_call_leaves_an_orphan_that_can_be_applied),
		test_in_world(what_cannot_be_proposed_is_a_sentence),
		test_in_world(what_the_rules_allow_is_written_without_asking),
		test_in_world(what_the_rules_deny_fails),
		test_in_world(a_form_shows_the_diff_and_decides),
		test_in_world(a_form_that_was_closed_leaves_the_call_waiting),
		test_in_world(an_answer_that_came_at_once_is_nobodys),
		test_in_world(who_comes_again_at_once_brings_no_verdict),
		test_in_world(the_first_of_two_verdicts_counts),
		test_in_world(an_agent_comes_again_with_the_verdict),
		test_in_world(
			a_verdict_given_elsewhere_is_told_to_who_comes_again),
		test_in_world(
			a_form_that_was_closed_leaves_the_next_call_waiting),
		test_in_world(who_does_not_wait_may_look_later),
		test_in_world(who_comes_without_an_answer_is_asked_again),
		test_in_world(
			no_verdict_is_taken_from_an_agent_when_that_is_off),
		test_in_world(a_form_is_of_no_use_once_it_is_turned_off),
		test_in_world(a_form_names_every_file_or_is_not_shown),
		test_in_world(
			a_change_of_a_denied_file_is_decided_without_its_old_text),
		test_in_world(a_diff_tab_is_not_decided_by_an_agent),
		test_in_world(what_nobody_waits_for_is_orphaned_in_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
