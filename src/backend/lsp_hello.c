/*
 * backend/lsp_hello.c - the first words with a language server.
 *
 * What we say we can do is what we do: no more, since a server leaves things out
 * that it believes its client does (vscode-json-language-server reports nothing
 * by itself once the client can ask).  Columns are counted in UTF-16 units by
 * everyone, so nothing else is offered and nothing else taken.
 */
#include "backend/lsp_state.h"
#include "base/path.h"

#include <unistd.h>

/* clang-format off */
#define LINKS "{\"linkSupport\":true}"
#define KINDS(n) "{\"valueSet\":[" n "]}"
#define SYMBOL_KINDS KINDS("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19," \
	"20,21,22,23,24,25,26")
#define ACTION_KINDS "\"\",\"quickfix\",\"refactor\",\"refactor.extract\"," \
	"\"refactor.inline\",\"refactor.rewrite\",\"source\"," \
	"\"source.organizeImports\",\"source.fixAll\""
#define TOKEN_TYPES "\"namespace\",\"type\",\"class\",\"enum\",\"interface\"," \
	"\"struct\",\"typeParameter\",\"parameter\",\"variable\"," \
	"\"property\",\"enumMember\",\"event\",\"function\",\"method\"," \
	"\"macro\",\"keyword\",\"modifier\",\"comment\",\"string\"," \
	"\"number\",\"regexp\",\"operator\",\"decorator\""
#define TOKEN_MODIFIERS "\"declaration\",\"definition\",\"readonly\"," \
	"\"static\",\"deprecated\",\"abstract\",\"async\",\"modification\"," \
	"\"documentation\",\"defaultLibrary\""

static const char capabilities[] =
	"{\"general\":{\"positionEncodings\":[\"utf-16\"]},"
	"\"window\":{\"workDoneProgress\":true,"
	"\"showMessage\":{\"messageActionItem\":"
	"{\"additionalPropertiesSupport\":false}},"
	"\"showDocument\":{\"support\":false}},"
	"\"workspace\":{\"applyEdit\":true,\"configuration\":true,"
	"\"workspaceFolders\":true,\"executeCommand\":{},"
	"\"workspaceEdit\":{\"documentChanges\":true,"
	"\"resourceOperations\":[\"create\",\"rename\",\"delete\"],"
	"\"failureHandling\":\"abort\"},"
	"\"didChangeConfiguration\":{\"dynamicRegistration\":true},"
	"\"didChangeWatchedFiles\":{\"dynamicRegistration\":true,"
	"\"relativePatternSupport\":true},"
	"\"symbol\":{\"symbolKind\":" SYMBOL_KINDS "},"
	"\"diagnostics\":{\"refreshSupport\":true}},"
	"\"textDocument\":{"
	"\"synchronization\":{\"didSave\":true},"
	"\"publishDiagnostics\":{\"versionSupport\":true,"
	"\"codeDescriptionSupport\":false,\"relatedInformation\":true},"
	"\"diagnostic\":{\"relatedDocumentSupport\":false},"
	"\"hover\":{\"contentFormat\":[\"markdown\",\"plaintext\"]},"
	"\"signatureHelp\":{\"signatureInformation\":{"
	"\"documentationFormat\":[\"markdown\",\"plaintext\"],"
	"\"parameterInformation\":{\"labelOffsetSupport\":true},"
	"\"activeParameterSupport\":true}},"
	"\"definition\":" LINKS ",\"typeDefinition\":" LINKS ","
	"\"declaration\":" LINKS ",\"implementation\":" LINKS ","
	"\"references\":{},\"documentHighlight\":{},"
	"\"documentSymbol\":{\"hierarchicalDocumentSymbolSupport\":true,"
	"\"symbolKind\":" SYMBOL_KINDS "},"
	"\"callHierarchy\":{},\"typeHierarchy\":{},\"inlayHint\":{},"
	"\"foldingRange\":{},\"selectionRange\":{},"
	"\"documentLink\":{\"tooltipSupport\":true},\"codeLens\":{},"
	"\"semanticTokens\":{\"requests\":{\"full\":true,\"range\":true},"
	"\"formats\":[\"relative\"],\"tokenTypes\":[" TOKEN_TYPES "],"
	"\"tokenModifiers\":[" TOKEN_MODIFIERS "]},"
	"\"codeAction\":{\"isPreferredSupport\":true,\"dataSupport\":true,"
	"\"disabledSupport\":true,"
	"\"resolveSupport\":{\"properties\":[\"edit\",\"command\"]},"
	"\"codeActionLiteralSupport\":{\"codeActionKind\":" KINDS(ACTION_KINDS)
	"}},"
	"\"rename\":{\"prepareSupport\":true},"
	"\"formatting\":{},\"rangeFormatting\":{}}}";
/* clang-format on */

static void put_folder(struct dt_json_out *out, const char *folder,
                       const char *uri)
{
	dt_json_begin_array(out);
	dt_json_begin_object(out);
	dt_json_key(out, "uri");
	dt_json_put_z(out, uri);
	dt_json_key(out, "name");
	dt_json_put_z(out, dt_path_base(folder));
	dt_json_end_object(out);
	dt_json_end_array(out);
}

static void write_params(const struct dt_lsp_server *server,
                         struct dt_json_out *out)
{
	struct dt_arena arena = { 0 };
	const char *uri = dt_path_to_uri(&arena, server->folder);

	dt_json_begin_object(out);
	dt_json_key(out, "processId");
	dt_json_put_int(out, getpid());
	dt_json_key(out, "clientInfo");
	dt_json_begin_object(out);
	dt_json_key(out, "name");
	dt_json_put_z(out, "dovetail");
	dt_json_key(out, "version");
	dt_json_put_z(out, DT_VERSION);
	dt_json_end_object(out);
	dt_json_key(out, "rootPath");
	dt_json_put_z(out, server->folder);
	dt_json_key(out, "rootUri");
	dt_json_put_z(out, uri);
	dt_json_key(out, "workspaceFolders");
	put_folder(out, server->folder, uri);
	dt_json_key(out, "capabilities");
	dt_json_put_raw(out, dt_str(capabilities));
	if (server->entry.options) {
		dt_json_key(out, "initializationOptions");
		dt_json_put_raw(out, dt_str(server->entry.options));
	}
	dt_json_end_object(out);
	dt_arena_done(&arena);
}

/* What is kept of the answer, for as long as the server lives. */
static enum dt_err keep_capabilities(struct dt_lsp_server *server,
                                     const struct dt_json *result,
                                     struct dt_fail *fail)
{
	const struct dt_json *found = dt_json_get(result, "capabilities");
	const struct dt_json *encoding = dt_json_get(found, "positionEncoding");
	struct dt_str copy;

	if (!found || found->type != DT_JSON_OBJECT)
		return dt_fail(fail, DT_E_CLOSED,
		               "%s did not say what it can do",
		               server->entry.name);
	if (encoding && !dt_str_is(encoding->raw, "\"utf-16\""))
		return dt_fail(fail, DT_E_CLOSED,
		               "%s insists on columns in %.*s, only utf-16 was "
		               "offered",
		               server->entry.name, DT_STR_ARG(encoding->raw));
	copy = (struct dt_str){ dt_arena_strndup(&server->life, found->raw.ptr,
		                                 found->raw.len),
		                found->raw.len };
	return dt_json_read(&server->life, copy, &server->capabilities, fail);
}

/* Some servers ask for their settings, others wait to be told. */
static void tell_settings(struct dt_lsp_server *server)
{
	struct dt_buf params;
	struct dt_json_out out;

	if (!server->entry.settings)
		return;
	dt_buf_init(&params, DT_LIMIT_ARGUMENTS);
	out = dt_json_out(&params);
	dt_json_begin_object(&out);
	dt_json_key(&out, "settings");
	dt_json_put_raw(&out, dt_str(server->entry.settings));
	dt_json_end_object(&out);
	dt_peer_notify(server->peer, "workspace/didChangeConfiguration",
	               dt_buf_str(&params));
	dt_buf_done(&params);
}

/* All it says where there is room, else whole words of it. */
static void tell_refusal(const struct dt_lsp_server *server, struct dt_str said,
                         struct dt_fail *why)
{
	static const char between[] = " did not want to start: ";
	static const char more[] = "…";
	size_t room =
		sizeof(why->msg) - strlen(server->entry.name) - sizeof(between);
	size_t len = said.len;

	if (len > room) {
		len = room - strlen(more);
		while (len && said.ptr[len] != ' ')
			len--;
	}
	dt_fail(why, DT_E_CLOSED, "%s%s%.*s%s", server->entry.name, between,
	        (int)len, said.ptr, len < said.len ? more : "");
}

static void on_initialized(struct dt_peer *peer, const struct dt_json *result,
                           const struct dt_fail *fail, void *owner)
{
	struct dt_lsp_server *server = owner;
	struct dt_fail why = { 0 };

	/* The end of the server, told elsewhere, or it is being stopped. */
	if (dt_peer_is_over(peer) || server->phase != DT_LSP_STARTING)
		return;
	if (fail)
		tell_refusal(server, dt_str(fail->msg), &why);
	if (why.code || keep_capabilities(server, result, &why)) {
		dt_lsp_server_refuse(server, &why);
		return;
	}
	dt_peer_notify(peer, "initialized", DT_STR("{}"));
	tell_settings(server);
	dt_lsp_server_ready(server);
}

void dt_lsp_hello(struct dt_lsp_server *server)
{
	struct dt_buf params;
	struct dt_json_out out;

	dt_buf_init(&params, DT_LIMIT_ARGUMENTS);
	out = dt_json_out(&params);
	write_params(server, &out);
	dt_peer_call(server->peer, "initialize", dt_buf_str(&params), 0,
	             on_initialized, server);
	dt_buf_done(&params);
}
