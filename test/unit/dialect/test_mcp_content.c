#include "unit.h"

#include "base/buf.h"
#include "base/limits.h"
#include "dialect/mcp.h"

static void check_content(const struct dt_content *piece,
                          enum dt_mcp_revision revision, const char *wanted)
{
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_mcp_put_content(&out, piece, revision);
	assert_string_equal(dt_buf_z(&buf), wanted);
	dt_buf_done(&buf);
}

/* The reply of a method, all of it. */
static void check_reply(const char *method, const struct dt_content *content,
                        enum dt_mcp_revision revision, const char *wanted)
{
	struct dt_mcp_turn turn = { .revision = revision };
	struct dt_json_out out;
	struct dt_buf buf;

	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_mcp_put_reply(&turn, method, content, &out);
	dt_json_end_object(&out);
	assert_string_equal(dt_buf_z(&buf), wanted);
	dt_buf_done(&buf);
}

test(text_and_pictures_are_the_same_in_every_revision)
{
	struct dt_content text = { .text = DT_STR("a \"b\"") };
	struct dt_content image = { .kind = DT_CONTENT_IMAGE,
		                    .text = DT_STR("AAAA"),
		                    .mime = "image/png" };

	for (int r = DT_MCP_2024_11; r < DT_MCP_REVISIONS; r++) {
		check_content(&text, (enum dt_mcp_revision)r,
		              "{\"type\":\"text\",\"text\":\"a \\\"b\\\"\"}");
		check_content(&image, (enum dt_mcp_revision)r,
		              "{\"type\":\"image\",\"data\":\"AAAA\","
		              "\"mimeType\":\"image/png\"}");
	}
}

test(a_sound_is_text_for_those_who_know_none)
{
	struct dt_content sound = { .kind = DT_CONTENT_AUDIO,
		                    .text = DT_STR("AAAA"),
		                    .mime = "audio/wav" };

	check_content(&sound, DT_MCP_2024_11,
	              "{\"type\":\"text\",\"text\":\"(a sound)\"}");
	check_content(&sound, DT_MCP_2025_03,
	              "{\"type\":\"audio\",\"data\":\"AAAA\","
	              "\"mimeType\":\"audio/wav\"}");
}

test(a_link_is_its_uri_for_those_who_know_none)
{
	struct dt_content link = { .kind = DT_CONTENT_LINK,
		                   .uri = "file:///a",
		                   .title = "A" };

	check_content(&link, DT_MCP_2025_03,
	              "{\"type\":\"text\",\"text\":\"file:///a\"}");
	check_content(&link, DT_MCP_2025_06,
	              "{\"type\":\"resource_link\",\"uri\":\"file:///a\","
	              "\"name\":\"file:///a\",\"title\":\"A\"}");
}

test(resources_hold_text_or_bytes)
{
	struct dt_content text = { .kind = DT_CONTENT_RESOURCE,
		                   .uri = "x:1",
		                   .mime = "text/plain",
		                   .text = DT_STR("t") };
	struct dt_content blob = { .kind = DT_CONTENT_BLOB,
		                   .uri = "x:2",
		                   .text = DT_STR("AAAA") };

	text.next = &blob;
	check_content(&text, DT_MCP_2024_11,
	              "{\"type\":\"resource\",\"resource\":{\"uri\":\"x:1\","
	              "\"mimeType\":\"text/plain\",\"text\":\"t\"}}");
	check_reply("resources/read", &text, DT_MCP_2025_11,
	            "{\"contents\":[{\"uri\":\"x:1\",\"mimeType\":"
	            "\"text/plain\",\"text\":\"t\"},{\"uri\":\"x:2\","
	            "\"blob\":\"AAAA\"}]}");
	check_reply("resources/read", &blob, DT_MCP_2026_07,
	            "{\"contents\":[{\"uri\":\"x:2\",\"blob\":\"AAAA\"}],"
	            "\"ttlMs\":0,\"cacheScope\":\"private\"}");
}

test(lists_name_resources_and_templates_by_their_own_members)
{
	struct dt_content one = { .kind = DT_CONTENT_LINK,
		                  .uri = "x:{id}",
		                  .name = "one",
		                  .title = "One",
		                  .doc = "The one." };

	check_reply("resources/list", &one, DT_MCP_2025_03,
	            "{\"resources\":[{\"uri\":\"x:{id}\",\"name\":\"one\","
	            "\"description\":\"The one.\"}]}");
	check_reply("resources/templates/list", &one, DT_MCP_2025_06,
	            "{\"resourceTemplates\":[{\"uriTemplate\":\"x:{id}\","
	            "\"name\":\"one\",\"title\":\"One\","
	            "\"description\":\"The one.\"}]}");
	check_reply("resources/list", NULL, DT_MCP_2026_07,
	            "{\"resources\":[],\"ttlMs\":0,"
	            "\"cacheScope\":\"private\"}");
}

test(a_prompt_is_messages_of_the_person)
{
	struct dt_content second = { .text = DT_STR("b") };
	struct dt_content first = { .next = &second,
		                    .text = DT_STR("a"),
		                    .doc = "Two." };

	check_reply("prompts/get", &first, DT_MCP_2025_11,
	            "{\"description\":\"Two.\",\"messages\":["
	            "{\"role\":\"user\",\"content\":{\"type\":\"text\","
	            "\"text\":\"a\"}},{\"role\":\"user\",\"content\":{"
	            "\"type\":\"text\",\"text\":\"b\"}}]}");
	check_reply("prompts/get", NULL, DT_MCP_2025_11, "{\"messages\":[]}");
}

/* The specification allows no more. */
test(a_hundred_completions_are_told_and_that_there_are_more)
{
	static struct dt_content values[101];
	struct dt_mcp_turn turn = { .revision = DT_MCP_2025_11 };
	struct dt_json_out out;
	struct dt_buf buf;
	size_t commas = 0;

	for (size_t i = 0; i < 101; i++) {
		values[i].text = DT_STR("v");
		values[i].next = i < 100 ? &values[i + 1] : NULL;
	}
	dt_buf_init(&buf, DT_MIB);
	out = dt_json_out(&buf);
	dt_json_begin_object(&out);
	dt_mcp_put_reply(&turn, "completion/complete", values, &out);
	dt_json_end_object(&out);
	for (size_t i = 0; i < buf.len; i++)
		commas += buf.ptr[i] == ',';
	assert_int_equal(commas, 100); /* 99 between them, and one behind */
	assert_non_null(strstr(dt_buf_z(&buf), "],\"hasMore\":true}"));
	dt_buf_done(&buf);
	check_reply("completion/complete", &values[100], DT_MCP_2025_11,
	            "{\"completion\":{\"values\":[\"v\"],"
	            "\"hasMore\":false}}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			text_and_pictures_are_the_same_in_every_revision),
		cmocka_unit_test(a_sound_is_text_for_those_who_know_none),
		cmocka_unit_test(a_link_is_its_uri_for_those_who_know_none),
		cmocka_unit_test(resources_hold_text_or_bytes),
		cmocka_unit_test(
			lists_name_resources_and_templates_by_their_own_members),
		cmocka_unit_test(a_prompt_is_messages_of_the_person),
		cmocka_unit_test(
			a_hundred_completions_are_told_and_that_there_are_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
