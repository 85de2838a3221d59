/* test/unit/store/test_audit.c - twin of src/store/audit.c */
#include "store/audit.h"

#include "store/fixture.h"

/* What a list gave: "ID kind path at bytes/lines/times denied|" for each, the id
 * cut to two digits. */
struct look {
	struct fixture *f;
	char text[512];
};

static void on_list(struct dt_store *store,
                    const struct dt_audit_record *audits, size_t count,
                    const struct dt_fail *fail, void *owner)
{
	struct look *look = owner;
	size_t len = 0;

	on_done(store, fail, look->f);
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(
			look->text + len, sizeof(look->text) - len,
			"%.2s %s %s %d %d/%d/%d %s|", audits[i].id,
			dt_audit_kind_names[audits[i].kind], audits[i].path,
			(int)audits[i].at_ms, (int)audits[i].bytes,
			(int)audits[i].lines, (int)audits[i].times,
			audits[i].denied ? audits[i].denied : "-");
}

static void expect_list(struct fixture *f, struct dt_audit_filter filter,
                        const char *text)
{
	struct look look = { .f = f };

	dt_store_list_audits(f->store, &filter, on_list, &look);
	settle(f);
	assert_string_equal(f->fail.msg, "");
	assert_string_equal(look.text, text);
}

static void put_audit(struct fixture *f, const char *id,
                      enum dt_audit_kind kind, int64_t at_ms, int64_t bytes,
                      const char *denied)
{
	struct dt_audit_record audit = {
		.id = id,
		.workspace = "w",
		.root = "/w",
		.session = ID_C,
		.agent = "one",
		.kind = kind,
		.path = "/w/a",
		.at_ms = at_ms,
		.bytes = bytes,
		.lines = 1,
		.times = bytes,
		.denied = denied,
	};

	dt_store_put_audit(f->store, &audit, on_done, f);
	settle(f);
	assert_string_equal(f->fail.msg, "");
}

#define ALL ((struct dt_audit_filter){ 0 })

test(lines_are_listed_the_latest_first)
{
	struct fixture f;

	begin(&f);
	expect_list(&f, ALL, "");
	put_audit(&f, ID_A, DT_AUDIT_SELECTION, 10, 5, NULL);
	put_audit(&f, ID_B, DT_AUDIT_FILE, 20, 0, "no");
	put_audit(&f, ID_C, DT_AUDIT_MENTION, 20, 1, NULL);
	expect_list(&f, ALL,
	            "b0 mention /w/a 20 1/1/1 -|a1 file /w/a 20 0/1/0 no|"
	            "a0 selection /w/a 10 5/1/5 -|");
	expect_list(&f, (struct dt_audit_filter){ .limit = 1 },
	            "b0 mention /w/a 20 1/1/1 -|");
	expect_list(&f, (struct dt_audit_filter){ .since_ms = 20, .limit = 9 },
	            "b0 mention /w/a 20 1/1/1 -|a1 file /w/a 20 0/1/0 no|");
	expect_list(&f, (struct dt_audit_filter){ .since_ms = 21 }, "");
	end(&f);
}

test(a_known_line_is_brought_up_to_date)
{
	struct fixture f;

	begin(&f);
	put_audit(&f, ID_A, DT_AUDIT_SELECTION, 10, 5, NULL);
	put_audit(&f, ID_A, DT_AUDIT_SELECTION, 11, 7, NULL);
	expect_list(&f, ALL, "a0 selection /w/a 10 7/1/7 -|");
	end(&f);
}

test(a_kind_of_a_later_version_is_a_file)
{
	struct fixture f;

	begin(&f);
	put_audit(&f, ID_A, DT_AUDIT_SELECTION, 10, 5, NULL);
	tamper(f.path, "UPDATE audit SET kind = 99");
	expect_list(&f, ALL, "a0 file /w/a 10 5/1/5 -|");
	tamper(f.path, "UPDATE audit SET kind = -1");
	expect_list(&f, ALL, "a0 file /w/a 10 5/1/5 -|");
	end(&f);
}

test(what_is_old_or_too_much_is_forgotten)
{
	struct fixture f;

	begin(&f);
	put_audit(&f, ID_A, DT_AUDIT_SELECTION, 10, 5, NULL);
	put_audit(&f, ID_B, DT_AUDIT_SELECTION, 20, 5, NULL);
	put_audit(&f, ID_C, DT_AUDIT_SELECTION, 21, 5, NULL);
	dt_store_prune(f.store, 20, on_done, &f);
	settle(&f);
	assert_string_equal(f.fail.msg, "");
	expect_list(&f, ALL,
	            "b0 selection /w/a 21 5/1/5 -|a1 selection /w/a 20 5/1/5 "
	            "-|");
	/* As if 100000 had come in between. */
	tamper(f.path, "UPDATE audit SET number = 100002 WHERE at_ms = 21");
	dt_store_prune(f.store, 0, on_done, &f);
	settle(&f);
	expect_list(&f, ALL, "b0 selection /w/a 21 5/1/5 -|");
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_listed_the_latest_first),
		cmocka_unit_test(a_known_line_is_brought_up_to_date),
		cmocka_unit_test(a_kind_of_a_later_version_is_a_file),
		cmocka_unit_test(what_is_old_or_too_much_is_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
