/*
 * hub/control_card.c - commands that wait for a person, and programs that are
 * allowed from now on.
 *
 * Both are for persons: an agent could allow itself whatever it wants to run.
 */
#include "hub/control.h"

#include "hub/policy.h"

static void put_str(struct dt_json_out *out, const char *key, const char *value)
{
	if (!value)
		return;
	dt_json_key(out, key);
	dt_json_put_z(out, value);
}

void dt_control_put_card(struct dt_json_out *out, const struct dt_card *card)
{
	if (!card->command)
		return;
	put_str(out, "command", card->command);
	put_str(out, "folder", card->folder);
	put_str(out, "program", card->program);
	dt_json_key(out, "timeoutMs");
	dt_json_put_int(out, card->timeout_ms);
}

struct dt_card dt_control_card_of(const struct dt_review_record *r)
{
	return (struct dt_card){
		.command = r->command,
		.folder = r->folder,
		.timeout_ms = (uint32_t)r->timeout_ms,
	};
}

enum dt_err dt_control_allow_card(struct dt_hub *hub, const struct dt_review *r,
                                  const struct dt_verdict *verdict,
                                  struct dt_fail *fail)
{
	const char *program[] = { r->card.program };
	struct dt_names names = { .ptr = program, .count = 1 };
	enum dt_err err;

	if (!r->card.program || verdict->outcome != DT_ACCEPTED)
		return dt_fail(fail, DT_E_ARGS,
		               "review %.8s can only be decided this once: it "
		               "is not a program that could be allowed from "
		               "now on",
		               r->id);
	if (r->state != DT_REVIEW_WAITING)
		return dt_fail(fail, DT_E_STATE, "review %.8s is %s already",
		               r->id, dt_review_verdict_name(r->state));
	err = dt_policy_write(hub->dirs.conf, &names, false, fail);
	if (!err)
		dt_hub_reload(hub);
	return err;
}

/* policy/allow */

struct allow_args {
	struct dt_names names;
	bool is_removal;
};
static const struct dt_field allow_fields[] = {
	DT_FIELD(struct allow_args, names, NAMES, DT_REQ, "Programs."),
	DT_FIELD_AS("isRemoval", struct allow_args, is_removal, BOOL, 0,
	            "They are asked about from now on."),
	DT_FIELD_END,
};

static void allow(struct dt_client *client, struct dt_request *req,
                  const void *args)
{
	const struct allow_args *wanted = args;
	struct dt_fail fail = { 0 };
	struct dt_json_out *out;

	if (dt_policy_write(client->hub->dirs.conf, &wanted->names,
	                    wanted->is_removal, &fail)) {
		dt_request_fail_with(req, &fail);
		return;
	}
	dt_hub_reload(client->hub);
	out = dt_request_begin(req);
	dt_json_begin_object(out);
	put_str(out, "allow", dt_config_get(client->hub->config, "run.allow"));
	dt_json_end_object(out);
	dt_request_end(req);
}

const struct dt_method dt_methods_card[] = {
	{ "policy/allow", DT_SHAPE(struct allow_args, allow_fields), allow,
	  .persons = "say what agents may run" },
	{ .name = NULL },
};
