/*
 * test/unit/hub/bridge_tools.h - the names of the tools that claude-ide-bridge
 * has without its services, for people who come from there.
 */
#ifndef DT_TEST_HUB_BRIDGE_TOOLS_H
#define DT_TEST_HUB_BRIDGE_TOOLS_H

/* clang-format off */
static const char bridge_tools[] =
	"openFile openDiff openInBrowser getOpenEditors "
	"getWorkspaceFolders setActiveWorkspaceFolder "
	"getCurrentSelection getLatestSelection checkDocumentDirty "
	"saveDocument closeTab closeAllDiffTabs captureScreenshot "
	"screenshotAndAnnotate setEditorDecorations "
	"clearEditorDecorations readClipboard writeClipboard "
	"getWorkspaceSettings setWorkspaceSetting "
	"executeVSCodeCommand listVSCodeCommands listVSCodeTasks "
	"runVSCodeTask watchFiles unwatchFiles "
	"getAIComments getDiagnostics watchDiagnostics "
	"explainDiagnostic jumpToFirstError getDocumentSymbols "
	"goToDefinition findReferences findImplementations "
	"goToTypeDefinition goToDeclaration getHover "
	"getHoverAtCursor getTypeSignature signatureHelp "
	"getCallHierarchy getTypeHierarchy searchWorkspaceSymbols "
	"navigateToSymbolByName explainSymbol getImportTree "
	"getImportedSignatures getDocumentLinks getInlayHints "
	"getSemanticTokens getCodeLens foldingRanges selectionRanges "
	"batchGetHover batchGoToDefinition batchFindImplementations "
	"getChangeImpact getCodeActions applyCodeAction "
	"previewCodeAction refactorPreview refactorAnalyze "
	"refactorExtractFunction prepareRename renameSymbol "
	"formatDocument formatRange formatAndSave fixAllLintErrors "
	"organizeImports getBufferContent editText replaceBlock "
	"createFile deleteFile renameFile findFiles getFileTree "
	"searchWorkspace searchAndReplace previewEdit "
	"beginTransaction stageEdit commitTransaction "
	"rollbackTransaction runCommand runInTerminal listTerminals "
	"getTerminalOutput createTerminal disposeTerminal "
	"sendTerminalCommand waitForTerminalOutput getDebugState "
	"evaluateInDebugger setDebugBreakpoints startDebugging "
	"stopDebugging getGitStatus getGitDiff getGitLog "
	"getCommitDetails getDiffBetweenRefs gitAdd gitCommit "
	"gitCheckout gitBlame gitFetch gitListBranches gitPull "
	"gitPush gitStash gitStashPop gitStashList getGitHotspots "
	"getSymbolHistory githubPR githubIssue githubActions "
	"githubCreatePR githubListPRs githubViewPR githubGetPRDiff "
	"githubPostPRReview githubApprovePR githubMergePR "
	"githubListIssues githubGetIssue githubCreateIssue "
	"githubCommentIssue githubListRuns githubGetRunLogs "
	"createGithubIssueFromAIComment getPRTemplate enrichCommit "
	"getCommitsForIssue runTests findRelatedTests "
	"testTraceToSource generateTests getCodeCoverage "
	"detectUnusedCode generateAPIDocumentation getDependencyTree "
	"getSecurityAdvisories auditDependencies enrichStackTrace "
	"sendHttpRequest parseHttpFile getProjectInfo "
	"getProjectContext getArchitectureContext contextBundle "
	"getHandoffNote setHandoffNote getDiffFromHandoff createPlan "
	"updatePlan getPlan deletePlan listPlans getBridgeStatus "
	"getToolCapabilities bridgeDoctor searchTools "
	"getSessionUsage getActivityLog watchActivityLog "
	"getAnalyticsReport getPerformanceReport spawnWorkspace "
	"runClaudeTask getClaudeTaskStatus cancelClaudeTask "
	"listClaudeTasks resumeClaudeTask launchQuickTask";
/* clang-format on */

#endif
