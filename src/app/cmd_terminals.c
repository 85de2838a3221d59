/* app/cmd_terminals.c - dovetail terminals: those that agents have. */
#include "app/command.h"
#include "app/remote.h"
#include "app/text.h"

struct options {
	bool is_json;
};

static const struct dt_option options_table[] = {
	DT_OPTION(struct options, is_json, FLAG, "print JSON", .name = "json"),
	DT_OPTION_END,
};

struct terminal {
	const char *name;
	uint32_t index;
	const char *agent;
	const char *folder;
	const char *shell;
	const char *state;
	bool is_shared;
	uint32_t viewers;
};
static const struct dt_field terminal_fields[] = {
	DT_FIELD(struct terminal, name, NAME, DT_REQ, ""),
	DT_FIELD(struct terminal, index, U32, DT_REQ, ""),
	DT_FIELD(struct terminal, agent, NAME, DT_REQ, ""),
	DT_FIELD(struct terminal, folder, NAME, DT_REQ, ""),
	DT_FIELD(struct terminal, shell, NAME, DT_REQ, ""),
	DT_FIELD(struct terminal, state, NAME, DT_REQ, ""),
	DT_FIELD_AS("shared", struct terminal, is_shared, BOOL, 0, ""),
	DT_FIELD(struct terminal, viewers, U32, 0, ""),
	DT_FIELD_END,
};
static const struct dt_shape terminal_shape =
	DT_SHAPE(struct terminal, terminal_fields);

struct reply {
	struct dt_items terminals;
};
static const struct dt_field reply_fields[] = {
	DT_FIELD(struct reply, terminals, ITEMS, DT_REQ, "",
	         .shape = &terminal_shape),
	DT_FIELD_END,
};
static const struct dt_shape reply_shape = DT_SHAPE(struct reply, reply_fields);

static void print(struct dt_arena *arena, const struct reply *reply)
{
	const struct terminal *t = reply->terminals.ptr;

	if (reply->terminals.count == 0) {
		puts("No agent has a terminal.");
		return;
	}
	for (size_t i = 0; i < reply->terminals.count; i++)
		printf("%-3u %-16s %-9s %s in %s, of %s%s%s\n", t[i].index,
		       dt_text_safe(arena, t[i].name), t[i].state,
		       dt_text_safe(arena, t[i].shell),
		       dt_text_safe(arena, t[i].folder),
		       dt_text_safe(arena, t[i].agent),
		       t[i].is_shared ? ", shared" : "",
		       t[i].viewers ? ", looked into" : "");
	puts("`dovetail attach-terminal NAME` looks into one.");
}

static enum dt_err run(const void *opts, char *const *args,
                       struct dt_fail *fail)
{
	const struct options *options = opts;
	struct dt_arena arena = { 0 };
	struct dt_remote *remote = NULL;
	const struct dt_json *result;
	struct reply reply = { 0 };
	enum dt_err err = dt_remote_open(&remote, fail);

	(void)args;
	if (!err)
		err = dt_remote_call(remote, "terminals", &arena, &result,
		                     fail);
	if (!err && options->is_json)
		dt_remote_print(result);
	else if (!err)
		err = dt_shape_read(&reply_shape, &arena, result, &reply, fail);
	if (!err && !options->is_json)
		print(&arena, &reply);
	dt_remote_free(remote);
	dt_arena_done(&arena);
	return err;
}

const struct dt_command dt_cmd_terminals = {
	.name = "terminals",
	.summary = "List the terminals of agents",
	.doc = "List the terminals that agents have, in every folder that is "
	       "served: number,\nname, what it does, its shell and folder, and "
	       "whose it is.",
	.options = options_table,
	.options_size = sizeof(struct options),
	.run = run,
};
