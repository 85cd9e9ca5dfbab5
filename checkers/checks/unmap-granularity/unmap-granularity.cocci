// SPDX-License-Identifier: GPL-2.0-only
///
/// What one dma_map_*() mapped is unmapped in pieces, or the other way round.
/// The address and the size of an unmap must be those of the map.
///
// Confidence: Moderate
// Comments: A mapping that is handed to another function is followed through
// Comments: the member that it is stored in, by that member's name alone.
// Options: --no-includes --include-headers
// Keywords: dma_unmap_

virtual report

@initialize:python@
@@

def are_a_pair(mapping, unmapping):
    def kind(name):
        return name.replace("_attrs", "").replace("unmap_", "map_")
    return kind(mapping) == kind(unmapping)

reported = set()

def print_pair(map, m, unmap, u, message):
    place = (u[0].file, u[0].line, u[0].column)
    if are_a_pair(map, unmap) and place not in reported:
        reported.add(place)
        coccilib.report.print_report(u[0], message % (unmap, map + "() on line " + m[0].line))

// One mapping is cut over several scatterlist entries, one unmap an entry.

@cutter@
identifier cut, addr;
expression sg, step;
type T;
@@

 cut(..., T addr, ...) {
 <+...
 sg_dma_address(sg) = addr;
 ...
 addr += step;
 ...+>
 }

@whole exists@
identifier cutter.cut;
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
expression handle;
position m;
@@

 handle = map@m(...)
 ...
 cut(..., handle, ...)

@entrywise@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression D, sg;
position u;
@@

 unmap@u(D, sg_dma_address(sg), sg_dma_len(sg), ...)

@script:python depends on report@
cut << cutter.cut;
map << whole.map;
m << whole.m;
unmap << entrywise.unmap;
u << entrywise.u;
@@

print_pair(map, m, unmap, u, "%s() a scatterlist entry, but one %s mapped the whole range that " + cut + "() may have cut over several")

// What comes to itself again is in a loop, of whatever kind.

@map_in_loop exists@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
position m;
@@

 map@m(...)
 ...
 map@m(...)

@unmap_in_loop exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
position u;
@@

 unmap@u(...)
 ...
 unmap@u(...)

// Mapped once, unmapped in a loop at handle + what changes: in one function, or
// in two through the same member.

@moving exists@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression D, handle, E;
identifier i;
position u;
@@

 unmap@u(D, \(handle + <+... i ...+>\|<+... i ...+> + handle\), ...)
 ...
 \(i = E\|i += E\|i -= E\|i++\|++i\|i--\|--i\)
 ...
 unmap@u(...)

@pieces exists@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
expression handle, D, E;
identifier moving.unmap;
position m != map_in_loop.m, moving.u;
@@

 handle = map@m(...)
 ...
 unmap@u(D, \(handle + E\|E + handle\), ...)

@script:python depends on report@
map << pieces.map;
m << pieces.m;
handle << pieces.handle;
unmap << moving.unmap;
u << moving.u;
@@

print_pair(map, m, unmap, u, "%s() unmaps " + handle.replace(" ", "") + " piece by piece, but one %s mapped it as a whole")

@once@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
expression X;
identifier f;
position m != map_in_loop.m;
@@

 \(X->f\|X.f\) = map@m(...)

@member_pieces@
expression X, D, E;
identifier once.f, moving.unmap;
position moving.u;
@@

 unmap@u(D, \(X->f + E\|X.f + E\|E + X->f\|E + X.f\), ...)

@script:python depends on report@
map << once.map;
m << once.m;
f << once.f;
unmap << moving.unmap;
u << moving.u;
@@

print_pair(map, m, unmap, u, "%s() unmaps " + f + " piece by piece, but one %s mapped it as a whole")

// Mapped entry by entry in a loop, unmapped by one call as n entries.

@entry@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
expression X, i, D, size;
identifier f;
position map_in_loop.m;
@@

 \(X->f[i]\|X.f[i]\) = map@m(D, ..., size, ...)

@together@
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
expression X, D, n, entry.size;
identifier entry.f;
position u != unmap_in_loop.u;
@@

 unmap@u(D, \(X->f[0]\|X.f[0]\), \(n * size\|size * n\), ...)

@script:python depends on report@
map << entry.map;
m << map_in_loop.m;
f << entry.f;
unmap << together.unmap;
u << together.u;
@@

print_pair(map, m, unmap, u, "%s() unmaps " + f + "[0] and what follows at once, but %s mapped each entry by itself")

@local_entry exists@
identifier map =~ "^(ib_)?dma_map_(single|page|phys|resource)(_attrs)?$";
identifier unmap =~ "^(ib_)?dma_unmap_(single|page|phys|resource)(_attrs)?$";
identifier X;
expression i, D, size, n;
position map_in_loop.m, u != unmap_in_loop.u;
@@

 X[i] = map@m(D, ..., size, ...)
 ...
 unmap@u(D, X[0], \(n * size\|size * n\), ...)

@script:python depends on report@
map << local_entry.map;
m << map_in_loop.m;
X << local_entry.X;
unmap << local_entry.unmap;
u << local_entry.u;
@@

print_pair(map, m, unmap, u, "%s() unmaps " + X + "[0] and what follows at once, but %s mapped each entry by itself")
