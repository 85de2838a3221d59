/*
 * tool/mime.c - the few media types that make a difference to a client.
 *
 * Source code is text/plain, whatever its language: its types are names nobody
 * agrees on, and a client that shows text knows the language by the name.
 */
#include "tool/mime.h"

#include "base/path.h"
#include "base/utf8.h"

struct type {
	const char *end;
	const char *mime;
};

static const struct type types[] = {
	{ ".css", "text/css" },           { ".csv", "text/csv" },
	{ ".gif", "image/gif" },          { ".htm", "text/html" },
	{ ".html", "text/html" },         { ".ico", "image/x-icon" },
	{ ".ipynb", "application/json" }, { ".jpeg", "image/jpeg" },
	{ ".jpg", "image/jpeg" },         { ".js", "text/javascript" },
	{ ".json", "application/json" },  { ".markdown", "text/markdown" },
	{ ".md", "text/markdown" },       { ".mjs", "text/javascript" },
	{ ".mp3", "audio/mpeg" },         { ".mp4", "video/mp4" },
	{ ".pdf", "application/pdf" },    { ".png", "image/png" },
	{ ".svg", "image/svg+xml" },      { ".wav", "audio/wav" },
	{ ".webp", "image/webp" },        { ".xml", "application/xml" },
	{ ".yaml", "application/yaml" },  { ".yml", "application/yaml" },
	{ ".zip", "application/zip" },
};

const char *dt_mime_of(const char *path, bool is_text)
{
	const char *end = strrchr(dt_path_base(path), '.');

	for (size_t i = 0; end && i < sizeof(types) / sizeof(types[0]); i++) {
		if (dt_str_eq_nocase(dt_str(end), dt_str(types[i].end)))
			return types[i].mime;
	}
	return is_text ? "text/plain" : "application/octet-stream";
}

bool dt_mime_is_text(struct dt_str bytes)
{
	return bytes.len == 0 ||
	       (!memchr(bytes.ptr, '\0', bytes.len) && dt_utf8_is_valid(bytes));
}
