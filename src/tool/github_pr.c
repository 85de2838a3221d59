/*
 * tool/github_pr.c - pull requests at GitHub.
 *
 * The repository is the workspace's own and no other.  What gh's own commands do
 * not give back as data is asked of the API by `gh api`.
 */
#include "tool/github.h"

#include "tool/git_tools.h"

#define GITHUB_MS 60000
#define LIST_MAX 100
#define COMMENTS_MAX 50 /* of one review */
#define COMMENT_WORDS 8

static const char *const pr_operations[] = { "create",  "view",       "list",
	                                     "getDiff", "postReview", "approve",
	                                     "merge",   NULL };
enum pr_operation {
	PR_CREATE,
	PR_VIEW,
	PR_LIST,
	PR_DIFF,
	PR_REVIEW,
	PR_APPROVE,
	PR_MERGE,
};
static const char *const pr_states[] = { "open", "closed", "merged", "all",
	                                 NULL };
static const char *const events[] = { "COMMENT", "REQUEST_CHANGES", NULL };
static const char *const methods[] = { "merge", "squash", "rebase", NULL };
static const char *const sides[] = { "RIGHT", "LEFT", NULL };

struct comment {
	const char *path;
	uint32_t line;
	int side;
	const char *body;
};
static const struct dt_field comment_fields[] = {
	DT_FIELD(struct comment, path, NAME, DT_REQ,
	         "The file, relative to the top of the repository."),
	DT_FIELD(struct comment, line, U32, DT_REQ, "1-based line in it."),
	DT_FIELD(struct comment, side, ENUM, 0,
	         "RIGHT: as it becomes; LEFT: as it was.", .names = sides,
	         .def = "\"RIGHT\""),
	DT_FIELD(struct comment, body, NAME, DT_REQ, "What to say."),
	DT_FIELD_END,
};
static const struct dt_shape comment = DT_SHAPE(struct comment, comment_fields);

struct pr_args {
	int operation;
	struct dt_maybe_u32 number;
	const char *title;
	const char *body;
	const char *base;
	bool is_draft;
	const char *assignee;
	int state;
	uint32_t limit;
	const char *author;
	struct dt_items comments;
	int event;
	int method;
	const char *commit_title;
	const char *commit_message;
	const char *directory;
};
static const struct dt_field pr_args[] = {
	DT_FIELD(struct pr_args, operation, ENUM, DT_REQ, "What to do.",
	         .names = pr_operations),
	DT_FIELD(struct pr_args, number, MAYBE_U32, 0,
	         "Which one; view and getDiff take that of the branch when "
	         "absent."),
	DT_FIELD(struct pr_args, title, NAME, 0, "create: the title."),
	DT_FIELD(struct pr_args, body, NAME, 0,
	         "create, postReview, approve: the text."),
	DT_FIELD(struct pr_args, base, NAME, 0,
	         "create: the branch to merge into; absent: the default one."),
	DT_FIELD_AS("draft", struct pr_args, is_draft, BOOL, 0,
	            "create: as a draft.", .def = "false"),
	DT_FIELD(struct pr_args, assignee, NAME, 0,
	         "create: the login of who is to care for it."),
	DT_FIELD(struct pr_args, state, ENUM, 0, "list: only these.",
	         .names = pr_states, .def = "\"open\""),
	DT_FIELD(struct pr_args, limit, U32, 0,
	         "list: how many at most, 1 to 100.", .def = "20"),
	DT_FIELD(struct pr_args, author, NAME, 0, "list: only of this login."),
	DT_FIELD(struct pr_args, comments, ITEMS, 0,
	         "postReview: what to say about lines, at most 50.",
	         .shape = &comment),
	DT_FIELD(struct pr_args, event, ENUM, 0,
	         "postReview: what the review asks for.", .names = events,
	         .def = "\"COMMENT\""),
	DT_FIELD_AS("mergeMethod", struct pr_args, method, ENUM, 0,
	            "merge: how.", .names = methods, .def = "\"merge\""),
	DT_FIELD_AS("commitTitle", struct pr_args, commit_title, NAME, 0,
	            "merge: the first line of the commit's message."),
	DT_FIELD_AS("commitMessage", struct pr_args, commit_message, NAME, 0,
	            "merge: the rest of it."),
	DT_GIT_DIRECTORY(struct pr_args, directory),
	DT_FIELD_END,
};

struct pr {
	struct dt_maybe_u32 number;
	const char *url;
	const char *title;
	const char *state;
	const char *body;
	struct dt_str details;
	struct dt_str prs;
	struct dt_maybe_u32 count;
	struct dt_git_patch patch;
	int64_t review_id;
	struct dt_maybe_u32 comments_posted;
	const char *event;
	bool is_merged;
	const char *sha;
	const char *message;
	struct dt_str output;
};
static const struct dt_field pr_fields[] = {
	DT_FIELD(struct pr, number, MAYBE_U32, DT_OMIT, "Its number."),
	DT_FIELD(struct pr, url, NAME, DT_OMIT, "Its address."),
	DT_FIELD(struct pr, title, NAME, DT_OMIT, "view, create: its title."),
	DT_FIELD(struct pr, state, NAME, DT_OMIT, "view: its state."),
	DT_FIELD(struct pr, body, NAME, DT_OMIT, "view: its text."),
	DT_FIELD(struct pr, details, RAW, DT_OMIT,
	         "view: all of it: branches, author, reviews ..."),
	DT_FIELD(struct pr, prs, RAW, DT_OMIT, "list: the pull requests."),
	DT_FIELD(struct pr, count, MAYBE_U32, DT_OMIT,
	         "list: how many are listed."),
	DT_FIELD_AS("diff", struct pr, patch.diff, STR, DT_OMIT,
	            "getDiff: the patch."),
	DT_FIELD_AS("files", struct pr, patch.files, ITEMS, DT_OMIT,
	            "getDiff: the files that change.",
	            .shape = &dt_shape_git_patch_file),
	DT_FIELD_AS("truncated", struct pr, patch.is_cut, BOOL, DT_OMIT,
	            "getDiff: the patch is cut."),
	DT_FIELD_AS("leftOut", struct pr, patch.left_out, U32, DT_OMIT,
	            "getDiff: files whose contents are kept from agents."),
	DT_FIELD_AS("note", struct pr, patch.note, NAME, DT_OMIT,
	            "What is missing, and why."),
	DT_FIELD_AS("reviewId", struct pr, review_id, I64, DT_OMIT,
	            "postReview, approve: the id of the review."),
	DT_FIELD_AS("commentsPosted", struct pr, comments_posted, MAYBE_U32,
	            DT_OMIT, "postReview: how many."),
	DT_FIELD(struct pr, event, NAME, DT_OMIT,
	         "postReview, approve: what the review asks for."),
	DT_FIELD_AS("merged", struct pr, is_merged, BOOL, DT_OMIT,
	            "merge: it is merged."),
	DT_FIELD(struct pr, sha, NAME, DT_OMIT, "merge: the commit."),
	DT_FIELD(struct pr, message, NAME, DT_OMIT, "merge: what GitHub says."),
	DT_FIELD(struct pr, output, STR, DT_OMIT,
	         "What gh printed, where it is not understood."),
	DT_FIELD_END,
};

static void on_pr_created(struct dt_call *call, const void *result)
{
	const struct pr_args *args = call->args;
	const struct dt_github_result *gh = result;
	struct pr pr = { .title = args->title };

	pr.url = dt_gh_address(call, gh->output, &pr.number);
	dt_call_reply_result(call, &pr);
}

static void on_pr_viewed(struct dt_call *call, const void *result)
{
	const struct dt_json *json = dt_gh_read(call, result);
	struct pr pr = {
		.number = dt_gh_number(json, "number"),
		.url = dt_gh_text(call, json, "url"),
		.title = dt_gh_text(call, json, "title"),
		.state = dt_gh_text(call, json, "state"),
		.body = dt_gh_text(call, json, "body"),
		.details = dt_gh_raw(json),
	};

	if (!json)
		pr.output = ((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &pr);
}

static void on_prs(struct dt_call *call, const void *result)
{
	const struct dt_json *json = dt_gh_read(call, result);
	struct pr pr = { .prs = dt_gh_raw(json) };

	if (json)
		pr.count = (struct dt_maybe_u32){ true, json->count };
	else
		pr.output = ((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &pr);
}

static void on_pr_diff(struct dt_call *call, const void *result)
{
	const struct pr_args *args = call->args;
	struct pr pr = {
		.number = args->number,
		.patch = dt_git_patch_join(
			call, result,
			"fetch the branch and use getDiffBetweenRefs with "
			"sinceMergeBase and a filePath"),
	};

	dt_call_reply_result(call, &pr);
}

static void on_reviewed(struct dt_call *call, const void *result)
{
	const struct pr_args *args = call->args;
	const struct dt_json *json = dt_gh_read(call, result);
	const struct dt_json *id = json ? dt_json_get(json, "id") : NULL;
	struct pr pr = {
		.number = args->number,
		.url = dt_gh_text(call, json, "html_url"),
		.event = args->operation == PR_APPROVE ? "APPROVE"
		                                       : events[args->event],
		.comments_posted = { args->operation == PR_REVIEW,
		                     (uint32_t)args->comments.count },
	};

	if (id && !dt_json_to_i64(id, &pr.review_id))
		pr.review_id = 0;
	if (!json)
		pr.output = ((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &pr);
}

static void on_merged(struct dt_call *call, const void *result)
{
	const struct pr_args *args = call->args;
	const struct dt_json *json = dt_gh_read(call, result);
	const struct dt_json *merged =
		json ? dt_json_get(json, "merged") : NULL;
	struct pr pr = {
		.number = args->number,
		.is_merged = merged && merged->type == DT_JSON_TRUE,
		.sha = dt_gh_text(call, json, "sha"),
		.message = dt_gh_text(call, json, "message"),
	};

	if (!json)
		pr.output = ((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &pr);
}

static void create_pr(struct dt_call *call, const struct pr_args *args)
{
	struct dt_gh_words w;

	dt_gh_begin(&w, call, 0);
	dt_gh_say(&w, "pr");
	dt_gh_say(&w, "create");
	dt_gh_say_value(&w, "--title", args->title);
	dt_gh_say_value(&w, "--body", args->body ? args->body : "");
	dt_gh_say_value(&w, "--base", args->base);
	dt_gh_say_value(&w, "--assignee", args->assignee);
	if (args->is_draft)
		dt_gh_say(&w, "--draft");
	dt_gh_perform(&w, &dt_op_github_write, args->directory, on_pr_created);
}

static void list_prs(struct dt_call *call, const struct pr_args *args)
{
	struct dt_gh_words w;

	dt_gh_begin(&w, call, 0);
	dt_gh_say(&w, "pr");
	dt_gh_say(&w, "list");
	dt_gh_say_value(&w, "--state", pr_states[args->state]);
	dt_gh_say_number(&w, "--limit=", args->limit);
	dt_gh_say_value(&w, "--author", args->author);
	dt_gh_say(
		&w,
		"--json=number,title,state,url,author,headRefName,baseRefName,"
		"isDraft,createdAt,updatedAt");
	dt_gh_perform(&w, &dt_op_github_read, args->directory, on_prs);
}

static void look_at_pr(struct dt_call *call, const struct pr_args *args)
{
	bool is_diff = args->operation == PR_DIFF;
	struct dt_gh_words w;

	dt_gh_begin(&w, call, 0);
	dt_gh_say(&w, "pr");
	dt_gh_say(&w, is_diff ? "diff" : "view");
	if (args->number.is_set)
		dt_gh_say_number(&w, "", args->number.value);
	dt_gh_say(
		&w,
		is_diff ? "--color=never"
			: "--json=number,title,state,url,body,author,createdAt,"
			  "updatedAt,baseRefName,headRefName,isDraft,mergeable,"
			  "reviewDecision,reviews");
	dt_gh_perform(&w, is_diff ? &dt_op_github_diff : &dt_op_github_read,
	              args->directory, is_diff ? on_pr_diff : on_pr_viewed);
}

/* -f takes a value as it is; -F would read the file behind an "@". */
static void say_comment(struct dt_gh_words *w, const struct comment *c)
{
	dt_gh_say(w, "-f");
	dt_gh_say_value(w, "comments[][path]", c->path);
	dt_gh_say(w, "-F");
	dt_gh_say_number(w, "comments[][line]=", c->line);
	dt_gh_say(w, "-f");
	dt_gh_say_value(w, "comments[][side]", sides[c->side]);
	dt_gh_say(w, "-f");
	dt_gh_say_value(w, "comments[][body]", c->body);
}

static void review_pr(struct dt_call *call, const struct pr_args *args)
{
	const struct comment *c = args->comments.ptr;
	size_t count = args->operation == PR_REVIEW ? args->comments.count : 0;
	struct dt_gh_words w;

	dt_gh_begin(&w, call, count * COMMENT_WORDS);
	dt_gh_say(&w, "api");
	dt_gh_say(&w, "--method=POST");
	dt_gh_say(&w, dt_arena_printf(call->arena,
	                              "repos/{owner}/{repo}/pulls/%u/reviews",
	                              args->number.value));
	dt_gh_say(&w, "-f");
	dt_gh_say_value(&w, "event",
	                args->operation == PR_APPROVE ? "APPROVE"
	                                              : events[args->event]);
	if (args->body) {
		dt_gh_say(&w, "-f");
		dt_gh_say_value(&w, "body", args->body);
	}
	for (size_t i = 0; i < count; i++)
		say_comment(&w, &c[i]);
	dt_gh_perform(&w, &dt_op_github_write, args->directory, on_reviewed);
}

static void merge_pr(struct dt_call *call, const struct pr_args *args)
{
	struct dt_gh_words w;

	dt_gh_begin(&w, call, 0);
	dt_gh_say(&w, "api");
	dt_gh_say(&w, "--method=PUT");
	dt_gh_say(&w, dt_arena_printf(call->arena,
	                              "repos/{owner}/{repo}/pulls/%u/merge",
	                              args->number.value));
	dt_gh_say(&w, "-f");
	dt_gh_say_value(&w, "merge_method", methods[args->method]);
	if (args->commit_title) {
		dt_gh_say(&w, "-f");
		dt_gh_say_value(&w, "commit_title", args->commit_title);
	}
	if (args->commit_message) {
		dt_gh_say(&w, "-f");
		dt_gh_say_value(&w, "commit_message", args->commit_message);
	}
	dt_gh_perform(&w, &dt_op_github_write, args->directory, on_merged);
}

static const char *pr_refusal(const struct pr_args *args)
{
	bool needs_number = args->operation >= PR_REVIEW;

	if (needs_number && !args->number.is_set)
		return "number: missing; list tells the numbers";
	if (args->operation == PR_CREATE && !args->title)
		return "title: missing";
	if (args->operation == PR_REVIEW && !args->body)
		return "body: missing";
	if (args->comments.count > COMMENTS_MAX)
		return "comments: at most 50 in one review";
	return NULL;
}

static void github_pr(struct dt_call *call, const void *args)
{
	static void (*const runs[])(struct dt_call * call,
	                            const struct pr_args *args) = {
		[PR_CREATE] = create_pr, [PR_VIEW] = look_at_pr,
		[PR_LIST] = list_prs,    [PR_DIFF] = look_at_pr,
		[PR_REVIEW] = review_pr, [PR_APPROVE] = review_pr,
		[PR_MERGE] = merge_pr,
	};
	const struct pr_args *wanted = args;
	const char *refusal = pr_refusal(wanted);

	if (refusal)
		dt_call_failf(call, DT_E_ARGS, "%s", refusal);
	else if (!dt_git_is_beyond(call, "limit", wanted->limit, 1, LIST_MAX))
		runs[wanted->operation](call, wanted);
}

static const struct dt_tool tools[] = {
	{
		.name = "githubPR",
		.title = "Pull requests",
		.doc = "Pull requests of this repository at GitHub, by the "
		       "person's gh: create, view, list, getDiff, postReview, "
		       "approve, merge. What changes something waits for the "
		       "person's verdict first, which may take long. Which arguments go with which "
		       "operation is said at each.",
		.args = DT_SHAPE(struct pr_args, pr_args),
		.result = DT_SHAPE(struct pr, pr_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_ABROAD,
		.run = github_pr,
	},
};

const struct dt_tool_group dt_tools_github_pr = {
	.name = "pulls",
	.doc = "Pull requests at GitHub.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
