/*
 * wire/http1_write.c - HTTP/1.1 messages put together.
 *
 * Which headers an answer has is link/'s.  Nothing that is written here can end
 * a line before its time: callers clean what came from outside.
 */
#include "wire/http1.h"

#include "wire/http1_chars.h"

#include <assert.h>

static const struct {
	unsigned status;
	const char *text;
} reasons[] = {
	{ 100, "Continue" },
	{ 101, "Switching Protocols" },
	{ 200, "OK" },
	{ 202, "Accepted" },
	{ 204, "No Content" },
	{ 304, "Not Modified" },
	{ 400, "Bad Request" },
	{ 401, "Unauthorized" },
	{ 403, "Forbidden" },
	{ 404, "Not Found" },
	{ 405, "Method Not Allowed" },
	{ 406, "Not Acceptable" },
	{ 408, "Request Timeout" },
	{ 409, "Conflict" },
	{ 411, "Length Required" },
	{ 413, "Content Too Large" },
	{ 414, "URI Too Long" },
	{ 415, "Unsupported Media Type" },
	{ 417, "Expectation Failed" },
	{ 421, "Misdirected Request" },
	{ 426, "Upgrade Required" },
	{ 429, "Too Many Requests" },
	{ 431, "Request Header Fields Too Large" },
	{ 500, "Internal Server Error" },
	{ 501, "Not Implemented" },
	{ 503, "Service Unavailable" },
	{ 505, "HTTP Version Not Supported" },
};

static bool is_clean(struct dt_str s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!dt_http_is_text(s.ptr[i]))
			return false;
	}
	return true;
}

static void end_line(struct dt_buf *out)
{
	dt_buf_add(out, "\r\n", 2);
}

void dt_http_write_status(struct dt_buf *out, unsigned status)
{
	assert(status >= 100 && status <= 599);
	dt_buf_addf(out, "HTTP/1.1 %u %s\r\n", status, dt_http_reason(status));
}

void dt_http_write_request(struct dt_buf *out, const char *method,
                           const char *target)
{
	assert(is_clean(dt_str(method)) && !strchr(method, ' '));
	assert(is_clean(dt_str(target)) && !strchr(target, ' '));
	dt_buf_add_z(out, method);
	dt_buf_add_char(out, ' ');
	dt_buf_add_z(out, target);
	dt_buf_add_z(out, " HTTP/1.1\r\n");
}

void dt_http_write_header(struct dt_buf *out, const char *name,
                          struct dt_str value)
{
	assert(is_clean(dt_str(name)) && is_clean(value));
	dt_buf_add_z(out, name);
	dt_buf_add(out, ": ", 2);
	dt_buf_add_str(out, value);
	end_line(out);
}

void dt_http_write_length(struct dt_buf *out, size_t length)
{
	dt_buf_addf(out, "Content-Length: %zu\r\n", length);
}

void dt_http_write_end(struct dt_buf *out)
{
	end_line(out);
}

void dt_http_write_chunk(struct dt_buf *out, struct dt_str bytes)
{
	/* An empty chunk would be the last one. */
	if (bytes.len == 0)
		return;
	dt_buf_addf(out, "%zx\r\n", bytes.len);
	dt_buf_add_str(out, bytes);
	end_line(out);
}

void dt_http_write_last_chunk(struct dt_buf *out)
{
	dt_buf_add_z(out, "0\r\n\r\n");
}

const char *dt_http_reason(unsigned status)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (reasons[i].status == status)
			return reasons[i].text;
	}
	return "Unknown";
}
