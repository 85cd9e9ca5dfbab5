/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_LIST_H
#define FIXTURE_LINUX_LIST_H

#include <linux/types.h>

struct list_head {
	struct list_head *next, *prev;
};

void list_add_tail(struct list_head *entry, struct list_head *head);
void list_del(struct list_head *entry);

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry_or_null(head, type, member) ({			\
	struct list_head *head__ = (head);				\
	struct list_head *pos__ = head__->next;				\
	pos__ != head__ ? list_entry(pos__, type, member) : NULL;	\
})
#define list_for_each_entry(pos, head, member)					\
	for (pos = list_entry((head)->next, __typeof__(*pos), member);		\
	     &pos->member != (head);						\
	     pos = list_entry(pos->member.next, __typeof__(*pos), member))

#endif
