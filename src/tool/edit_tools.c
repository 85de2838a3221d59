/*
 * tool/edit_tools.c - changes proposed to the person by any MCP client.
 *
 * A review is submitted and then waited for, so that it can outlive a call: an
 * agent that can ask its own person is made to do so, and may have to end this
 * call and come again for it.  The verdict that comes first counts, wherever it
 * was given.  Who may decide, and who writes, is the hub's; what is asked and
 * how the answer is read is tool/verdict_form.c.
 */
#include "tool/edit_tools.h"

#include "base/limits.h"
#include "base/linediff.h"
#include "base/path.h"
#include "base/unidiff.h"
#include "tool/call.h"
#include "tool/verdict_form.h"

/* A call between its operations; call->state. */
struct proposing {
	struct dt_names folders;
	const char *id;   /* of the review, once it is known */
	bool is_patient;  /* wait for the verdict, and not only look */
	bool is_lasting;  /* and leave the review when the call is dropped */
	size_t diff_work; /* that is left to find what differs */
	struct dt_verdict_answer answer;
};

/* what is told */

enum verdict { ACCEPTED, REJECTED, WAITING };
static const char *const verdicts[] = { "accepted", "rejected", "waiting",
	                                NULL };

struct told_change {
	int kind;
	const char *path;
	const char *new_path;
	bool is_edited;
	struct dt_str text;
	struct dt_str diff;
};

struct told {
	int verdict;
	const char *id;
	bool is_written;
	const char *problem;
	const char *comment;
	struct dt_items changes;
	struct dt_str diff;
};

static const struct dt_field told_change_fields[] = {
	DT_FIELD(struct told_change, path, PATH, DT_REQ, "The file."),
	DT_FIELD(struct told_change, kind, ENUM, DT_REQ,
	         "What happens to it, by what is there.",
	         .names = dt_change_kinds),
	DT_FIELD_AS("newPath", struct told_change, new_path, PATH, DT_OMIT,
	            "Where it goes."),
	DT_FIELD_AS("edited", struct told_change, is_edited, BOOL, DT_OMIT,
	            "The person changed your proposal; text and diff have what "
	            "was accepted."),
	DT_FIELD(struct told_change, text, STR, DT_BIG | DT_OMIT,
	         "Its accepted text; left out when it is very large."),
	DT_FIELD(struct told_change, diff, STR, DT_BIG | DT_OMIT,
	         "What was accepted, as a unified diff."),
	DT_FIELD_END,
};
static const struct dt_shape told_change_shape =
	DT_SHAPE(struct told_change, told_change_fields);

static const struct dt_field told_fields[] = {
	DT_FIELD(struct told, verdict, ENUM, DT_REQ,
	         "What the person decided; waiting, where you did not wait: "
	         "nothing yet, ask again with getReview.",
	         .names = verdicts),
	DT_FIELD(struct told, id, NAME, DT_OMIT, "The review that waits."),
	DT_FIELD_AS("written", struct told, is_written, BOOL, DT_REQ,
	            "The accepted texts are in the files; else writing them is "
	            "up to you."),
	DT_FIELD(struct told, problem, NAME, DT_OMIT,
	         "Why nothing was written, though it was accepted."),
	DT_FIELD(struct told, comment, NAME, DT_OMIT, "The person's words."),
	DT_FIELD(struct told, changes, ITEMS, DT_REQ, "File by file.",
	         .shape = &told_change_shape),
	DT_FIELD(struct told, diff, STR, DT_BIG | DT_OMIT,
	         "All that was accepted, as one unified diff."),
	DT_FIELD_END,
};

/* A path as it stands in a diff. */
static const char *name_of(const struct proposing *p, const char *path)
{
	for (size_t i = 0; i < p->folders.count; i++) {
		const char *folder = p->folders.ptr[i];

		if (dt_path_is_beneath(path, folder) &&
		    strcmp(path, folder) != 0)
			return path + strlen(folder) + 1;
	}
	return path + 1;
}

/* Of a text that is kept from agents there is none. */
static void write_diff(struct proposing *p, const struct dt_change *change,
                       struct dt_buf *out)
{
	const char *name = name_of(p, change->path);
	struct dt_unidiff file = {
		.old_name = name,
		.new_name =
			change->new_path ? name_of(p, change->new_path) : name,
		.old_text = change->old_text,
		.new_text = change->text,
		.work = &p->diff_work,
	};

	if (change->is_withheld)
		return;
	if (change->kind == DT_CHANGE_CREATE)
		file.old_name = NULL;
	if (change->kind == DT_CHANGE_DELETE)
		file.new_name = NULL;
	dt_unidiff_write(&file, out);
}

/* A text of the reply, or none when there is no room for it. */
static struct dt_str take_room(struct dt_str text, size_t times, size_t *room)
{
	if (text.len > *room / times)
		return (struct dt_str){ 0 };
	*room -= text.len * times;
	return text;
}

static void tell_change(struct dt_call *call, const struct dt_change *change,
                        struct told_change *out, size_t *room)
{
	struct dt_str diff;
	struct dt_buf buf;

	out->kind = change->kind;
	out->path = change->path;
	out->new_path = change->new_path;
	out->is_edited = change->is_edited;
	dt_buf_init(&buf, DT_LIMIT_REPLY_TEXTS);
	write_diff(call->state, change, &buf);
	diff.ptr = dt_arena_strndup(call->arena, buf.ptr, buf.len);
	diff.len = buf.overflow ? 0 : buf.len;
	dt_buf_done(&buf);
	/* It is there twice, of its file and of all. */
	out->diff = take_room(diff, 2, room);
	out->text = take_room(change->text, 1, room);
}

static void reply_waiting(struct dt_call *call)
{
	struct proposing *p = call->state;
	struct told told = { .verdict = WAITING, .id = p->id };

	dt_call_reply_result(call, &told);
}

static void on_verdict(struct dt_call *call, const void *result)
{
	const struct dt_propose_result *verdict = result;
	const struct dt_change *changes = verdict->changes.ptr;
	size_t count = verdict->changes.count;
	bool is_accepted = verdict->outcome == DT_ACCEPTED;
	size_t room = DT_LIMIT_REPLY_TEXTS;
	struct told_change *list =
		dt_arena_alloc(call->arena, count * sizeof(*list));
	struct told told = {
		.verdict = is_accepted ? ACCEPTED : REJECTED,
		.is_written = verdict->is_written,
		.problem = verdict->problem,
		.comment = verdict->comment,
		.changes = { list, count },
	};
	struct dt_buf diff;

	if (verdict->outcome == DT_UNDECIDED) {
		reply_waiting(call);
		return;
	}
	dt_buf_init(&diff, DT_LIMIT_REPLY_TEXTS);
	for (size_t i = 0; i < count; i++) {
		if (is_accepted) {
			tell_change(call, &changes[i], &list[i], &room);
			dt_buf_add_str(&diff, list[i].diff);
			continue;
		}
		list[i].kind = changes[i].kind;
		list[i].path = changes[i].path;
		list[i].new_path = changes[i].new_path;
	}
	told.diff.ptr = dt_arena_strndup(call->arena, diff.ptr, diff.len);
	told.diff.len = diff.len;
	dt_buf_done(&diff);
	dt_call_reply_result(call, &told);
}

/* waiting */

static void await(struct dt_call *call)
{
	struct proposing *p = call->state;
	struct dt_await_args args = { p->id, p->is_lasting, !p->is_patient };

	dt_call_perform(call, &dt_op_await_review, &args, on_verdict);
}

/* asking */

static bool ask(struct dt_call *call, struct dt_str message)
{
	struct proposing *p = call->state;
	struct dt_ask question = {
		.key = DT_VERDICT_KEY,
		.method = "elicitation/create",
		.params = dt_verdict_form(call->arena, message),
	};

	return dt_call_ask(call, &question, dt_str(p->id));
}

static void decide(struct dt_call *call, const struct dt_verdict_answer *answer)
{
	struct proposing *p = call->state;
	struct dt_decide_args args = {
		.id = p->id,
		.outcome = answer->outcome,
		.comment = answer->comment,
	};

	dt_call_perform_aside(call, &dt_op_decide_review, &args);
}

/* The agent knows the review: its answer is the verdict, unless it has none or
 * somebody else was faster. */
static void go_on(struct dt_call *call)
{
	struct proposing *p = call->state;

	if (p->answer.is_missing &&
	    dt_call_can_ask(call, "elicitation/create") &&
	    !ask(call, DT_STR("The change still waits for your verdict.")))
		return; /* it comes once more */
	if (p->answer.has_outcome)
		decide(call, &p->answer);
	await(call);
}

/* proposing */

struct propose_args {
	struct dt_items changes; /* struct dt_change */
	const char *title;
	const char *reason;
	bool writes;
	bool waits;
};

static const struct dt_field change_fields[] = {
	DT_FIELD(struct dt_change, path, PATH, DT_REQ,
	         "Absolute path of the file."),
	DT_FIELD(struct dt_change, kind, ENUM, 0,
	         "A file that is not there is created by change as well; with "
	         "newPath it is renamed.",
	         .names = dt_change_kinds, .def = "\"change\""),
	DT_FIELD_AS("newPath", struct dt_change, new_path, PATH, DT_OMIT,
	            "Where the file goes, when it is renamed."),
	DT_FIELD(struct dt_change, text, STR, DT_BIG | DT_OMIT,
	         "The whole new text; for new files, or instead of edits."),
	DT_FIELD(struct dt_change, edits, ITEMS, DT_OMIT,
	         "What to replace in the file, one after the other.",
	         .shape = &dt_shape_text_edit),
	DT_FIELD_END,
};
static const struct dt_shape change_shape =
	DT_SHAPE(struct dt_change, change_fields);

static const struct dt_field propose_fields[] = {
	DT_FIELD(struct propose_args, changes, ITEMS, DT_REQ,
	         "All files that belong together, each once.",
	         .shape = &change_shape),
	DT_FIELD(struct propose_args, title, NAME, DT_OMIT,
	         "The change in a few words."),
	DT_FIELD(struct propose_args, reason, NAME, DT_OMIT,
	         "Why, for the person who decides."),
	DT_FIELD_AS("write", struct propose_args, writes, BOOL, 0,
	            "Have the accepted texts written: all files or none."),
	DT_FIELD_AS(
		"wait", struct propose_args, waits, BOOL, 0,
		"Wait for the verdict; false: return at once with an id for "
		"getReview.",
		.def = "true"),
	DT_FIELD_END,
};

static const char *title_of(struct dt_call *call,
                            const struct propose_args *wanted)
{
	const struct dt_change *changes = wanted->changes.ptr;
	const char *name;

	if (wanted->title && *wanted->title)
		return wanted->title;
	if (wanted->changes.count == 0)
		return "no files";
	name = dt_path_base(changes[0].path);
	if (wanted->changes.count == 1)
		return name;
	return dt_arena_printf(call->arena, "%s and %zu more", name,
	                       wanted->changes.count - 1);
}

/* A name on a line of its own; none can look like two. */
static void add_name(struct dt_buf *out, const char *name)
{
	for (; *name; name++)
		dt_buf_add_char(out, (unsigned char)*name < ' ' ? '?' : *name);
}

static void add_file(const struct proposing *p, const struct dt_change *change,
                     struct dt_buf *out)
{
	dt_buf_addf(out, "%s ", dt_change_kinds[change->kind]);
	add_name(out,
	         change->is_outside ? change->path : name_of(p, change->path));
	if (change->new_path) {
		dt_buf_add_z(out, " to ");
		add_name(out, name_of(p, change->new_path));
	}
	dt_buf_add_z(out, change->is_withheld ? " (not shown here)\n" : "\n");
}

/* False when a form cannot even name all files: a verdict on the rest would be
 * one on what nobody has seen. */
static bool write_message(struct dt_call *call,
                          const struct dt_submit_result *submitted,
                          struct dt_str *out)
{
	const struct propose_args *wanted = call->args;
	const struct dt_change *changes = submitted->changes.ptr;
	struct dt_verdict_question question = {
		.title = title_of(call, wanted),
		.reason = wanted->reason,
	};
	struct dt_buf files;
	struct dt_buf diff;
	bool fits;

	dt_buf_init(&files, DT_VERDICT_FILES_BYTES);
	dt_buf_init(&diff, DT_LIMIT_REPLY_TEXTS);
	for (size_t i = 0; i < submitted->changes.count; i++) {
		add_file(call->state, &changes[i], &files);
		write_diff(call->state, &changes[i], &diff);
	}
	question.files = dt_buf_str(&files);
	question.diff = dt_buf_str(&diff);
	question.is_cut = diff.overflow;
	fits = !files.overflow;
	*out = dt_verdict_message(call->arena, &question);
	dt_buf_done(&files);
	dt_buf_done(&diff);
	return fits;
}

static void on_submitted(struct dt_call *call, const void *result)
{
	const struct dt_submit_result *submitted = result;
	struct proposing *p = call->state;
	struct dt_str message;

	p->id = dt_arena_strdup(call->arena, submitted->id);
	if (p->is_patient && submitted->is_waiting && submitted->can_elicit &&
	    dt_call_can_ask(call, "elicitation/create") &&
	    write_message(call, submitted, &message) && !ask(call, message))
		return; /* the agent comes again */
	await(call);
}

static void submit(struct dt_call *call)
{
	const struct propose_args *wanted = call->args;
	const struct proposing *p = call->state;
	struct dt_submit_args args = {
		.proposal = { .title = title_of(call, wanted),
		              .reason = wanted->reason,
		              .changes = wanted->changes },
		.writes = wanted->writes,
		.asks = p->is_patient &&
		        dt_call_can_ask(call, "elicitation/create"),
	};

	dt_call_perform(call, &dt_op_submit_review, &args, on_submitted);
}

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_names *folders =
		&((const struct dt_folders_result *)result)->folders;
	struct proposing *p = call->state;

	p->folders.count = folders->count;
	p->folders.ptr = dt_arena_alloc(
		call->arena, folders->count * sizeof(*p->folders.ptr));
	for (size_t i = 0; i < folders->count; i++)
		p->folders.ptr[i] =
			dt_arena_strdup(call->arena, folders->ptr[i]);
	if (p->id)
		go_on(call);
	else
		submit(call);
}

static void begin(struct dt_call *call, const struct proposing *with)
{
	struct proposing *p = dt_arena_alloc(call->arena, sizeof(*p));

	*p = *with;
	p->diff_work = DT_LINES_WORK;
	call->state = p;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

/* Make the changes fit for the hub, in place. */
static bool tidy(struct dt_call *call, const struct propose_args *wanted)
{
	struct dt_change *changes = wanted->changes.ptr;

	for (size_t i = 0; i < wanted->changes.count; i++) {
		struct dt_change *c = &changes[i];

		c->path = dt_path_join(call->arena, "/", c->path);
		if (c->new_path)
			c->new_path =
				dt_path_join(call->arena, "/", c->new_path);
		if (c->new_path && c->kind != DT_CHANGE_DELETE)
			c->kind = DT_CHANGE_RENAME;
		if (c->kind == DT_CHANGE_RENAME && !c->new_path) {
			dt_call_failf(call, DT_E_ARGS,
			              "changes[%zu].newPath: missing", i);
			return false;
		}
		if (c->kind <= DT_CHANGE_EDIT && !c->text.ptr &&
		    c->edits.count == 0) {
			dt_call_failf(call, DT_E_ARGS,
			              "changes[%zu]: give text or edits", i);
			return false;
		}
	}
	return true;
}

static void propose_edit(struct dt_call *call, const void *args)
{
	const struct propose_args *wanted = args;
	/* Who comes again was asked, so it waits: a form that its person, or its
	 * own program, has closed is no verdict. */
	struct proposing with = {
		.is_patient = wanted->waits || call->asked_state.len,
	};

	with.answer = dt_verdict_read(call->arena,
	                              dt_call_answer(call, DT_VERDICT_KEY));
	if (call->state) {
		/* This very call goes on waiting, whatever was answered. */
		if (with.answer.has_outcome)
			decide(call, &with.answer);
		return;
	}
	if (call->asked_state.len)
		with.id = dt_arena_strndup(call->arena, call->asked_state.ptr,
		                           call->asked_state.len);
	else if (!tidy(call, wanted))
		return;
	begin(call, &with);
}

/* looking again */

struct get_args {
	const char *id;
	bool waits;
};

static const struct dt_field get_fields[] = {
	DT_FIELD(struct get_args, id, NAME, DT_REQ,
	         "The id that proposeEdit gave."),
	DT_FIELD_AS("wait", struct get_args, waits, BOOL, 0,
	            "Wait until it is decided."),
	DT_FIELD_END,
};

static void get_review(struct dt_call *call, const void *args)
{
	const struct get_args *wanted = args;
	struct proposing with = {
		.id = wanted->id,
		.is_patient = wanted->waits,
		.is_lasting = true,
	};

	begin(call, &with);
}

static const struct dt_tool tools[] = {
	{
		.name = "proposeEdit",
		.title = "Propose a change",
		.doc = "Show a change of one or more files to the person and "
		       "wait for the verdict, which may take long. Give each "
		       "file its whole new text, or edits that replace pieces "
		       "of it. Returns accepted or rejected, the person's "
		       "comment, and what was accepted, which the person may "
		       "have edited. With write the accepted texts are written "
		       "for you; otherwise write them yourself. With wait: "
		       "false it returns at once and getReview has the "
		       "verdict.",
		.args = DT_SHAPE(struct propose_args, propose_fields),
		.result = DT_SHAPE(struct told, told_fields),
		.effect = DT_ASKS,
		.run = propose_edit,
	},
	{
		.name = "getReview",
		.title = "Look at a proposed change",
		.doc = "The verdict on a change that proposeEdit did not wait "
		       "for. A verdict is told once.",
		.args = DT_SHAPE(struct get_args, get_fields),
		.result = DT_SHAPE(struct told, told_fields),
		.effect = DT_READS,
		.run = get_review,
	},
};

const struct dt_tool_group dt_tools_edit = {
	.name = "edit",
	.doc = "Changes that a person accepts or rejects.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
