/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_SLAB_H
#define FIXTURE_LINUX_SLAB_H

#include <linux/cleanup.h>
#include <linux/err.h>

void *kmalloc_noprof(size_t size, gfp_t flags);
void *kcalloc_noprof(size_t n, size_t size, gfp_t flags);
void kfree(const void *p);
void kvfree(const void *p);
void *memset(void *s, int c, size_t n);

/* Allocations are profiled behind a statement expression, as since 6.10. */
#define alloc_hooks(call) ({ __typeof__(call) _res; _res = call; _res; })
#define kmalloc(size, flags) alloc_hooks(kmalloc_noprof(size, flags))
#define kzalloc(size, flags) kmalloc(size, (flags) | __GFP_ZERO)
#define kcalloc(n, size, flags) alloc_hooks(kcalloc_noprof(n, size, flags))
#define kzalloc_obj(obj) ((__typeof__(obj) *)kzalloc(sizeof(obj), GFP_KERNEL))

DEFINE_FREE(kfree, void *, if (!IS_ERR_OR_NULL(_T)) kfree(_T))

#endif
