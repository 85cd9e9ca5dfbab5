/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_CLEANUP_H
#define FIXTURE_LINUX_CLEANUP_H

#include <linux/types.h>

#define __cleanup(func) __attribute__((__cleanup__(func)))

#define DEFINE_FREE(_name, _type, _free) \
	static inline void __free_##_name(void *p) { _type _T = *(_type *)p; _free; }
#define __free(_name) __cleanup(__free_##_name)

#define no_free_ptr(p) ({			\
	__typeof__(p) *__ptr = &(p);		\
	__typeof__(p) __val = *__ptr;		\
	*__ptr = NULL;				\
	__val;					\
})
#define return_ptr(p) return no_free_ptr(p)

#define DEFINE_GUARD(_name, _type, _lock, _unlock)				\
	typedef _type class_##_name##_t;					\
	static inline void class_##_name##_destructor(_type *p)		\
	{ _type _T = *p; if (_T) { _unlock; } }				\
	static inline _type class_##_name##_constructor(_type _T)		\
	{ _lock; return _T; }

#define __guard_var2(line) guard_##line
#define __guard_var(line) __guard_var2(line)
#define CLASS(_name, var)						\
	class_##_name##_t var __cleanup(class_##_name##_destructor) =	\
		class_##_name##_constructor
#define guard(_name) CLASS(_name, __guard_var(__LINE__))

#endif
