/* Lists: order, removal, and removal while walking. */
#include "unit.h"

#include "base/list.h"
#include "base/str.h"

#include <stdlib.h>

struct item {
	int value;
	struct dt_list link;
};

static struct item *add(struct dt_list *head, int value)
{
	struct item *item = dt_alloc(sizeof(*item));

	item->value = value;
	dt_list_append(head, &item->link);
	return item;
}

/* The values as digits of one number. */
static int digits(struct dt_list *head)
{
	int all = 0;

	dt_list_each(item, head, struct item, link)
		all = all * 10 + item->value;
	return all;
}

test(an_empty_list_has_no_members)
{
	struct dt_list head;

	dt_list_init(&head);
	assert_true(dt_list_is_empty(&head));
	assert_int_equal(digits(&head), 0);
}

test(members_stand_in_the_order_they_came)
{
	struct dt_list head;

	dt_list_init(&head);
	add(&head, 1);
	add(&head, 2);
	add(&head, 3);
	assert_false(dt_list_is_empty(&head));
	assert_int_equal(digits(&head), 123);
	dt_list_each(item, &head, struct item, link)
		free(item);
}

test(removing_twice_is_removing_once)
{
	struct dt_list head;
	struct item *one;
	struct item *two;

	dt_list_init(&head);
	one = add(&head, 1);
	two = add(&head, 2);
	dt_list_remove(&one->link);
	dt_list_remove(&one->link);
	assert_int_equal(digits(&head), 2);
	assert_true(dt_list_is_empty(&one->link));
	dt_list_append(&head, &one->link);
	assert_int_equal(digits(&head), 21);
	dt_list_remove(&two->link);
	dt_list_remove(&one->link);
	assert_true(dt_list_is_empty(&head));
	free(one);
	free(two);
}

test(the_current_member_may_be_removed_and_freed)
{
	struct dt_list head;

	dt_list_init(&head);
	for (int i = 1; i <= 6; i++)
		add(&head, i);
	dt_list_each(item, &head, struct item, link) {
		if (item->value % 2)
			continue;
		dt_list_remove(&item->link);
		free(item);
	}
	assert_int_equal(digits(&head), 135);
	dt_list_each(item, &head, struct item, link) {
		dt_list_remove(&item->link);
		free(item);
	}
	assert_true(dt_list_is_empty(&head));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_list_has_no_members),
		cmocka_unit_test(members_stand_in_the_order_they_came),
		cmocka_unit_test(removing_twice_is_removing_once),
		cmocka_unit_test(the_current_member_may_be_removed_and_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
