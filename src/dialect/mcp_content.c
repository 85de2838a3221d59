/*
 * dialect/mcp_content.c - what a call replied, as MCP has it.
 *
 * A client of an old revision never gets a kind it does not know: it gets text
 * that says what would be there.
 */
#include "dialect/mcp.h"

static void put_str(struct dt_json_out *out, const char *key, struct dt_str s)
{
	dt_json_key(out, key);
	dt_json_put_str(out, s);
}

static void put_resource(struct dt_json_out *out,
                         const struct dt_content *piece)
{
	dt_json_begin_object(out);
	dt_mcp_put_pair(out, "uri", piece->uri);
	dt_mcp_put_pair(out, "mimeType", piece->mime);
	put_str(out, piece->kind == DT_CONTENT_BLOB ? "blob" : "text",
	        piece->text);
	dt_json_end_object(out);
}

/* The members of a resource or template that can be read. */
static void put_link(struct dt_json_out *out, const char *uri_key,
                     const struct dt_content *piece,
                     enum dt_mcp_revision revision)
{
	dt_mcp_put_pair(out, uri_key, piece->uri);
	dt_mcp_put_pair(out, "name", piece->name ? piece->name : piece->uri);
	if (revision >= DT_MCP_2025_06)
		dt_mcp_put_pair(out, "title", piece->title);
	dt_mcp_put_pair(out, "description", piece->doc);
	dt_mcp_put_pair(out, "mimeType", piece->mime);
}

static void put_media(struct dt_json_out *out, const char *type,
                      const struct dt_content *piece)
{
	dt_mcp_put_pair(out, "type", type);
	put_str(out, "data", piece->text);
	dt_mcp_put_pair(out, "mimeType", piece->mime);
}

static void put_text(struct dt_json_out *out, struct dt_str text)
{
	dt_mcp_put_pair(out, "type", "text");
	put_str(out, "text", text);
}

void dt_mcp_put_content(struct dt_json_out *out, const struct dt_content *piece,
                        enum dt_mcp_revision revision)
{
	dt_json_begin_object(out);
	switch (piece->kind) {
	case DT_CONTENT_TEXT:
		put_text(out, piece->text);
		break;
	case DT_CONTENT_IMAGE:
		put_media(out, "image", piece);
		break;
	case DT_CONTENT_AUDIO:
		if (revision < DT_MCP_2025_03)
			put_text(out, DT_STR("(a sound)"));
		else
			put_media(out, "audio", piece);
		break;
	case DT_CONTENT_RESOURCE:
	case DT_CONTENT_BLOB:
		dt_mcp_put_pair(out, "type", "resource");
		dt_json_key(out, "resource");
		put_resource(out, piece);
		break;
	case DT_CONTENT_LINK:
		if (revision < DT_MCP_2025_06) {
			put_text(out, dt_str(piece->uri));
		} else {
			dt_mcp_put_pair(out, "type", "resource_link");
			put_link(out, "uri", piece, revision);
		}
		break;
	}
	dt_json_end_object(out);
}

/* by method */

static void put_list(struct dt_mcp_turn *turn, const char *key,
                     const char *uri_key, const struct dt_content *content,
                     struct dt_json_out *out)
{
	dt_json_key(out, key);
	dt_json_begin_array(out);
	for (; content; content = content->next) {
		dt_json_begin_object(out);
		put_link(out, uri_key, content, turn->revision);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
	dt_mcp_put_cache(turn, out, false);
}

static void put_read(struct dt_mcp_turn *turn, const struct dt_content *content,
                     struct dt_json_out *out)
{
	dt_json_key(out, "contents");
	dt_json_begin_array(out);
	for (; content; content = content->next)
		put_resource(out, content);
	dt_json_end_array(out);
	dt_mcp_put_cache(turn, out, false);
}

static void put_prompt(struct dt_mcp_turn *turn,
                       const struct dt_content *content,
                       struct dt_json_out *out)
{
	if (content)
		dt_mcp_put_pair(out, "description", content->doc);
	dt_json_key(out, "messages");
	dt_json_begin_array(out);
	for (; content; content = content->next) {
		dt_json_begin_object(out);
		dt_mcp_put_pair(out, "role", "user");
		dt_json_key(out, "content");
		dt_mcp_put_content(out, content, turn->revision);
		dt_json_end_object(out);
	}
	dt_json_end_array(out);
}

#define MAX_VALUES 100 /* as the specification has it */

static void put_completion(const struct dt_content *content,
                           struct dt_json_out *out)
{
	size_t count = 0;

	dt_json_key(out, "completion");
	dt_json_begin_object(out);
	dt_json_key(out, "values");
	dt_json_begin_array(out);
	for (; content && count < MAX_VALUES; content = content->next, count++)
		dt_json_put_str(out, content->text);
	dt_json_end_array(out);
	dt_json_key(out, "hasMore");
	dt_json_put_bool(out, content != NULL);
	dt_json_end_object(out);
}

void dt_mcp_put_reply(struct dt_mcp_turn *turn, const char *method,
                      const struct dt_content *content, struct dt_json_out *out)
{
	if (!strcmp(method, "resources/list"))
		put_list(turn, "resources", "uri", content, out);
	else if (!strcmp(method, "resources/templates/list"))
		put_list(turn, "resourceTemplates", "uriTemplate", content,
		         out);
	else if (!strcmp(method, "resources/read"))
		put_read(turn, content, out);
	else if (!strcmp(method, "prompts/get"))
		put_prompt(turn, content, out);
	else
		put_completion(content, out);
}
