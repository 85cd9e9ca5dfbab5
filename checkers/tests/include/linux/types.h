/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The headers in this folder stand in for the kernel's, for the fixtures only:
 * small, and of the same shape where a check looks at it.
 */
#ifndef FIXTURE_LINUX_TYPES_H
#define FIXTURE_LINUX_TYPES_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef u64 __be64;
typedef u16 __le16;
typedef __SIZE_TYPE__ size_t;
typedef unsigned int gfp_t;
typedef u64 dma_addr_t;
typedef u64 phys_addr_t;
typedef _Bool bool;

enum { false, true };

#define NULL ((void *)0)
#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define UINT_MAX (~0U)

#define GFP_KERNEL 0x1u
#define __GFP_ZERO 0x2u

#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define ENODEV 19
#define EINVAL 22
#define EIO 5
#define EOPNOTSUPP 95

u64 be64_to_cpu(__be64 v);
__be64 cpu_to_be64(u64 v);
#define cpu_to_le16(v) ((__le16)(u16)(v))
#define le16_to_cpu(v) ((u16)(__le16)(v))

#define offsetof(type, member) __builtin_offsetof(type, member)
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define min(a, b) ({ __typeof__(a) __a = (a); __typeof__(a) __b = (b); __a < __b ? __a : __b; })

#endif
