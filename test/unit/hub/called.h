/*
 * test/unit/hub/called.h - tools of any group, called in the name of the last
 * session of a world with a real inbox, a real store and real files.
 */
#ifndef DT_TEST_HUB_CALLED_H
#define DT_TEST_HUB_CALLED_H

#include "agent.h"

#include "tool/call.h"

struct called {
	struct world *w;
	struct dt_arena arena; /* freed at the end of the call */
	struct dt_call *call;
	int ended;
	bool is_error;
	char *text; /* of the reply */
};

static inline void on_called_end(struct dt_call *call,
                                 const struct dt_content *content,
                                 bool is_error, void *owner)
{
	struct called *c = owner;

	(void)call;
	c->ended++;
	c->is_error = is_error;
	c->text = dt_arena_strndup(&c->w->arena, content->text.ptr,
	                           content->text.len);
	dt_arena_done(&c->arena);
}

/* Start a call; it may have ended when this returns. */
static inline void call_tool(struct called *c,
                             const struct dt_tool_group *group,
                             const char *name, const char *args)
{
	const struct dt_tool *tool = group->tools;
	struct dt_workspace *ws =
		dt_hub_workspace_at(&c->w->hub, &c->w->arena, c->w->project);
	struct dt_call_spec spec = {
		.arena = &c->arena,
		.caller = &last_session(ws)->agent.caller,
		.on_end = on_called_end,
		.owner = c,
	};
	struct dt_fail fail = { 0 };

	while (strcmp(tool->name, name) != 0)
		tool++;
	spec.tool = tool;
	c->ended = 0;
	c->text = NULL;
	assert_ok(dt_json_read(&c->arena,
	                       dt_str(dt_arena_strdup(&c->arena, args)),
	                       &spec.args, NULL));
	if (dt_call_start(&spec, &c->call, &fail))
		fail_msg("%s", fail.msg);
}

/* A member of what it replied. */
static inline const char *told(struct called *c, const char *path)
{
	wait_for(c->w, c->ended == 1);
	if (c->is_error)
		fail_msg("%s", c->text);
	return at(c->w, c->text, path);
}

static inline void assert_refused(struct called *c, const char *part)
{
	wait_for(c->w, c->ended == 1);
	assert_true(c->is_error);
	if (!strstr(c->text, part))
		fail_msg("%s", c->text);
}

static inline void set_rules(struct world *w, const char *rules)
{
	char *dir = text_of(w, "%s/c/dovetail", w->dir);

	mkdir(dir, 0700);
	put_file(text_of(w, "%s/dovetail.conf", dir), rules);
	dt_hub_reload(&w->hub);
}

#endif
