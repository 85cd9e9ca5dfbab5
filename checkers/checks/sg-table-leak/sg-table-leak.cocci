// SPDX-License-Identifier: GPL-2.0-only
///
/// sg_free_table() frees orig_nents entries: after that was overwritten the
/// scatterlist leaks.
///
// Confidence: Moderate
// Comments: Across functions a table is followed by the name of the member that
// Comments: it is in.
// Options: --no-includes --include-headers
// Keywords: sg_free_table

virtual report

@direct exists@
expression T, E;
position q;
@@

 sg_alloc_table(&T, ...)
 ... when != sg_free_table(&T)
 T.orig_nents = \(0\|dma_map_sg(...)\)
 ... when != T.orig_nents = E
     when != sg_alloc_table(&T, ...)
 sg_free_table@q(&T)

@behind exists@
expression T, E;
position q;
@@

 sg_alloc_table(T, ...)
 ... when != sg_free_table(T)
 T->orig_nents = \(0\|dma_map_sg(...)\)
 ... when != T->orig_nents = E
     when != sg_alloc_table(T, ...)
 sg_free_table@q(T)

@script:python depends on report@
q << direct.q;
@@

coccilib.report.print_report(q[0], "sg_free_table() frees as many entries as orig_nents says, but that was overwritten")

@script:python depends on report@
q << behind.q;
@@

coccilib.report.print_report(q[0], "sg_free_table() frees as many entries as orig_nents says, but that was overwritten")

// The function that makes the table loses its count, another one frees it.

@made exists@
expression X;
identifier f;
position p;
@@

 sg_alloc_table(&X->f, ...)
 ... when != sg_free_table(&X->f)
 X->f.orig_nents@p = 0

@own exists@
expression X;
identifier made.f;
position q;
@@

 sg_alloc_table(&X->f, ...)
 ...
 sg_free_table@q(&X->f)

@restored exists@
expression X, E;
identifier made.f;
position q;
@@

 X->f.orig_nents = E
 ...
 sg_free_table@q(&X->f)

@member@
expression X;
identifier made.f;
position q != {own.q, restored.q};
@@

 sg_free_table@q(&X->f)

@script:python depends on report@
p << made.p;
q << member.q;
@@

coccilib.report.print_report(q[0], "sg_free_table() frees as many entries as orig_nents says, but that was overwritten on line " + p[0].line)

@around exists@
identifier made.f, t, s;
expression E;
position q;
@@

 container_of(t, struct s, f)
 ... when != t->orig_nents = E
 sg_free_table@q(t)

@script:python depends on report@
p << made.p;
q << around.q;
@@

coccilib.report.print_report(q[0], "sg_free_table() frees as many entries as orig_nents says, but that was overwritten on line " + p[0].line)
