/*
 * tool/github_tools.c - issues and runs of CI at GitHub, by the person's gh.
 *
 * Pull requests are in github_pr.c.  The repository is the workspace's own and no
 * other.
 */
#include "tool/git_tools.h"
#include "tool/github.h"

#define GITHUB_MS 60000
#define LIST_MAX 100

/* githubIssue */

static const char *const issue_operations[] = { "list", "get", "create",
	                                        "comment", NULL };
enum issue_operation { ISSUE_LIST, ISSUE_GET, ISSUE_CREATE, ISSUE_COMMENT };
static const char *const issue_states[] = { "open", "closed", "all", NULL };

struct issue_args {
	int operation;
	struct dt_maybe_u32 number;
	const char *title;
	const char *body;
	const char *assignee;
	const char *label;
	const char *milestone;
	int state;
	uint32_t limit;
	const char *directory;
};
static const struct dt_field issue_args[] = {
	DT_FIELD(struct issue_args, operation, ENUM, DT_REQ, "What to do.",
	         .names = issue_operations),
	DT_FIELD(struct issue_args, number, MAYBE_U32, 0,
	         "get, comment: which one."),
	DT_FIELD(struct issue_args, title, NAME, 0, "create: the title."),
	DT_FIELD(struct issue_args, body, NAME, 0,
	         "create, comment: the text."),
	DT_FIELD(struct issue_args, assignee, NAME, 0,
	         "list: only of this login; create: who is to care for it."),
	DT_FIELD(struct issue_args, label, NAME, 0,
	         "list: only with this label; create: its label."),
	DT_FIELD(struct issue_args, milestone, NAME, 0,
	         "list: only of this milestone; create: its milestone."),
	DT_FIELD(struct issue_args, state, ENUM, 0, "list: only these.",
	         .names = issue_states, .def = "\"open\""),
	DT_FIELD(struct issue_args, limit, U32, 0,
	         "list: how many at most, 1 to 100.", .def = "20"),
	DT_GIT_DIRECTORY(struct issue_args, directory),
	DT_FIELD_END,
};

struct issue {
	struct dt_maybe_u32 number;
	const char *url;
	const char *title;
	const char *state;
	const char *body;
	struct dt_str details;
	struct dt_str issues;
	struct dt_maybe_u32 count;
	struct dt_str output;
};
static const struct dt_field issue_fields[] = {
	DT_FIELD(struct issue, number, MAYBE_U32, DT_OMIT, "Its number."),
	DT_FIELD(struct issue, url, NAME, DT_OMIT,
	         "Its address, or that of the comment."),
	DT_FIELD(struct issue, title, NAME, DT_OMIT, "Its title."),
	DT_FIELD(struct issue, state, NAME, DT_OMIT, "get: its state."),
	DT_FIELD(struct issue, body, NAME, DT_OMIT, "get: its text."),
	DT_FIELD(struct issue, details, RAW, DT_OMIT,
	         "get: all of it: author, labels, comments ..."),
	DT_FIELD(struct issue, issues, RAW, DT_OMIT, "list: the issues."),
	DT_FIELD(struct issue, count, MAYBE_U32, DT_OMIT,
	         "list: how many are listed."),
	DT_FIELD(struct issue, output, STR, DT_OMIT,
	         "What gh printed, where it is not understood."),
	DT_FIELD_END,
};

static void on_issues(struct dt_call *call, const void *result)
{
	const struct dt_json *json = dt_gh_read(call, result);
	struct issue issue = { .issues = dt_gh_raw(json) };

	if (json)
		issue.count = (struct dt_maybe_u32){ true, json->count };
	else
		issue.output =
			((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &issue);
}

static void on_issue(struct dt_call *call, const void *result)
{
	const struct dt_json *json = dt_gh_read(call, result);
	struct issue issue = {
		.number = dt_gh_number(json, "number"),
		.url = dt_gh_text(call, json, "url"),
		.title = dt_gh_text(call, json, "title"),
		.state = dt_gh_text(call, json, "state"),
		.body = dt_gh_text(call, json, "body"),
		.details = dt_gh_raw(json),
	};

	if (!json)
		issue.output =
			((const struct dt_github_result *)result)->output;
	dt_call_reply_result(call, &issue);
}

static void on_issue_made(struct dt_call *call, const void *result)
{
	const struct issue_args *args = call->args;
	const struct dt_github_result *gh = result;
	struct issue issue = { .title = args->title };

	issue.url = dt_gh_address(call, gh->output, &issue.number);
	if (args->operation == ISSUE_COMMENT) {
		issue.title = NULL;
		issue.number = args->number;
	}
	dt_call_reply_result(call, &issue);
}

static void say_issue(struct dt_gh_words *w, const struct issue_args *args)
{
	dt_gh_say(w, "issue");
	switch ((enum issue_operation)args->operation) {
	case ISSUE_LIST:
		dt_gh_say(w, "list");
		dt_gh_say_value(w, "--state", issue_states[args->state]);
		dt_gh_say_number(w, "--limit=", args->limit);
		dt_gh_say(
			w,
			"--json=number,title,state,url,author,assignees,labels,"
			"createdAt,updatedAt");
		break;
	case ISSUE_GET:
		dt_gh_say(w, "view");
		dt_gh_say_number(w, "", args->number.value);
		dt_gh_say(w,
		          "--json=number,title,state,url,body,author,assignees,"
		          "labels,createdAt,updatedAt,comments,milestone");
		return;
	case ISSUE_CREATE:
		dt_gh_say(w, "create");
		dt_gh_say_value(w, "--title", args->title);
		dt_gh_say_value(w, "--body", args->body ? args->body : "");
		break;
	case ISSUE_COMMENT:
		dt_gh_say(w, "comment");
		dt_gh_say_number(w, "", args->number.value);
		dt_gh_say_value(w, "--body", args->body);
		return;
	}
	dt_gh_say_value(w, "--assignee", args->assignee);
	dt_gh_say_value(w, "--label", args->label);
	dt_gh_say_value(w, "--milestone", args->milestone);
}

static const char *issue_refusal(const struct issue_args *args)
{
	bool needs_number = args->operation == ISSUE_GET ||
	                    args->operation == ISSUE_COMMENT;

	if (needs_number && !args->number.is_set)
		return "number: missing; list tells the numbers";
	if (args->operation == ISSUE_CREATE && !args->title)
		return "title: missing";
	if (args->operation == ISSUE_COMMENT && !args->body)
		return "body: missing";
	return NULL;
}

static void github_issue(struct dt_call *call, const void *args)
{
	const struct issue_args *wanted = args;
	const char *refusal = issue_refusal(wanted);
	struct dt_gh_words w;

	if (refusal) {
		dt_call_failf(call, DT_E_ARGS, "%s", refusal);
		return;
	}
	if (dt_git_is_beyond(call, "limit", wanted->limit, 1, LIST_MAX))
		return;
	dt_gh_begin(&w, call, 0);
	say_issue(&w, wanted);
	if (wanted->operation == ISSUE_LIST)
		dt_gh_perform(&w, &dt_op_github_read, wanted->directory,
		              on_issues);
	else if (wanted->operation == ISSUE_GET)
		dt_gh_perform(&w, &dt_op_github_read, wanted->directory,
		              on_issue);
	else
		dt_gh_perform(&w, &dt_op_github_write, wanted->directory,
		              on_issue_made);
}

/* githubActions */

static const char *const run_operations[] = { "listRuns", "getRunLogs", NULL };
enum run_operation { RUNS_LIST, RUNS_LOGS };

struct runs_args {
	int operation;
	const char *branch;
	const char *workflow;
	const char *status;
	uint32_t limit;
	int64_t run_id;
	bool is_failed;
	const char *directory;
};
static const struct dt_field runs_args[] = {
	DT_FIELD(struct runs_args, operation, ENUM, DT_REQ, "What to do.",
	         .names = run_operations),
	DT_FIELD(struct runs_args, branch, NAME, 0,
	         "listRuns: only of this branch."),
	DT_FIELD(struct runs_args, workflow, NAME, 0,
	         "listRuns: only of this workflow."),
	DT_FIELD(struct runs_args, status, NAME, 0,
	         "listRuns: only with this status, as failure."),
	DT_FIELD(struct runs_args, limit, U32, 0,
	         "listRuns: how many at most, 1 to 100.", .def = "10"),
	DT_FIELD_AS("runId", struct runs_args, run_id, I64, 0,
	            "getRunLogs: which one, by databaseId of listRuns."),
	DT_FIELD_AS("failedOnly", struct runs_args, is_failed, BOOL, 0,
	            "getRunLogs: only of steps that failed.", .def = "true"),
	DT_GIT_DIRECTORY(struct runs_args, directory),
	DT_FIELD_END,
};

struct runs {
	struct dt_str runs;
	struct dt_maybe_u32 count;
	int64_t run_id;
	bool is_failed;
	struct dt_str logs;
	bool is_cut;
	const char *note;
};
static const struct dt_field runs_fields[] = {
	DT_FIELD(struct runs, runs, RAW, DT_OMIT, "listRuns: the runs."),
	DT_FIELD(struct runs, count, MAYBE_U32, DT_OMIT,
	         "listRuns: how many are listed."),
	DT_FIELD_AS("runId", struct runs, run_id, I64, DT_OMIT,
	            "getRunLogs: which one."),
	DT_FIELD_AS("failedOnly", struct runs, is_failed, BOOL, DT_OMIT,
	            "getRunLogs: only of steps that failed."),
	DT_FIELD(struct runs, logs, STR, DT_OMIT, "getRunLogs: the log."),
	DT_FIELD_AS("truncated", struct runs, is_cut, BOOL, DT_OMIT,
	            "getRunLogs: its beginning is left out."),
	DT_FIELD(struct runs, note, NAME, DT_OMIT, "What is missing, and why."),
	DT_FIELD_END,
};

static void on_runs(struct dt_call *call, const void *result)
{
	const struct dt_json *json = dt_gh_read(call, result);
	struct runs runs = { .runs = dt_gh_raw(json) };

	if (json)
		runs.count = (struct dt_maybe_u32){ true, json->count };
	else
		runs.note = "gh printed something that is not JSON.";
	dt_call_reply_result(call, &runs);
}

static void on_logs(struct dt_call *call, const void *result)
{
	const struct runs_args *args = call->args;
	const struct dt_github_result *gh = result;
	struct runs runs = {
		.run_id = args->run_id,
		.is_failed = args->is_failed,
		.logs = gh->output,
		.is_cut = gh->is_cut,
	};

	if (gh->is_cut)
		runs.note = "The log is long; this is its end.";
	else if (gh->output.len == 0 && args->is_failed)
		runs.note = "No step failed; pass failedOnly false for the "
			    "whole log.";
	dt_call_reply_result(call, &runs);
}

static void github_actions(struct dt_call *call, const void *args)
{
	const struct runs_args *wanted = args;
	struct dt_github_args gh = {
		.path = wanted->directory,
		.is_tail = true,
	};
	struct dt_gh_words w;

	if (dt_git_is_beyond(call, "limit", wanted->limit, 1, LIST_MAX))
		return;
	dt_gh_begin(&w, call, 0);
	dt_gh_say(&w, "run");
	if (wanted->operation == RUNS_LIST) {
		dt_gh_say(&w, "list");
		dt_gh_say_number(&w, "--limit=", wanted->limit);
		dt_gh_say_value(&w, "--branch", wanted->branch);
		dt_gh_say_value(&w, "--workflow", wanted->workflow);
		dt_gh_say_value(&w, "--status", wanted->status);
		dt_gh_say(&w,
		          "--json=databaseId,workflowName,displayTitle,status,"
		          "conclusion,headBranch,headSha,event,createdAt,url");
		dt_gh_perform(&w, &dt_op_github_read, wanted->directory,
		              on_runs);
		return;
	}
	if (wanted->run_id <= 0) {
		dt_call_failf(call, DT_E_ARGS,
		              "runId: missing; listRuns tells the ids");
		return;
	}
	dt_gh_say(&w, "view");
	dt_gh_say(&w, dt_arena_printf(call->arena, "%lld",
	                              (long long)wanted->run_id));
	dt_gh_say(&w, wanted->is_failed ? "--log-failed" : "--log");
	gh.words = w.names;
	dt_call_perform(call, &dt_op_github_read, &gh, on_logs);
}

static const struct dt_tool tools[] = {
	{
		.name = "githubIssue",
		.title = "Issues",
		.doc = "Issues of this repository at GitHub, by the person's "
		       "gh: list, get, create, comment. The last two wait for "
		       "the person's verdict first, which may take long.",
		.args = DT_SHAPE(struct issue_args, issue_args),
		.result = DT_SHAPE(struct issue, issue_fields),
		.effect = DT_RUNS,
		.flags = DT_TOOL_ABROAD | DT_TOOL_ADDS,
		.run = github_issue,
	},
	{
		.name = "githubActions",
		.title = "Runs of CI",
		.doc = "Runs of this repository's workflows at GitHub, by the "
		       "person's gh: listRuns, and the logs of one by "
		       "getRunLogs. Use it to find out why CI failed.",
		.args = DT_SHAPE(struct runs_args, runs_args),
		.result = DT_SHAPE(struct runs, runs_fields),
		.effect = DT_READS,
		.flags = DT_TOOL_ABROAD | DT_TOOL_REPEATABLE | DT_TOOL_EXTRA,
		.deadline_ms = GITHUB_MS,
		.run = github_actions,
	},
};

const struct dt_tool_group dt_tools_github = {
	.name = "github",
	.doc = "Issues and runs of CI at GitHub.",
	.tools = tools,
	.count = sizeof(tools) / sizeof(tools[0]),
};
