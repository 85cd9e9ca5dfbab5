/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_DMA_BUF_H
#define FIXTURE_LINUX_DMA_BUF_H

#include <linux/dma-mapping.h>
#include <linux/list.h>
#include <linux/lockdep.h>

struct ww_mutex {
	struct mutex base;
};

struct dma_resv {
	struct ww_mutex lock;
};

#define dma_resv_held(obj) lockdep_is_held(&(obj)->lock.base)
#define dma_resv_assert_held(obj) lockdep_assert_held(&(obj)->lock.base)

struct dma_buf {
	struct dma_resv *resv;
	struct list_head attachments;
	void *priv;
	size_t size;
};

struct dma_buf_attachment {
	struct dma_buf *dmabuf;
	struct device *dev;
	struct list_head node;
	struct sg_table *sgt;
	void *priv;
};

struct phys_vec {
	phys_addr_t paddr;
	size_t len;
};

#endif
