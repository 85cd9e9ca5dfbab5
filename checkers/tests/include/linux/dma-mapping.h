/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_DMA_MAPPING_H
#define FIXTURE_LINUX_DMA_MAPPING_H

#include <linux/device.h>
#include <linux/err.h>
#include <linux/scatterlist.h>

enum dma_data_direction {
	DMA_BIDIRECTIONAL = 0,
	DMA_TO_DEVICE = 1,
	DMA_FROM_DEVICE = 2,
	DMA_NONE = 3,
};

#define DMA_MAPPING_ERROR (~(dma_addr_t)0)
#define DMA_ATTR_WEAK_ORDERING (1UL << 1)
#define DMA_ATTR_SKIP_CPU_SYNC (1UL << 5)
#define DMA_ATTR_MMIO (1UL << 10)

dma_addr_t dma_map_page_attrs(struct device *dev, struct page *page, size_t offset,
			      size_t size, enum dma_data_direction dir, unsigned long attrs);
void dma_unmap_page_attrs(struct device *dev, dma_addr_t addr, size_t size,
			  enum dma_data_direction dir, unsigned long attrs);
dma_addr_t dma_map_phys(struct device *dev, phys_addr_t phys, size_t size,
			enum dma_data_direction dir, unsigned long attrs);
void dma_unmap_phys(struct device *dev, dma_addr_t addr, size_t size,
		    enum dma_data_direction dir, unsigned long attrs);
unsigned int dma_map_sg_attrs(struct device *dev, struct scatterlist *sg, int nents,
			      enum dma_data_direction dir, unsigned long attrs);
void dma_unmap_sg_attrs(struct device *dev, struct scatterlist *sg, int nents,
			enum dma_data_direction dir, unsigned long attrs);
int dma_map_sgtable(struct device *dev, struct sg_table *sgt,
		    enum dma_data_direction dir, unsigned long attrs);
void dma_unmap_sgtable(struct device *dev, struct sg_table *sgt,
		       enum dma_data_direction dir, unsigned long attrs);
void *dma_alloc_coherent(struct device *dev, size_t size, dma_addr_t *handle, gfp_t gfp);
void dma_free_coherent(struct device *dev, size_t size, void *cpu, dma_addr_t handle);
void dma_sync_single_for_cpu(struct device *dev, dma_addr_t addr, size_t size,
			     enum dma_data_direction dir);
void dma_sync_single_for_device(struct device *dev, dma_addr_t addr, size_t size,
				enum dma_data_direction dir);
struct page *virt_to_page(const void *p);
phys_addr_t page_to_phys(struct page *page);
bool dma_need_unmap(struct device *dev);

static inline dma_addr_t dma_map_single_attrs(struct device *dev, void *ptr, size_t size,
					      enum dma_data_direction dir, unsigned long attrs)
{
	return dma_map_page_attrs(dev, virt_to_page(ptr),
				  (unsigned long)ptr & (PAGE_SIZE - 1), size, dir, attrs);
}

static inline void dma_unmap_single_attrs(struct device *dev, dma_addr_t addr, size_t size,
					  enum dma_data_direction dir, unsigned long attrs)
{
	dma_unmap_page_attrs(dev, addr, size, dir, attrs);
}

static inline int dma_mapping_error(struct device *dev, dma_addr_t addr)
{
	return unlikely(addr == DMA_MAPPING_ERROR) ? -ENOMEM : 0;
}

#define dma_map_single(d, a, s, r) dma_map_single_attrs(d, a, s, r, 0)
#define dma_unmap_single(d, a, s, r) dma_unmap_single_attrs(d, a, s, r, 0)
#define dma_map_page(d, p, o, s, r) dma_map_page_attrs(d, p, o, s, r, 0)
#define dma_unmap_page(d, a, s, r) dma_unmap_page_attrs(d, a, s, r, 0)
#define dma_map_sg(d, s, n, r) dma_map_sg_attrs(d, s, n, r, 0)
#define dma_unmap_sg(d, s, n, r) dma_unmap_sg_attrs(d, s, n, r, 0)

struct dma_iova_state {
	dma_addr_t addr;
	u64 __size;
};

static inline bool dma_use_iova(struct dma_iova_state *state)
{
	return state->__size != 0;
}

static inline size_t dma_iova_size(struct dma_iova_state *state)
{
	return state->__size & ~(1ULL << 63);
}

bool dma_iova_try_alloc(struct device *dev, struct dma_iova_state *state,
			phys_addr_t phys, size_t size);
void dma_iova_free(struct device *dev, struct dma_iova_state *state);
void dma_iova_destroy(struct device *dev, struct dma_iova_state *state, size_t mapped_len,
		      enum dma_data_direction dir, unsigned long attrs);
int dma_iova_sync(struct device *dev, struct dma_iova_state *state, size_t offset, size_t size);
int dma_iova_link(struct device *dev, struct dma_iova_state *state, phys_addr_t phys,
		  size_t offset, size_t size, enum dma_data_direction dir, unsigned long attrs);
void dma_iova_unlink(struct device *dev, struct dma_iova_state *state, size_t offset,
		     size_t size, enum dma_data_direction dir, unsigned long attrs);

#endif
