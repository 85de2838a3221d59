/*
 * wire/tty.c - any bytes in a line: a backslash stands before an 'n' for LF, an
 * 'r' for CR, and itself.
 */
#include "wire/tty.h"

void dt_tty_write(struct dt_buf *out, enum dt_tty_type type,
                  struct dt_str bytes)
{
	dt_buf_add_char(out, (char)type);
	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.ptr[i];

		if (c == '\n' || c == '\r' || c == '\\')
			dt_buf_add_char(out, '\\');
		if (c == '\n')
			c = 'n';
		else if (c == '\r')
			c = 'r';
		dt_buf_add_char(out, c);
	}
}

static enum dt_err read_escaped(char c, struct dt_buf *out,
                                struct dt_fail *fail)
{
	switch (c) {
	case 'n':
		dt_buf_add_char(out, '\n');
		return DT_E_OK;
	case 'r':
		dt_buf_add_char(out, '\r');
		return DT_E_OK;
	case '\\':
		dt_buf_add_char(out, '\\');
		return DT_E_OK;
	default:
		return dt_fail(fail, DT_E_PROTO,
		               "what stands behind a "
		               "backslash is not known");
	}
}

enum dt_err dt_tty_read(struct dt_str line, enum dt_tty_type *out_type,
                        struct dt_buf *out, struct dt_fail *fail)
{
	enum dt_err err = DT_E_OK;

	if (line.len == 0 || !line.ptr[0] || !strchr("oeis", line.ptr[0]))
		return dt_fail(fail, DT_E_PROTO, "no line of a terminal");
	*out_type = (enum dt_tty_type)line.ptr[0];
	for (size_t i = 1; i < line.len && !err; i++) {
		if (line.ptr[i] != '\\')
			dt_buf_add_char(out, line.ptr[i]);
		else
			err = read_escaped(++i < line.len ? line.ptr[i] : '\0',
			                   out, fail);
	}
	return err ? err : dt_buf_check(out, "a terminal's line", fail);
}

enum dt_err dt_tty_read_size(struct dt_str bytes, unsigned *out_rows,
                             unsigned *out_columns, struct dt_fail *fail)
{
	struct dt_str rows = dt_str_cut(&bytes, ' ');
	uint32_t row_count;
	uint32_t column_count;

	if (dt_str_to_u32(rows, &row_count, NULL) ||
	    dt_str_to_u32(bytes, &column_count, NULL))
		return dt_fail(fail, DT_E_PROTO, "a size is two numbers");
	*out_rows = row_count;
	*out_columns = column_count;
	return DT_E_OK;
}
