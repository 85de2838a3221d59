#include "unit.h"

#include "base/clock.h"
#include "base/hmac.h"
#include "dialect/mcp.h"

#define ABOUT DT_STR("tools/call t 1 2")

static struct dt_agent agent = { .secret = DT_STR("a secret") };
static struct dt_request req;
static struct dt_mcp_turn turn = { .agent = &agent, .req = &req };

static int forget(void **state)
{
	(void)state;
	dt_arena_done(&req.arena);
	agent.secret = DT_STR("a secret");
	return 0;
}

static bool opens(const char *sealed)
{
	struct dt_str out;

	return dt_mcp_unseal(&turn, ABOUT, dt_str(sealed), &out);
}

/* Sealed with our own hands, to end at a time of our choice. */
static char *seal_until(int64_t end, const char *state)
{
	char *text = dt_arena_printf(&req.arena, "%s\n%lld\n%s", ABOUT.ptr,
	                             (long long)end, state);
	uint8_t mac[DT_HMAC_BYTES];
	char hex[2 * DT_HMAC_BYTES + 1];

	dt_hmac_sha256(agent.secret, dt_str(text), mac);
	dt_str_hex(mac, sizeof(mac), hex);
	return dt_arena_printf(&req.arena, "1:%lld:%s:%s", (long long)end, hex,
	                       state);
}

test(what_was_sealed_comes_back)
{
	static const char *const states[] = { "", "x", "a:b:c", "{\"a\":1}",
		                              "\xc3\xa4" };

	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		char *sealed = dt_mcp_seal(&turn, ABOUT, dt_str(states[i]));
		struct dt_str out = { 0 };

		assert_true(dt_mcp_unseal(&turn, ABOUT, dt_str(sealed), &out));
		assert_true(dt_str_is(out, states[i]));
	}
}

/* Every single byte counts. */
test(no_byte_of_it_can_be_changed)
{
	char *sealed = dt_mcp_seal(&turn, ABOUT, DT_STR("state"));

	for (size_t i = 0; sealed[i]; i++) {
		sealed[i] ^= 1;
		assert_false(opens(sealed));
		sealed[i] ^= 1;
	}
	assert_true(opens(sealed));
}

test(nothing_can_be_cut_off_or_put_behind_it)
{
	char *sealed = dt_mcp_seal(&turn, ABOUT, DT_STR("state"));
	struct dt_str text = dt_str(sealed);
	struct dt_str out;

	for (size_t len = 0; len < text.len; len++)
		assert_false(dt_mcp_unseal(
			&turn, ABOUT, (struct dt_str){ sealed, len }, &out));
	assert_false(opens(dt_arena_printf(&req.arena, "%sx", sealed)));
	/* A NUL ends what is printed, but not what came. */
	text.ptr = dt_arena_printf(&req.arena, "%s%cevil", sealed, 0);
	text.len += 5;
	assert_false(dt_mcp_unseal(&turn, ABOUT, text, &out));
}

test(it_fits_no_other_request)
{
	char *sealed = dt_mcp_seal(&turn, ABOUT, DT_STR("state"));
	struct dt_str out;

	assert_false(dt_mcp_unseal(&turn, DT_STR("tools/call u 1 2"),
	                           dt_str(sealed), &out));
	assert_false(dt_mcp_unseal(&turn, DT_STR("tools/call t 1 3"),
	                           dt_str(sealed), &out));
	assert_false(dt_mcp_unseal(&turn, DT_STR(""), dt_str(sealed), &out));
}

test(it_opens_with_no_other_secret)
{
	char *sealed = dt_mcp_seal(&turn, ABOUT, DT_STR("state"));

	agent.secret = DT_STR("another secret");
	assert_false(opens(sealed));
}

test(it_is_not_kept_for_ever)
{
	int64_t now = dt_clock_wall_ms();

	assert_true(opens(seal_until(now + 60000, "state")));
	assert_false(opens(seal_until(now - 1, "state")));
	assert_false(opens(seal_until(0, "state")));
}

test(what_is_none_of_ours_is_refused)
{
	static const char *const odd[] = {
		"",     "1",   "1:",      "1::",    "1:::",
		"2:::", ":::", "1:x:y:z", "1:-1::", "1:9999999999999999999::",
	};

	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
		assert_false(opens(odd[i]));
	assert_false(dt_mcp_unseal(&turn, ABOUT, (struct dt_str){ 0 },
	                           &(struct dt_str){ 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_was_sealed_comes_back, forget),
		cmocka_unit_test_teardown(no_byte_of_it_can_be_changed, forget),
		cmocka_unit_test_teardown(
			nothing_can_be_cut_off_or_put_behind_it, forget),
		cmocka_unit_test_teardown(it_fits_no_other_request, forget),
		cmocka_unit_test_teardown(it_opens_with_no_other_secret,
		                          forget),
		cmocka_unit_test_teardown(it_is_not_kept_for_ever, forget),
		cmocka_unit_test_teardown(what_is_none_of_ours_is_refused,
		                          forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
