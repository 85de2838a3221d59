/*
 * tool/change.c - a review submitted, waited for and told.
 *
 * A review is submitted and then waited for, so that it can outlive a call: an
 * agent that can ask its own person is made to do so, and may have to end this
 * call and come again for it.  The verdict that comes first counts, wherever it
 * was given.  An answer that comes faster than a person reads was given by a
 * program and counts for nothing: the review waits on.  Who may decide, and who writes, is the hub's; what is asked and
 * how the answer is read is tool/verdict_form.c.
 */
#include "tool/change.h"

#include "base/clock.h"
#include "base/limits.h"
#include "base/linediff.h"
#include "base/log.h"
#include "base/path.h"
#include "editor/change.h"
#include "tool/verdict_form.h"

#include <inttypes.h>

/* A call between its operations; call->state. */
struct proposing {
	struct dt_change_spec spec;
	struct dt_teller teller;
	const char *id;  /* of the review, once it is known */
	bool is_lasting; /* leave the review when the call is dropped */
	struct dt_verdict_answer answer;
	void (*go)(struct dt_call *call); /* when the folders are known */
	struct dt_told held; /* while the editor takes the text over */
};

/* what is told */

static void reply_waiting(struct dt_call *call)
{
	const struct proposing *p = call->state;
	struct dt_told told = {
		.verdict = DT_TOLD_WAITING,
		.id = p->id,
		.note = p->spec.note,
	};

	dt_call_reply_result(call, &told);
}

static void on_verdict(struct dt_call *call, const void *result)
{
	const struct dt_propose_result *verdict = result;
	struct proposing *p = call->state;
	bool is_accepted = verdict->outcome == DT_ACCEPTED;
	struct dt_told told = {
		.verdict = is_accepted ? DT_TOLD_ACCEPTED : DT_TOLD_REJECTED,
		.is_written = verdict->is_written,
		.problem = verdict->problem,
		.comment = verdict->comment,
		.note = p->spec.note,
	};

	if (verdict->outcome == DT_UNDECIDED) {
		reply_waiting(call);
		return;
	}
	if (is_accepted && verdict->problem && p->spec.writes &&
	    !p->spec.is_own_writer) {
		dt_call_failf(call, DT_E_STATE,
		              "The change was accepted, but nothing is "
		              "written: %s",
		              verdict->problem);
		return;
	}
	if (is_accepted)
		dt_teller_show(&p->teller, &verdict->changes, &told);
	else
		dt_teller_list(&p->teller, &verdict->changes, &told);
	dt_call_reply_result(call, &told);
}

/* waiting */

static void await(struct dt_call *call)
{
	struct proposing *p = call->state;
	struct dt_await_args args = { p->id, p->is_lasting, !p->spec.waits };

	dt_call_perform(call, &dt_op_await_review, &args, on_verdict);
}

/* asking */

/* The state that goes with a question: which review, and when it was asked. */
static struct dt_str write_state(struct dt_call *call, const char *id)
{
	return dt_str(
		dt_arena_printf(call->arena, "%s %" PRIu64, id, dt_clock_ms()));
}

static const char *read_state(struct dt_call *call, uint64_t *out_asked_ms)
{
	struct dt_str state = call->asked_state;
	struct dt_str id = dt_str_cut(&state, ' ');
	uint64_t ms = 0;

	for (size_t i = 0; i < state.len; i++)
		ms = ms * 10 + (uint64_t)(state.ptr[i] - '0');
	*out_asked_ms = ms;
	return dt_arena_strndup(call->arena, id.ptr, id.len);
}

/* Clients without a person decline at once, and one that accepts at once has not
 * asked either: as if there had been no form. */
static struct dt_verdict_answer read_answer(struct dt_call *call,
                                            uint64_t asked_ms)
{
	struct dt_verdict_answer answer = dt_verdict_read(
		call->arena, dt_call_answer(call, DT_VERDICT_KEY));
	uint64_t took_ms = dt_clock_ms() - asked_ms;

	if (answer.has_outcome && took_ms < DT_LIMIT_ANSWER_MS) {
		dt_log(DT_LOG_INFO,
		       "a form was answered after %" PRIu64
		       " ms, which no person does: the review waits",
		       took_ms);
		answer = (struct dt_verdict_answer){ 0 };
	}
	return answer;
}

static bool ask(struct dt_call *call, struct dt_str message)
{
	struct proposing *p = call->state;
	struct dt_ask question = {
		.key = DT_VERDICT_KEY,
		.method = "elicitation/create",
		.params = dt_verdict_form(call->arena, message),
	};

	return dt_call_ask(call, &question, write_state(call, p->id));
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

static const char *title_of(struct dt_call *call,
                            const struct dt_change_spec *spec)
{
	const struct dt_change *changes = spec->changes.ptr;
	const char *name;

	if (spec->title && *spec->title)
		return spec->title;
	if (spec->changes.count == 0)
		return "no files";
	name = dt_path_base(changes[0].path);
	if (spec->changes.count == 1)
		return name;
	return dt_arena_printf(call->arena, "%s and %zu more", name,
	                       spec->changes.count - 1);
}

/* A name on a line of its own; none can look like two. */
static void add_name(struct dt_buf *out, const char *name)
{
	for (; *name; name++)
		dt_buf_add_char(out, (unsigned char)*name < ' ' ? '?' : *name);
}

static void add_file(const struct dt_teller *t, const struct dt_change *change,
                     struct dt_buf *out)
{
	dt_buf_addf(out, "%s ", dt_change_kinds[change->kind]);
	add_name(out, change->is_outside ? change->path
	                                 : dt_teller_name(t, change->path));
	if (change->new_path) {
		dt_buf_add_z(out, " to ");
		add_name(out, dt_teller_name(t, change->new_path));
	}
	if (change->is_settings)
		dt_buf_add_z(out, " (CAREFUL: it steers git, an agent, an "
		                  "editor or a shell)");
	dt_buf_add_z(out, change->is_withheld ? " (not shown here)\n" : "\n");
}

/* False when a form cannot even name all files: a verdict on the rest would be
 * one on what nobody has seen. */
static bool write_message(struct dt_call *call,
                          const struct dt_submit_result *submitted,
                          struct dt_str *out)
{
	struct proposing *p = call->state;
	const struct dt_change *changes = submitted->changes.ptr;
	struct dt_verdict_question question = {
		.title = title_of(call, &p->spec),
		.reason = p->spec.reason,
	};
	struct dt_buf files;
	struct dt_buf diff;
	bool fits;

	dt_buf_init(&files, DT_VERDICT_FILES_BYTES);
	dt_buf_init(&diff, DT_LIMIT_REPLY_TEXTS);
	for (size_t i = 0; i < submitted->changes.count; i++) {
		add_file(&p->teller, &changes[i], &files);
		question.is_cut |=
			!dt_teller_diff(&p->teller, &changes[i], &diff);
	}
	question.files = dt_buf_str(&files);
	question.diff = dt_buf_str(&diff);
	question.is_cut |= diff.overflow;
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
	if (p->spec.waits && submitted->is_waiting && submitted->can_elicit &&
	    dt_call_can_ask(call, "elicitation/create") &&
	    write_message(call, submitted, &message) && !ask(call, message))
		return; /* the agent comes again */
	if (p->spec.waits && submitted->is_waiting)
		dt_call_progress(call, &(struct dt_progress){
					       .message = DT_REVIEW_WAITS });
	await(call);
}

static void submit(struct dt_call *call)
{
	const struct proposing *p = call->state;
	struct dt_submit_args args = {
		.proposal = { .title = title_of(call, &p->spec),
		              .reason = p->spec.reason,
		              .changes = p->spec.changes },
		.writes = p->spec.writes,
		.asks = p->spec.waits &&
		        dt_call_can_ask(call, "elicitation/create"),
	};

	dt_call_perform(call, &dt_op_submit_review, &args, on_submitted);
}

/* beginning */

static void on_folders(struct dt_call *call, const void *result)
{
	const struct dt_folders_result *found = result;
	struct proposing *p = call->state;

	p->teller.folders = dt_teller_folders(call->arena, &found->folders);
	p->go(call);
}

static const char *normal(struct dt_call *call, const char *path)
{
	return path ? dt_path_join(call->arena, "/", path) : NULL;
}

static void begin(struct dt_call *call, const struct proposing *with)
{
	struct proposing *p = dt_arena_alloc(call->arena, sizeof(*p));
	struct dt_change *changes = with->spec.changes.ptr;

	for (size_t i = 0; i < with->spec.changes.count; i++) {
		changes[i].path = normal(call, changes[i].path);
		changes[i].new_path = normal(call, changes[i].new_path);
		changes[i].source = normal(call, changes[i].source);
	}
	*p = *with;
	p->teller = (struct dt_teller){
		.arena = call->arena,
		.work = DT_LINES_WORK,
		.has_texts = with->spec.has_texts,
	};
	call->state = p;
	dt_call_perform(call, &dt_op_get_folders, NULL, on_folders);
}

bool dt_change_resume(struct dt_call *call, const struct dt_change_spec *spec)
{
	struct proposing with = { .spec = *spec, .go = go_on };
	uint64_t asked_ms;

	if (!call->state && !call->asked_state.len)
		return false;
	with.id = read_state(call, &asked_ms);
	/* Who comes again was asked, so it waits: a form that its person, or its
	 * own program, has closed is no verdict. */
	with.spec.waits = true;
	with.answer = read_answer(call, asked_ms);
	if (call->state) {
		/* This very call goes on waiting, whatever was answered. */
		if (with.answer.has_outcome)
			decide(call, &with.answer);
		return true;
	}
	begin(call, &with);
	return true;
}

static const char *copy_name(struct dt_arena *arena, const char *name)
{
	return name ? dt_arena_strdup(arena, name) : NULL;
}

struct dt_items dt_changes_copy(struct dt_arena *arena,
                                const struct dt_items *changes)
{
	const struct dt_change *all = changes->ptr;
	struct dt_change *copy =
		dt_arena_alloc(arena, changes->count * sizeof(*copy));

	for (size_t i = 0; i < changes->count; i++) {
		copy[i] = (struct dt_change){
			.kind = all[i].kind,
			.path = copy_name(arena, all[i].path),
			.new_path = copy_name(arena, all[i].new_path),
			.base = copy_name(arena, all[i].base),
			.is_new = all[i].is_new,
			.text = all[i].text,
		};
		if (all[i].text.ptr)
			copy[i].text.ptr = dt_arena_strndup(
				arena, all[i].text.ptr, all[i].text.len);
	}
	return (struct dt_items){ copy, changes->count };
}

void dt_change_submit(struct dt_call *call, const struct dt_change_spec *spec)
{
	struct proposing with = { .spec = *spec, .go = submit };

	begin(call, &with);
}

void dt_change_await(struct dt_call *call, const char *id, bool waits)
{
	struct proposing with = {
		.spec = { .waits = waits, .has_texts = true },
		.id = id,
		.is_lasting = true,
		.go = go_on,
	};

	begin(call, &with);
}

/* without a person */

static void on_preview(struct dt_call *call, const void *result)
{
	const struct dt_preview_result *preview = result;
	struct proposing *p = call->state;
	struct dt_told told = {
		.verdict = DT_TOLD_UNASKED,
		.note = p->spec.note,
	};

	dt_teller_show(&p->teller, &preview->changes, &told);
	dt_call_reply_result(call, &told);
}

static void look_ahead(struct dt_call *call, dt_result_fn *then)
{
	const struct proposing *p = call->state;
	struct dt_propose_args args = {
		.title = title_of(call, &p->spec),
		.changes = p->spec.changes,
	};

	dt_call_perform(call, &dt_op_preview_change, &args, then);
}

static void preview(struct dt_call *call)
{
	look_ahead(call, on_preview);
}

void dt_change_preview(struct dt_call *call, const struct dt_change_spec *spec)
{
	struct proposing with = { .spec = *spec, .go = preview };

	begin(call, &with);
}

static void on_held(struct dt_call *call, const void *result)
{
	struct proposing *p = call->state;

	(void)result;
	dt_call_reply_result(call, &p->held);
}

static void on_made(struct dt_call *call, const void *result)
{
	const struct dt_preview_result *preview = result;
	const struct dt_change *made = preview->changes.ptr;
	struct proposing *p = call->state;
	struct dt_set_buffer_args args = {
		.path = made->path,
		.text = made->text,
		.base = made->base,
	};

	p->held = (struct dt_told){
		.verdict = DT_TOLD_UNASKED,
		.is_unsaved = true,
	};
	dt_teller_show(&p->teller, &preview->changes, &p->held);
	dt_call_perform(call, &dt_op_set_buffer, &args, on_held);
}

static void hold(struct dt_call *call)
{
	look_ahead(call, on_made);
}

void dt_change_hold(struct dt_call *call, const struct dt_change_spec *spec)
{
	struct proposing with = { .spec = *spec, .go = hold };

	begin(call, &with);
}
