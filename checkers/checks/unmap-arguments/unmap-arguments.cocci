// SPDX-License-Identifier: GPL-2.0-only
///
/// An unmap must be given what the map was given: direction, size, and for a
/// scatterlist the number of entries that was mapped, not the one returned.
///
// Confidence: Moderate
// Comments: Within one function. Sizes are compared if they are of the form
// Comments: sizeof(x) and sizeof(*x), or constants.
// Options: --no-includes --include-headers
// Keywords: dma_unmap_ dma_free_ dma_pool_free dma_sync_

virtual report

@returned exists@
expression D, sg, nents, dir, n, E;
identifier map =~ "^(ib_)?dma_map_sg$";
identifier unmap =~ "^(ib_)?dma_unmap_sg$";
position p;
@@

 n = map(D, sg, nents, dir)
 ... when != n = E
 unmap@p(D, sg, n, dir)

@script:python depends on report@
p << returned.p;
n << returned.n;
nents << returned.nents;
@@

if nents != "1":
    coccilib.report.print_report(p[0], "dma_unmap_sg() is given " + n + ", which is what dma_map_sg() returned")

@direction exists@
expression D, A, size, size2, h, E;
constant c1, c2;
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
position p;
@@

(
 h = map(D, A, size, c1, ...)
|
 h = map(D, A, E, size, c1, ...)
)
 ... when != h = E
 unmap@p(D, h, size2, c2, ...)

@script:python depends on report@
p << direction.p;
c1 << direction.c1;
c2 << direction.c2;
unmap << direction.unmap;
@@

if c1 != c2 and c1.startswith("DMA_") and c2.startswith("DMA_"):
    coccilib.report.print_report(p[0], "the direction of %s() is %s, but that of the map is %s" % (unmap, c2, c1))

@behind exists@
expression D, A, h, dir, E;
identifier x;
identifier map =~ "^(ib_)?dma_map_(single|phys|resource)(_attrs)?$";
identifier unmap =~ "^(ib_)?dma_unmap_(single|phys|resource)(_attrs)?$";
position p;
@@

 h = map(D, A, sizeof(*x), dir, ...)
 ... when != h = E
 unmap@p(D, h, sizeof(x), dir, ...)

@script:python depends on report@
p << behind.p;
x << behind.x;
unmap << behind.unmap;
@@

coccilib.report.print_report(p[0], "the size of %s() is that of %s, but what was mapped is what it points to" % (unmap, x))
