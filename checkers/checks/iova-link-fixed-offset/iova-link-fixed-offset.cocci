// SPDX-License-Identifier: GPL-2.0-only
///
/// dma_iova_link() is reached twice for one state with the same constant
/// offset. Each range must start where the one before ended; at an offset
/// that is taken, the second one fails.
///
// Confidence: Moderate
// Comments: Two calls under opposite conditions are taken for one after the other.
// Options: --no-includes --include-headers
// Keywords: dma_iova_link

virtual report

// list_for_each_entry(x, ...) and the like set x anew for each round.
@iterated@
iterator each;
expression D, x;
position p;
@@

 each(..., x, ...) {
 <+...
 dma_iova_link@p(D, <+... x ...+>, ...)
 ...+>
 }

// Tried again after a failure, or left after the first success: a link that
// failed took no room.
@tried@
expression ret;
statement S1;
position p;
@@

(
 if (!dma_iova_link@p(...)) S1
|
 ret = dma_iova_link@p(...);
 if (!ret) S1
)

@tried_again@
expression ret, E;
position p;
@@

 ret = dma_iova_link@p(...);
 ... when != ret
 \(ret && E\|ret == E\)

@link@
expression D, S, paddr;
constant C;
position p != {iterated.p, tried.p, tried_again.p};
@@

 dma_iova_link@p(D, S, paddr, C, ...)

// Round a loop, the second call is the first one again.
@again exists@
expression sub <= link.S;
expression link.D, link.S, E, paddr, paddr2;
constant link.C;
position link.p, q;
@@

 dma_iova_link@p(D, S, paddr, C, ...)
 ... when != dma_iova_unlink(D, S, ...)
     when != dma_iova_destroy(D, S, ...)
     when != dma_iova_free(D, S)
     when != dma_iova_try_alloc(D, S, ...)
     when != \(sub = E\|sub += E\|sub++\|++sub\|sub--\|--sub\)
 dma_iova_link@q(D, S, paddr2, C, ...)

@script:python depends on report@
p << link.p;
q << again.q;
S << link.S;
C << link.C;
@@

state = S.replace(" ", "")
if p[0].line == q[0].line:
    what = "every range of the loop is linked at offset %s of %s" % (C, state)
else:
    what = "the range linked at offset %s of %s on line %s is there already" % (C, state, p[0].line)
coccilib.report.print_report(q[0], what)
