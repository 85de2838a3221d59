/* rpc/envelope.h - what one JSON-RPC 2.0 message says it is. */
#ifndef DT_RPC_ENVELOPE_H
#define DT_RPC_ENVELOPE_H

#include "data/json.h"

#include <stdbool.h>

/* The members of one message, each NULL when absent. */
struct dt_envelope {
	const struct dt_json *version;
	const struct dt_json *id;
	const struct dt_json *method;
	const struct dt_json *params;
	const struct dt_json *result;
	const struct dt_json *error;
	/* Set by the reader: `params` that are null count as absent. */
	bool takes_null_params;
};

/*
 * The sentence that says what is wrong with a message, or NULL.  What could be
 * read of it is in the envelope, zeroed before, either way: with `method` and `id` it is
 * a request, with `method` alone a notification, else an answer.
 */
const char *dt_envelope_read(const struct dt_json *json,
                             struct dt_envelope *out_env);

/* The id as it came, of what may be answered; ptr NULL: there is none. */
struct dt_str dt_envelope_id(const struct dt_envelope *env);
bool dt_envelope_is_answer(const struct dt_envelope *env);

#endif
