/* test/unit/tool/test_prompts.c - the list, against what people know. */
#include "tool/prompt.h"

#include "unit.h"

#include <stdlib.h>

/* Names that a text may use: those of other bridges, and our own. */
static const char *const known[] = {
	"applyCodeAction",
	"auditDependencies",
	"batchFindImplementations",
	"batchGetHover",
	"batchGoToDefinition",
	"beginTransaction",
	"bridgeDoctor",
	"cancelClaudeTask",
	"captureScreenshot",
	"checkDocumentDirty",
	"clearEditorDecorations",
	"closeAllDiffTabs",
	"closeTab",
	"commitTransaction",
	"contextBundle",
	"createFile",
	"createGithubIssueFromAIComment",
	"createPlan",
	"createTerminal",
	"deleteFile",
	"deletePlan",
	"detectUnusedCode",
	"disposeTerminal",
	"editText",
	"enrichCommit",
	"enrichStackTrace",
	"evaluateInDebugger",
	"executeVSCodeCommand",
	"explainDiagnostic",
	"explainSymbol",
	"findFiles",
	"findImplementations",
	"findReferences",
	"findRelatedTests",
	"fixAllLintErrors",
	"foldingRanges",
	"formatAndSave",
	"formatDocument",
	"formatRange",
	"generateAPIDocumentation",
	"generateTests",
	"getAIComments",
	"getActivityLog",
	"getAnalyticsReport",
	"getArchitectureContext",
	"getBridgeStatus",
	"getBufferContent",
	"getCallHierarchy",
	"getChangeImpact",
	"getClaudeTaskStatus",
	"getCodeActions",
	"getCodeCoverage",
	"getCodeLens",
	"getCommitDetails",
	"getCommitsForIssue",
	"getCurrentSelection",
	"getDebugState",
	"getDependencyTree",
	"getDiagnostics",
	"getDiffBetweenRefs",
	"getDiffFromHandoff",
	"getDocumentLinks",
	"getDocumentSymbols",
	"getFileTree",
	"getGitDiff",
	"getGitHotspots",
	"getGitLog",
	"getGitStatus",
	"getHandoffNote",
	"getHover",
	"getHoverAtCursor",
	"getImportTree",
	"getImportedSignatures",
	"getInlayHints",
	"getLatestSelection",
	"getOpenEditors",
	"getPRTemplate",
	"getPerformanceReport",
	"getPlan",
	"getProjectContext",
	"getProjectInfo",
	"getSecurityAdvisories",
	"getSemanticTokens",
	"getSessionUsage",
	"getSymbolHistory",
	"getTerminalOutput",
	"getToolCapabilities",
	"getTypeHierarchy",
	"getTypeSignature",
	"getWorkspaceFolders",
	"getWorkspaceSettings",
	"gitAdd",
	"gitBlame",
	"gitCheckout",
	"gitCommit",
	"gitFetch",
	"gitListBranches",
	"gitPull",
	"gitPush",
	"gitStash",
	"gitStashList",
	"gitStashPop",
	"githubActions",
	"githubApprovePR",
	"githubCommentIssue",
	"githubCreateIssue",
	"githubCreatePR",
	"githubGetIssue",
	"githubGetPRDiff",
	"githubGetRunLogs",
	"githubIssue",
	"githubListIssues",
	"githubListPRs",
	"githubListRuns",
	"githubMergePR",
	"githubPR",
	"githubPostPRReview",
	"githubViewPR",
	"goToDeclaration",
	"goToDefinition",
	"goToTypeDefinition",
	"jumpToFirstError",
	"launchQuickTask",
	"listClaudeTasks",
	"listPlans",
	"listTerminals",
	"listVSCodeCommands",
	"listVSCodeTasks",
	"navigateToSymbolByName",
	"openDiff",
	"openFile",
	"openInBrowser",
	"organizeImports",
	"parseHttpFile",
	"prepareRename",
	"previewCodeAction",
	"previewEdit",
	"readClipboard",
	"refactorAnalyze",
	"refactorExtractFunction",
	"refactorPreview",
	"renameFile",
	"renameSymbol",
	"replaceBlock",
	"resumeClaudeTask",
	"rollbackTransaction",
	"runClaudeTask",
	"runCommand",
	"runInTerminal",
	"runTests",
	"runVSCodeTask",
	"saveDocument",
	"screenshotAndAnnotate",
	"searchAndReplace",
	"searchTools",
	"searchWorkspace",
	"searchWorkspaceSymbols",
	"selectionRanges",
	"sendHttpRequest",
	"sendTerminalCommand",
	"setActiveWorkspaceFolder",
	"setDebugBreakpoints",
	"setEditorDecorations",
	"setHandoffNote",
	"setWorkspaceSetting",
	"signatureHelp",
	"spawnWorkspace",
	"stageEdit",
	"startDebugging",
	"stopDebugging",
	"testTraceToSource",
	"unwatchFiles",
	"updatePlan",
	"waitForTerminalOutput",
	"watchActivityLog",
	"watchDiagnostics",
	"watchFiles",
	"writeClipboard",
	"proposeEdit",
};

/* Every prompt in order, and its arguments, the required with a star. */
static const char *const wanted[][2] = {
	{ "review-changes", "file*" },
	{ "review-file", "file*" },
	{ "explain-diagnostics", "file*" },
	{ "generate-tests", "file*" },
	{ "debug-context", "" },
	{ "git-review", "base" },
	{ "cowork", "task" },
	{ "gen-claude-md", "" },
	{ "set-effort", "level" },
	{ "project-status", "" },
	{ "quick-tests", "filter" },
	{ "quick-review", "" },
	{ "build-check", "" },
	{ "recent-activity", "count" },
	{ "team-status", "" },
	{ "health-check", "" },
	{ "orient-project", "style" },
	{ "find-callers", "symbol*" },
	{ "blast-radius", "file*, line*, column*" },
	{ "why-error", "file*, line" },
	{ "unused-in", "file*" },
	{ "trace-to", "symbol*" },
	{ "imports-of", "symbol*" },
	{ "circular-deps", "" },
	{ "refactor-preview", "file*, line*, column*, newName*" },
	{ "module-exports", "file*" },
	{ "type-of", "file*, line*, column*" },
	{ "deprecations", "" },
	{ "coverage-gap", "file*" },
	{ "explore-type", "file*, line*, column*" },
	{ "ide-coverage", "" },
	{ "ide-deps", "file*, line*, column*" },
	{ "ide-diagnostics-board", "" },
	{ "safe-refactor", "description*, files" },
	{ "diagnose-and-fix", "filePath" },
	{ "session-delta", "" },
};

test(the_names_and_arguments_are_those_people_know)
{
	assert_int_equal(dt_prompt_count, sizeof(wanted) / sizeof(wanted[0]));
	for (size_t i = 0; i < dt_prompt_count; i++) {
		const struct dt_prompt_arg *arg = dt_prompts[i].args;
		struct dt_buf text;

		dt_buf_init(&text, 1000);
		for (; arg && arg->name; arg++)
			dt_buf_addf(&text, "%s%s%s", text.len ? ", " : "",
			            arg->name, arg->is_required ? "*" : "");
		assert_string_equal(dt_prompts[i].name, wanted[i][0]);
		assert_string_equal(dt_buf_z(&text), wanted[i][1]);
		dt_buf_done(&text);
	}
}

static struct dt_str give_all(const char *name, void *owner)
{
	(void)owner;
	if (!strcmp(name, "level"))
		return DT_STR("high");
	if (!strcmp(name, "style"))
		return DT_STR("minimal");
	return DT_STR("given");
}

/* Only what the prompt, the owner, says it needs. */
static struct dt_str give_required(const char *name, void *owner)
{
	const struct dt_prompt *prompt = owner;
	const struct dt_prompt_arg *arg = prompt->args;

	while (strcmp(arg->name, name) != 0)
		arg++;
	return arg->is_required ? DT_STR("given") : (struct dt_str){ 0 };
}

static struct dt_str give_none(const char *name, void *owner)
{
	(void)name;
	(void)owner;
	return (struct dt_str){ 0 };
}

static bool has_all(const char *tool, void *owner)
{
	(void)tool;
	(void)owner;
	return true;
}

static bool is_known(const char *tool, void *owner)
{
	(void)owner;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(known[i], tool))
			return true;
	}
	fail_msg("no tool is called %s", tool);
	return false;
}

/* What is known elsewhere and not offered here helps no model. */
static bool is_offered(const char *tool, void *owner)
{
	static const char *const rows[] = {
#define X(names, why) names,
#include "tool/not_offered.def"
#undef X
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct dt_str rest = dt_str(rows[i]);

		while (rest.len) {
			if (dt_str_is(dt_str_cut(&rest, ' '), tool))
				fail_msg("%s is not offered", tool);
		}
	}
	return is_known(tool, owner);
}

/* A prompt written; free() it. */
static char *write(const struct dt_prompt *prompt, dt_prompt_value_fn *value,
                   dt_prompt_has_fn *has)
{
	struct dt_fail fail = { 0 };
	struct dt_buf text;

	dt_buf_init(&text, 1u << 16);
	if (dt_prompt_write(prompt, value, has, (void *)(uintptr_t)prompt,
	                    &text, &fail))
		fail_msg("%s: %s", prompt->name, fail.msg);
	return dt_buf_take(&text);
}

static void assert_finished(const struct dt_prompt *prompt, const char *text)
{
	if (strpbrk(text, "{}[]"))
		fail_msg("%s: %s", prompt->name, strpbrk(text, "{}[]"));
	assert_null(strstr(text, "Not offered"));
	assert_non_null(strchr(text, '`'));
	assert_true(strlen(text) < 4000);
}

test(every_prompt_is_written_with_all_arguments)
{
	for (size_t i = 0; i < dt_prompt_count; i++) {
		const struct dt_prompt *prompt = &dt_prompts[i];
		const struct dt_prompt_arg *arg = prompt->args;
		char *text = write(prompt, give_all, has_all);
		const char *at = text;

		assert_finished(prompt, text);
		/* Each argument is used. */
		for (; arg && arg->name; arg++) {
			at = strstr(at, "\xc2\xab");
			assert_non_null(at);
			at++;
		}
		free(text);
	}
}

test(every_prompt_is_written_with_what_it_needs)
{
	for (size_t i = 0; i < dt_prompt_count; i++) {
		char *text = write(&dt_prompts[i], give_required, has_all);

		assert_finished(&dt_prompts[i], text);
		free(text);
	}
}

test(what_a_prompt_needs_is_asked_for_by_name)
{
	for (size_t i = 0; i < dt_prompt_count; i++) {
		const struct dt_prompt_arg *arg = dt_prompts[i].args;
		struct dt_fail fail = { 0 };
		struct dt_buf text;
		enum dt_err err;

		dt_buf_init(&text, 1u << 16);
		err = dt_prompt_write(&dt_prompts[i], give_none, has_all, NULL,
		                      &text, &fail);
		while (arg && arg->name && !arg->is_required)
			arg++;
		assert_int_equal(err, arg && arg->name ? DT_E_ARGS : DT_E_OK);
		if (err)
			assert_memory_equal(fail.msg, arg->name,
			                    strlen(arg->name));
		dt_buf_done(&text);
	}
}

test(only_tools_that_there_are_or_will_be_are_named)
{
	for (size_t i = 0; i < dt_prompt_count; i++)
		free(write(&dt_prompts[i], give_all, is_offered));
}

test(people_are_told_what_each_is)
{
	for (size_t i = 0; i < dt_prompt_count; i++) {
		const struct dt_prompt *prompt = &dt_prompts[i];
		const struct dt_prompt_arg *arg = prompt->args;

		assert_non_null(prompt->title);
		assert_true(prompt->doc[strlen(prompt->doc) - 1] == '.');
		for (; arg && arg->name; arg++)
			assert_true(arg->doc[strlen(arg->doc) - 1] == '.');
	}
}

test(a_prompt_is_found_by_its_name)
{
	for (size_t i = 0; i < dt_prompt_count; i++)
		assert_ptr_equal(dt_prompt_find(dt_str(dt_prompts[i].name)),
		                 &dt_prompts[i]);
	assert_null(dt_prompt_find(DT_STR("review")));
	assert_null(dt_prompt_find(DT_STR("")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_names_and_arguments_are_those_people_know),
		cmocka_unit_test(every_prompt_is_written_with_all_arguments),
		cmocka_unit_test(every_prompt_is_written_with_what_it_needs),
		cmocka_unit_test(what_a_prompt_needs_is_asked_for_by_name),
		cmocka_unit_test(
			only_tools_that_there_are_or_will_be_are_named),
		cmocka_unit_test(people_are_told_what_each_is),
		cmocka_unit_test(a_prompt_is_found_by_its_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
