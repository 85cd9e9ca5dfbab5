/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_BUG_H
#define FIXTURE_LINUX_BUG_H

#include <linux/types.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, val) do { *(volatile __typeof__(x) *)&(x) = (val); } while (0)

void __warn(const char *file, int line);
void __bug(void) __attribute__((noreturn));

#define WARN_ON(condition) ({				\
	int __ret_warn_on = !!(condition);		\
	if (unlikely(__ret_warn_on))			\
		__warn(__FILE__, __LINE__);		\
	unlikely(__ret_warn_on);			\
})

#define WARN_ON_ONCE(condition) ({			\
	static bool __already_done;			\
	int __ret_do_once = !!(condition);		\
	if (unlikely(__ret_do_once && !__already_done)) {	\
		__already_done = true;			\
		__warn(__FILE__, __LINE__);		\
	}						\
	unlikely(__ret_do_once);			\
})

#define BUG_ON(condition) do { if (unlikely(condition)) __bug(); } while (0)

#endif
