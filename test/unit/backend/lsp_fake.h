/*
 * test/unit/backend/lsp_fake.h - a language server that does what it is told.
 *
 * The test program is its own server: started again with FAKE_LSP in its
 * environment it talks LSP on standard input and output.  The variable says how
 * it lives; what it is asked says what it does:
 *
 *   fake/log      what it was told since the last time, "method detail|"
 *   fake/ask      asks the client its params, answers what came back
 *   fake/hang     never answers
 *   fake/crash    dies
 *   fake/flood    10,000 notifications, then the answer
 *   fake/large    a message of 64 MiB
 *   fake/garbage  bytes that are no message
 *   fake/nonsense a message that is no JSON, and no answer
 *   fake/modified "content modified" once, then the answer
 *   fake/error    an error
 *   fake/edit     wants to change a file, answers what the client said
 *
 * In the mode "canned" it answers what the file "canned.json" in its folder has
 * under the name of the method.  In the mode "actions" it offers a command each
 * time, and makes the file "executed" when it is told to execute one; in the
 * mode "odd-actions" the edit that it sends then ends with something that nobody
 * knows.
 */
#ifndef DT_TEST_LSP_FAKE_H
#define DT_TEST_LSP_FAKE_H

#include "backend/lsp_fake_send.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "data/json.h"
#include "wire/framed.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct fake {
	const char *mode;
	struct dt_framed framed;
	struct dt_buf log;
	struct dt_arena arena; /* of the message in hand */
	struct dt_str id;      /* raw; of the request in hand */
	bool was_modified;
	bool was_good;
};

/* The next message; NULL: the client is gone. */
static inline const struct dt_json *fake_receive(struct fake *f)
{
	static char bytes[65536];
	static struct dt_str rest;
	const struct dt_json *json;
	struct dt_str message = { 0 };

	while (!message.ptr) {
		size_t used;

		if (!rest.len) {
			ssize_t n = read(0, bytes, sizeof(bytes));

			if (n <= 0)
				return NULL;
			rest = (struct dt_str){ bytes, (size_t)n };
		}
		if (dt_framed_read(&f->framed, rest, &used, &message, NULL))
			exit(8);
		rest.ptr += used;
		rest.len -= used;
	}
	dt_arena_done(&f->arena);
	message.ptr = dt_arena_strndup(&f->arena, message.ptr, message.len);
	if (dt_json_read(&f->arena, message, &json, NULL))
		exit(7);
	return json;
}

static inline void fake_fail(const struct fake *f, int code,
                             const char *message)
{
	fake_sendf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":"
	           "{\"code\":%d,\"message\":\"%s\"}}",
	           DT_STR_ARG(f->id), code, message);
}

static inline void fake_answer(const struct fake *f, const char *result)
{
	fake_sendf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":%s}",
	           DT_STR_ARG(f->id), result);
}

static inline void fake_initialize(struct fake *f)
{
	const char *more = "";

	if (!strcmp(f->mode, "utf-8"))
		more = ",\"positionEncoding\":\"utf-8\"";
	else if (strstr(f->mode, "pull"))
		more = ",\"diagnosticProvider\":{}";
	else if (!strcmp(f->mode, "canned"))
		more = ",\"callHierarchyProvider\":true,"
		       "\"definitionProvider\":true,"
		       "\"declarationProvider\":true,"
		       "\"typeDefinitionProvider\":true,"
		       "\"signatureHelpProvider\":{},"
		       "\"inlayHintProvider\":true,"
		       "\"codeActionProvider\":true";
	else if (strstr(f->mode, "actions"))
		more = ",\"codeActionProvider\":true,"
		       "\"executeCommandProvider\":{}";
	if (!strcmp(f->mode, "refuse-at-length"))
		fake_fail(f, -32603,
		          dt_arena_printf(&f->arena,
		                          "There is no licence. "
		                          "Buy%0150d one%0150d",
		                          0, 0));
	else if (!strcmp(f->mode, "refuse"))
		fake_fail(f, -32603, "no licence");
	else if (strcmp(f->mode, "slow") != 0)
		fake_sendf("{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":"
		           "{\"capabilities\":{\"hoverProvider\":true,"
		           "\"foldingRangeProvider\":false,"
		           "\"renameProvider\":{\"prepareProvider\":true}%s}}}",
		           DT_STR_ARG(f->id), more);
}

/* Ask the client; `question` is what is behind the id. */
static inline void fake_ask(struct fake *f, struct dt_str question)
{
	struct dt_arena kept = f->arena;
	const struct dt_json *reply;
	const struct dt_json *result;

	f->arena = (struct dt_arena){ 0 };
	fake_sendf("{\"jsonrpc\":\"2.0\",\"id\":\"q\",%.*s}",
	           DT_STR_ARG(question));
	do
		reply = fake_receive(f);
	while (reply && dt_json_get(reply, "method"));
	if (!reply)
		exit(0);
	result = dt_json_get(reply, "result");
	if (!result)
		result = dt_json_get(reply, "error");
	fake_answer(f, dt_arena_strndup(&f->arena, result->raw.ptr,
	                                result->raw.len));
	dt_arena_done(&kept);
}

static inline void fake_flood(const struct fake *f)
{
	for (int i = 0; i < 10000; i++)
		fake_sendf("{\"jsonrpc\":\"2.0\",\"method\":\"$/progress\","
		           "\"params\":{\"token\":%d,\"value\":{\"kind\":"
		           "\"begin\",\"title\":\"task %d\","
		           "\"percentage\":%d}}}",
		           i, i, i % 100);
	fake_answer(f, "\"flooded\"");
}

static inline void fake_tell_log(struct fake *f)
{
	struct dt_buf text;
	struct dt_json_out out;

	dt_buf_init(&text, SIZE_MAX);
	out = dt_json_out(&text);
	dt_json_put_str(&out, f->log.len ? dt_buf_str(&f->log) : DT_STR(""));
	fake_answer(f, dt_buf_z(&text));
	dt_buf_done(&text);
	dt_buf_clear(&f->log);
}

/* Each word of a text "bad" is a problem; unsaid texts are not looked at. */
static inline void fake_publish(struct fake *f, struct dt_str uri,
                                struct dt_str version, struct dt_str text)
{
	bool is_bad = memmem(text.ptr, text.len, "bad", 3);

	if (!strcmp(f->mode, "pull") || !strcmp(f->mode, "quiet"))
		return;
	/* In parts, without a version, and nothing where nothing is new. */
	if (!strcmp(f->mode, "parts")) {
		if (f->was_good && !is_bad)
			return;
		f->was_good = !is_bad;
		fake_sendf("{\"jsonrpc\":\"2.0\",\"method\":"
		           "\"textDocument/publishDiagnostics\",\"params\":{"
		           "\"uri\":%.*s,\"diagnostics\":[]}}",
		           DT_STR_ARG(uri));
		version = DT_STR("null");
	}
	fake_sendf("{\"jsonrpc\":\"2.0\",\"method\":"
	           "\"textDocument/publishDiagnostics\",\"params\":{"
	           "\"uri\":%.*s,\"version\":%.*s,\"diagnostics\":[%s%s%s]}}",
	           DT_STR_ARG(uri), DT_STR_ARG(version),
	           is_bad ? "{\"range\":{\"start\":{\"line\":0,"
	                    "\"character\":1},\"end\":{\"line\":0,"
	                    "\"character\":4}},\"severity\":2,\"code\":7,"
	                    "\"message\":\"bad \\u202eword\""
	                  : "",
	           is_bad ? fake_related(text) : "",
	           is_bad ? "},{\"message\":\"without a range\"}" : "");
}

static inline struct dt_str fake_raw(const struct dt_json *of, const char *name)
{
	const struct dt_json *member = dt_json_get(of, name);

	return member ? member->raw : DT_STR("null");
}

/* What is told of documents: the end of the name, the version, the text. */
static inline void fake_hear_document(struct fake *f, const char *method,
                                      const struct dt_json *params)
{
	const struct dt_json *doc = dt_json_get(params, "textDocument");
	const struct dt_json *changes = dt_json_get(params, "contentChanges");
	struct dt_str uri = fake_raw(doc, "uri");
	struct dt_str version = fake_raw(doc, "version");
	struct dt_str text = fake_raw(changes ? changes + 1 : doc, "text");
	const char *slash = memrchr(uri.ptr, '/', uri.len);

	dt_buf_addf(&f->log, "%s %.*s", method + strlen("textDocument/"),
	            (int)(uri.ptr + uri.len - slash) - 2, slash + 1);
	if (dt_json_get(doc, "version"))
		dt_buf_addf(&f->log, " %.*s %.*s", DT_STR_ARG(version),
		            DT_STR_ARG(text));
	dt_buf_add_char(&f->log, '|');
	if (dt_json_get(doc, "version"))
		fake_publish(f, uri, version, text);
	if (!strcmp(f->mode, "crash-open") && strstr(method, "didOpen"))
		abort();
}

static inline void fake_hear(struct fake *f, const char *method,
                             const struct dt_json *params)
{
	if (!strcmp(method, "exit"))
		exit(0);
	if (!strncmp(method, "textDocument/", 13))
		fake_hear_document(f, method, params);
	else
		dt_buf_addf(&f->log, "%s %.*s|", method,
		            params ? (int)params->raw.len : 0,
		            params ? params->raw.ptr : "");
}

static inline void fake_pull(const struct fake *f)
{
	/* So that what was pushed is read before. */
	if (!strcmp(f->mode, "push-and-pull"))
		usleep(50000);
	fake_answer(f, "{\"kind\":\"full\",\"items\":[{\"range\":{\"start\":{"
	               "\"line\":3,\"character\":0},\"end\":{\"line\":3,"
	               "\"character\":1}},\"message\":\"pulled\","
	               "\"source\":\"s\",\"code\":\"c\"}]}");
}

static inline void fake_actions(const struct fake *f)
{
	fake_answer(f, FAKE_ACTIONS);
}

static inline void fake_execute(struct fake *f)
{
	bool is_odd = !strcmp(f->mode, "odd-actions");
	FILE *mark = fopen("executed", "w");

	if (!mark || fclose(mark))
		exit(6);
	fake_ask(f, dt_str(dt_arena_printf(&f->arena,
	                                   "\"method\":\"workspace/applyEdit\","
	                                   "\"params\":{\"edit\":%s}",
	                                   is_odd ? FAKE_ODD_EDIT
	                                          : "{\"changes\":{}}")));
}

static inline void fake_can(struct fake *f, const char *method)
{
	const struct dt_json *all = NULL;
	const struct dt_json *result;
	struct dt_buf text;

	dt_buf_init(&text, DT_MIB);
	if (dt_file_read("canned.json", &text, NULL) ||
	    dt_json_read(&f->arena, dt_buf_str(&text), &all, NULL))
		exit(5);
	result = dt_json_get(all, method);
	fake_answer(f, result ? dt_arena_strndup(&f->arena, result->raw.ptr,
	                                         result->raw.len)
	                      : "null");
	dt_buf_done(&text);
}

static inline void fake_serve(struct fake *f, const char *method,
                              const struct dt_json *params)
{
	bool was_modified = f->was_modified;

	f->was_modified = !strcmp(method, "fake/modified");
	if (!strcmp(method, "initialize"))
		fake_initialize(f);
	else if (!strcmp(method, "shutdown") && strcmp(f->mode, "deaf") != 0)
		fake_answer(f, "null");
	else if (!strcmp(f->mode, "canned"))
		fake_can(f, method);
	else if (!strcmp(method, "textDocument/diagnostic"))
		fake_pull(f);
	else if (!strcmp(method, "textDocument/codeAction"))
		fake_actions(f);
	else if (!strcmp(method, "workspace/executeCommand"))
		fake_execute(f);
	else if (!strcmp(method, "fake/log"))
		fake_tell_log(f);
	else if (!strcmp(method, "fake/ask"))
		fake_ask(f, (struct dt_str){ params->raw.ptr + 1,
		                             params->raw.len - 2 });
	else if (!strcmp(method, "fake/edit"))
		fake_ask(f, DT_STR("\"method\":\"workspace/applyEdit\","
		                   "\"params\":{\"edit\":{\"changes\":{}}}"));
	else if (!strcmp(method, "fake/crash"))
		abort();
	else if (!strcmp(method, "fake/flood"))
		fake_flood(f);
	else if (!strcmp(method, "fake/large"))
		fake_large();
	else if (!strcmp(method, "fake/garbage"))
		fake_write("Segmentation fault\n\n", 20);
	else if (!strcmp(method, "fake/nonsense"))
		fake_send(DT_STR("{nonsense"));
	else if (!strcmp(method, "fake/modified") && !was_modified)
		fake_fail(f, -32801, "content modified");
	else if (!strcmp(method, "fake/error"))
		fake_fail(f, -32602, "no such line");
	else if (strcmp(method, "fake/hang") != 0 &&
	         strcmp(method, "shutdown") != 0)
		fake_answer(f, "\"done\"");
}

static inline void fake_take(struct fake *f, const struct dt_json *json)
{
	const struct dt_json *name = dt_json_get(json, "method");
	const struct dt_json *id = dt_json_get(json, "id");
	const struct dt_json *params = dt_json_get(json, "params");
	struct dt_str method;

	if (!name)
		return;
	method = dt_json_text(&f->arena, name);
	f->id = id ? id->raw : (struct dt_str){ 0 };
	if (!id)
		fake_hear(f,
		          dt_arena_strndup(&f->arena, method.ptr, method.len),
		          params);
	else
		fake_serve(f,
		           dt_arena_strndup(&f->arena, method.ptr, method.len),
		           params);
}

/* In main(), before anything else. */
static inline void fake_run(void)
{
	struct fake f = { .mode = getenv("FAKE_LSP") };
	const struct dt_json *json;

	if (!f.mode)
		return;
	if (!strcmp(f.mode, "exit")) {
		fprintf(stderr, "libnothing.so: not found\n\n");
		exit(3);
	}
	if (!strcmp(f.mode, "deaf"))
		signal(SIGTERM, SIG_IGN);
	dt_framed_init(&f.framed, DT_LIMIT_MESSAGE);
	dt_buf_init(&f.log, SIZE_MAX);
	while ((json = fake_receive(&f)))
		fake_take(&f, json);
	if (!strcmp(f.mode, "deaf"))
		for (;;)
			pause();
	dt_arena_done(&f.arena);
	dt_buf_done(&f.log);
	dt_framed_done(&f.framed);
	exit(0);
}

#endif
