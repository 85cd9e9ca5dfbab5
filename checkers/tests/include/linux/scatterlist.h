/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef FIXTURE_LINUX_SCATTERLIST_H
#define FIXTURE_LINUX_SCATTERLIST_H

#include <linux/types.h>

struct page;

struct scatterlist {
	unsigned long page_link;
	unsigned int offset;
	unsigned int length;
	dma_addr_t dma_address;
	unsigned int dma_length;
};

struct sg_table {
	struct scatterlist *sgl;
	unsigned int nents;
	unsigned int orig_nents;
};

#define sg_dma_address(sg) ((sg)->dma_address)
#define sg_dma_len(sg) ((sg)->dma_length)

struct scatterlist *sg_next(struct scatterlist *sg);
struct page *sg_page(struct scatterlist *sg);
void sg_set_page(struct scatterlist *sg, struct page *page, unsigned int len, unsigned int off);
int sg_alloc_table(struct sg_table *table, unsigned int nents, gfp_t gfp);
void sg_free_table(struct sg_table *table);

#define for_each_sg(sglist, sg, nr, __i) \
	for (__i = 0, sg = (sglist); __i < (nr); __i++, sg = sg_next(sg))
#define for_each_sgtable_sg(sgt, sg, i) \
	for_each_sg((sgt)->sgl, sg, (sgt)->orig_nents, i)
#define for_each_sgtable_dma_sg(sgt, sg, i) \
	for_each_sg((sgt)->sgl, sg, (sgt)->nents, i)

#endif
