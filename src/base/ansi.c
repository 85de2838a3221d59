/*
 * base/ansi.c - escape sequences by ECMA-48, as terminals read them.
 *
 * What a sequence means is for others.  Bytes from 0x80 on are text: in UTF-8
 * they are no controls.  A sequence is gathered in `pending` until it is whole,
 * so it may come in any pieces.
 */
#include "base/ansi.h"

#include "base/limits.h"

#define ESC 0x1b
#define BEL 0x07
#define CAN 0x18
#define SUB 0x1a
#define DEL 0x7f
#define NUMBER_MAX 9999

enum state {
	GROUND,
	ESCAPE,     /* after ESC, and what may be between it and its end */
	CSI,        /* after ESC [ */
	OSC,        /* after ESC ], until BEL or ESC \ */
	STRING,     /* after ESC P, X, ^ or _, until ESC \ */
	OSC_ESCAPE, /* an ESC in it */
	STRING_ESCAPE,
};

void dt_ansi_init(struct dt_ansi *ansi)
{
	ansi->state = GROUND;
	dt_buf_init(&ansi->pending, DT_LIMIT_SEQUENCE);
}

void dt_ansi_done(struct dt_ansi *ansi)
{
	dt_buf_done(&ansi->pending);
}

static bool is_text(char c)
{
	unsigned char byte = (unsigned char)c;

	return byte >= 0x20 && byte != DEL;
}

/* One handed out from `pending`; `tail` bytes of it are its end. */
static void hand_out(struct dt_ansi *ansi, enum dt_ansi_type type, size_t tail,
                     dt_ansi_fn *fn, void *owner)
{
	struct dt_str bytes = dt_buf_str(&ansi->pending);
	struct dt_ansi_token token = { .type = type, .bytes = bytes };

	token.final = bytes.ptr[bytes.len - 1];
	if (type == DT_ANSI_CSI || type == DT_ANSI_OSC)
		token.params =
			(struct dt_str){ bytes.ptr + 2, bytes.len - 2 - tail };
	ansi->state = GROUND;
	fn(&token, owner);
	dt_buf_clear(&ansi->pending);
}

static void hand_out_control(char c, dt_ansi_fn *fn, void *owner)
{
	struct dt_ansi_token token = {
		.type = DT_ANSI_CONTROL,
		.bytes = { &c, 1 },
		.final = c,
	};

	fn(&token, owner);
}

static int state_behind(char c)
{
	switch (c) {
	case '[':
		return CSI;
	case ']':
		return OSC;
	case 'P':
	case 'X':
	case '^':
	case '_':
		return STRING;
	default:
		return ESCAPE;
	}
}

/* The next byte of a sequence by which nothing is executed on the way. */
static void take(struct dt_ansi *ansi, char c, dt_ansi_fn *fn, void *owner)
{
	bool is_final = c >= 0x30 && c <= 0x7e;

	switch ((enum state)ansi->state) {
	case ESCAPE:
		if (ansi->pending.len == 2)
			ansi->state = state_behind(c);
		if (ansi->state == ESCAPE && is_final)
			hand_out(ansi, DT_ANSI_OTHER, 0, fn, owner);
		break;
	case CSI:
		if (c >= 0x40 && c <= 0x7e)
			hand_out(ansi, DT_ANSI_CSI, 1, fn, owner);
		break;
	case OSC:
		if (c == BEL)
			hand_out(ansi, DT_ANSI_OSC, 1, fn, owner);
		else if (c == ESC)
			ansi->state = OSC_ESCAPE;
		break;
	case STRING:
		if (c == ESC)
			ansi->state = STRING_ESCAPE;
		break;
	case OSC_ESCAPE:
		if (c == '\\')
			hand_out(ansi, DT_ANSI_OSC, 2, fn, owner);
		else
			ansi->state = OSC;
		break;
	case STRING_ESCAPE:
		if (c == '\\')
			hand_out(ansi, DT_ANSI_OTHER, 0, fn, owner);
		else
			ansi->state = STRING;
		break;
	case GROUND:
		break;
	}
}

static void begin(struct dt_ansi *ansi)
{
	dt_buf_clear(&ansi->pending);
	dt_buf_add_char(&ansi->pending, ESC);
	ansi->state = ESCAPE;
}

/* A byte inside of a sequence: ended, begun anew, interrupted or gone on with. */
static void step(struct dt_ansi *ansi, char c, dt_ansi_fn *fn, void *owner)
{
	bool is_string = ansi->state != ESCAPE && ansi->state != CSI;
	bool is_full = ansi->pending.len == ansi->pending.limit;

	if (c == CAN || c == SUB || is_full) {
		ansi->state = GROUND;
	} else if (c == ESC && !is_string) {
		begin(ansi);
	} else if (!is_string && !is_text(c)) {
		hand_out_control(c, fn, owner);
	} else {
		dt_buf_add_char(&ansi->pending, c);
		take(ansi, c, fn, owner);
	}
}

void dt_ansi_feed(struct dt_ansi *ansi, struct dt_str bytes, dt_ansi_fn *fn,
                  void *owner)
{
	const char *at = bytes.ptr;
	const char *end = bytes.ptr + bytes.len;

	while (at < end) {
		const char *from = at;
		struct dt_ansi_token token = { .type = DT_ANSI_TEXT };

		if (ansi->state != GROUND) {
			step(ansi, *at++, fn, owner);
			continue;
		}
		while (at < end && is_text(*at))
			at++;
		token.bytes = (struct dt_str){ from, (size_t)(at - from) };
		if (token.bytes.len > 0)
			fn(&token, owner);
		else if (*at++ == ESC)
			begin(ansi);
		else
			hand_out_control(*from, fn, owner);
	}
}

unsigned dt_ansi_number(const struct dt_ansi_token *token, size_t index,
                        unsigned otherwise)
{
	struct dt_str rest = token->params;
	struct dt_str number = { 0 };
	uint32_t value;

	/* Private ones have a mark in front. */
	if (rest.len > 0 && strchr("<=>?", rest.ptr[0])) {
		rest.ptr++;
		rest.len--;
	}
	for (size_t i = 0; i <= index; i++)
		number = dt_str_cut(&rest, ';');
	if (dt_str_to_u32(number, &value, NULL))
		return otherwise;
	return value < NUMBER_MAX ? value : NUMBER_MAX;
}
