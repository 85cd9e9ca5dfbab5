/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The assertions as they expand with CONFIG_LOCKDEP (LOCKDEP_ON) and without,
 * before Linux 7.0 and since (LOCKDEP_CONTEXT: compiler context analysis).
 */
#ifndef FIXTURE_LINUX_LOCKDEP_H
#define FIXTURE_LINUX_LOCKDEP_H

#include <linux/bug.h>

struct lockdep_map {
	const char *name;
};

#ifdef LOCKDEP_CONTEXT
#define __assume_ctx_lock(var) do { (void)(var); } while (0)
#else
#define __assume_ctx_lock(var) do { } while (0)
#endif

#ifdef LOCKDEP_ON

extern int debug_locks;
int lock_is_held_type(const struct lockdep_map *map, int read);

#define lockdep_is_held(lock) lock_is_held_type(&(lock)->dep_map, -1)
#define lockdep_is_held_type(lock, r) lock_is_held_type(&(lock)->dep_map, (r))

#define lockdep_assert(cond) \
	do { WARN_ON(debug_locks && !(cond)); } while (0)
#define lockdep_assert_once(cond) \
	do { WARN_ON_ONCE(debug_locks && !(cond)); } while (0)
#define lockdep_assert_held(l) \
	do { lockdep_assert(lockdep_is_held(l) != 0); __assume_ctx_lock(l); } while (0)
#define lockdep_assert_not_held(l) lockdep_assert(lockdep_is_held(l) != 1)
#define lockdep_assert_held_write(l) \
	do { lockdep_assert(lockdep_is_held_type(l, 0)); __assume_ctx_lock(l); } while (0)
#define lockdep_assert_held_once(l) lockdep_assert_once(lockdep_is_held(l) != 0)

#else

#define lockdep_is_held(lock) 1
#define lockdep_assert(c) do { } while (0)
#define lockdep_assert_once(c) do { } while (0)
#ifdef LOCKDEP_CONTEXT
#define lockdep_assert_held(l) __assume_ctx_lock(l)
#define lockdep_assert_held_write(l) __assume_ctx_lock(l)
#else
#define lockdep_assert_held(l) do { (void)(l); } while (0)
#define lockdep_assert_held_write(l) do { (void)(l); } while (0)
#endif
#define lockdep_assert_not_held(l) do { (void)(l); } while (0)
#define lockdep_assert_held_once(l) do { (void)(l); } while (0)

#endif

struct raw_spinlock {
	struct lockdep_map dep_map;
	int locked;
};

typedef struct spinlock {
	struct raw_spinlock rlock;
	struct lockdep_map dep_map;
} spinlock_t;

struct mutex {
	struct lockdep_map dep_map;
};

struct rw_semaphore {
	struct lockdep_map dep_map;
};

int raw_spin_is_locked(const struct raw_spinlock *lock);
#define assert_raw_spin_locked(x) BUG_ON(!raw_spin_is_locked(x))
#define assert_spin_locked(lock) assert_raw_spin_locked(&(lock)->rlock)

void mutex_lock(struct mutex *lock);
void mutex_unlock(struct mutex *lock);

/* Like mmap_assert_write_locked(): a function, and no test of its argument. */
static inline void rwsem_assert_held_write(const struct rw_semaphore *sem)
{
	lockdep_assert_held_write(sem);
}

#endif
