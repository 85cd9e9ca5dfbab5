// SPDX-License-Identifier: GPL-2.0-only
///
/// A loop that maps entries is left early, and what follows unmaps entries
/// that were never mapped: all of the table, or the one that failed.
///
// Confidence: Moderate
// Options: --no-includes --include-headers
// Keywords: dma_unmap_

virtual report

@initialize:python@
@@

reported = set()

def print_pair(map, m, unmap, u, message):
    def kind(name):
        return name.replace("_attrs", "").replace("unmap_", "map_")
    place = (u[0].file, u[0].line, u[0].column)
    if kind(map) == kind(unmap) and place not in reported:
        reported.add(place)
        coccilib.report.print_report(u[0], message % (unmap, map + "() on line " + m[0].line))

// A function that puts an address into a scatterlist entry.

@filler@
identifier fill, addr;
expression sg;
type T;
@@

 fill(..., T addr, ...) {
 <+...
 sg_dma_address(sg) = addr
 ...+>
 }

// A loop that maps, up to a bound.

@mapping@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
expression i, N, handle;
position m;
@@

 for (...; i < N; ...) {
 <+...
 handle = map@m(...)
 ...+>
 }

// The scatterlist's own iterator goes over every entry there is. Ways to it
// by the front door pass the test of the bound.

@filled exists@
identifier filler.fill;
expression mapping.handle, sg;
position mapping.m;
identifier mapping.map;
@@

 handle = map@m(...)
 ...
(
 fill(..., handle, ...)
|
 sg_dma_address(sg) = handle
)

@table exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
iterator each =~ "^for_each_sgtable_";
iterator name for_each_sg;
identifier sg;
expression mapping.i, mapping.N, mapping.handle, D, T, j;
identifier mapping.map;
position mapping.m, u;
@@

 handle = map@m(...)
 ... when != i < N
(
 each(..., sg, ...) {
 ... when != if (...) { ... }
 unmap@u(D, sg_dma_address(sg), ...)
 ...
 }
|
 for_each_sg(..., sg, \(N\|T.nents\|T->nents\|T.orig_nents\|T->orig_nents\), j) {
 ... when != if (...) { ... }
 unmap@u(D, sg_dma_address(sg), ...)
 ...
 }
)

@script:python depends on report && filled@
map << mapping.map;
m << mapping.m;
unmap << table.unmap;
u << table.u;
@@

print_pair(map, m, unmap, u, "%s() unwinds every entry, also those that a loop of %s never mapped when it is left early")

// An array of handles, or of structures that hold one each.

@entries exists@
type T;
expression mapping.i, mapping.handle, X;
identifier mapping.map, f, declared;
position mapping.m;
@@

(
 \(X[i]\|X[i].f\|X[i]->f\) = map@m(...);
|
 handle = map@m(...);
 ...
 \(X[i]\|X[i].f\|X[i]->f\) = handle;
|
 T declared = map@m(...);
 ...
 \(X[i]\|X[i].f\|X[i]->f\) = declared;
)

@every exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
identifier mapping.map;
expression mapping.i, mapping.N, entries.X, j, D, E;
position mapping.m, u;
@@

 map@m(...)
 ... when != i < N
     when != N = E
 for (j = 0; j < N; \(j++\|++j\|j += 1\)) {
 ... when != if (...) { ... }
 unmap@u(D, <+... X[j] ...+>, ...)
 ...
 }

@script:python depends on report@
map << mapping.map;
m << mapping.m;
N << mapping.N;
unmap << every.unmap;
u << every.u;
@@

print_pair(map, m, unmap, u, "%s() unwinds all " + N.replace(" ", "") + " entries, also those that a loop of %s never mapped when it is left early")

// The entry that failed: nothing steps back between the failure and the loop
// that unwinds.

@failure exists@
expression mapping.i, mapping.N, mapping.handle, E, ret, D;
identifier mapping.map;
identifier test =~ "^(ib_)?dma_mapping_error$";
identifier out;
position mapping.m, g;
@@

 handle = map@m(...)
 ... when != i < N
(
 if (<+... test(D, handle) ...+>) {
 ... when != \(i--\|--i\|i -= E\|i = E\)
 goto@g out;
 }
|
 ret = test(D, handle);
 if (<+... ret ...+>) {
 ... when != \(i--\|--i\|i -= E\|i = E\)
 goto@g out;
 }
)

// The header of a for loop steps, to the eyes of "when".
@down exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression mapping.i, entries.X, D, E;
identifier failure.out;
position failure.g, u;
@@

 goto@g out;
 ... when != \(i--\|--i\|i -= E\|i = E\)
 for (; \(i >= 0\|i > -1\); \(i--\|--i\)) {
 ... when != if (...) { ... }
 unmap@u(D, <+... X[i] ...+>, ...)
 ...
 }

// While loops, and do loops, which spatch 1.1.1 cannot match but goes round.
@round exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression mapping.i, entries.X, D, E;
identifier failure.out;
position failure.g, u != down.u;
@@

 goto@g out;
 ... when != \(i--\|--i\|i -= E\|i = E\)
     when != if (...) { ... }
 unmap@u(D, <+... X[i] ...+>, ...)
 ...
 \(i--\|--i\|i -= E\)
 ...
 unmap@u(D, <+... X[i] ...+>, ...)

@script:python depends on report@
map << mapping.map;
m << mapping.m;
i << mapping.i;
unmap << down.unmap;
u << down.u;
@@

print_pair(map, m, unmap, u, "%s() unwinds from entry " + i + " down, the one included that %s failed to map")

@script:python depends on report@
map << mapping.map;
m << mapping.m;
i << mapping.i;
unmap << round.unmap;
u << round.u;
@@

print_pair(map, m, unmap, u, "%s() unwinds from entry " + i + " down, the one included that %s failed to map")

// The same with break, which a path can pass but not start from.

@broken@
expression mapping.i, mapping.handle, E, ret, D;
identifier test =~ "^(ib_)?dma_mapping_error$";
position e;
@@

(
 if (<+... test@e(D, handle) ...+>) {
 ... when != \(i--\|--i\|i -= E\|i = E\)
 break;
 }
|
 ret = test@e(D, handle);
 if (<+... ret ...+>) {
 ... when != \(i--\|--i\|i -= E\|i = E\)
 break;
 }
)

@down_from_break exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression mapping.i, mapping.N, mapping.handle, entries.X, D, E;
identifier broken.test, mapping.map;
position mapping.m, broken.e, u;
@@

 handle = map@m(...)
 ...
 test@e(D, handle)
 ... when != \(i--\|--i\|i -= E\|i = E\|i < N\)
 for (; \(i >= 0\|i > -1\); \(i--\|--i\)) {
 ... when != if (...) { ... }
 unmap@u(D, <+... X[i] ...+>, ...)
 ...
 }

@script:python depends on report@
map << mapping.map;
m << mapping.m;
i << mapping.i;
unmap << down_from_break.unmap;
u << down_from_break.u;
@@

print_pair(map, m, unmap, u, "%s() unwinds from entry " + i + " down, the one included that %s failed to map")
