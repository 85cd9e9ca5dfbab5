// SPDX-License-Identifier: GPL-2.0-only
///
/// A lock assertion dereferences a pointer that the same function tests for
/// NULL later. With lockdep on, a NULL pointer crashes at the assertion.
///
// Confidence: Moderate
// Comments: What an assertion dereferences in its own body is out of sight.
// Options: --no-includes --include-headers
// Keywords: assert_held assert_not_held assert_locked assert_spin_locked
// Keywords: assert_raw_spin_locked assert_write_locked lockdep_assert

virtual report

@initialize:python@
@@

reported = set()

@asserted@
expression E;
identifier assertion =~ "^lockdep_assert(_once)?$|assert.*(held|locked)";
identifier f;
position p;
@@

 assertion@p(..., <+... E->f ...+>, ...)

// The test must be the next word on E: not of a pointer set anew.
@tested exists@
expression sub <= asserted.E;
expression asserted.E, E1, E2;
identifier asserted.assertion;
position asserted.p, t;
statement S1, S2;
@@

 assertion@p(...)
 ... when != \(sub = E1\|sub++\|++sub\|sub--\|--sub\|&sub\)
(
 if (E@t) S1 else S2
|
 while (E@t) S1
|
 !E@t
|
 E@t == NULL
|
 E@t != NULL
|
 NULL == E@t
|
 NULL != E@t
|
 IS_ERR_OR_NULL(E@t)
|
 E@t && E1
|
 E1 && E@t
|
 E@t || E1
|
 E1 || E@t
|
 E@t ? E1 : E2
)

// Tested before as well: the assertion trusts that test.
@trusted exists@
expression sub <= asserted.E;
expression asserted.E, E1, E2;
identifier asserted.assertion;
position asserted.p;
statement S1, S2;
@@

(
 if (E) S1 else S2
|
 while (E) S1
|
 !E
|
 E == NULL
|
 E != NULL
|
 NULL == E
|
 NULL != E
|
 IS_ERR_OR_NULL(E)
|
 E && E1
|
 E1 && E
|
 E || E1
|
 E1 || E
|
 E ? E1 : E2
)
 ... when != sub = E1
 assertion@p(...)

// The assertion has a test of its own: lockdep_assert(!E || ...).
@itself@
expression asserted.E, E1;
identifier asserted.assertion;
position asserted.p;
@@

 assertion@p(<+... \(!E\|E == NULL\|E != NULL\|E && E1\|E || E1\) ...+>)

// E is set anew in the very expression that tests it.
@anew@
identifier fn;
expression asserted.E;
position tested.t;
@@

 fn(..., &E, ...) && E@t

// There is a way to the test on which no assertion dereferences E.
@avoided exists@
identifier g, f;
expression asserted.E;
identifier other =~ "^lockdep_assert(_once)?$|assert.*(held|locked)";
position tested.t;
@@

 g(...) {
 ... when != other(..., <+... E->f ...+>, ...)
 E@t
 ... when any
 }

@script:python depends on report && !trusted && !itself && !anew && !avoided@
p << asserted.p;
t << tested.t;
assertion << asserted.assertion;
E << asserted.E;
@@

pointer = E.replace(" ", "")
first = (p[0].file, p[0].current_element, pointer)
if first not in reported:
    reported.add(first)
    coccilib.report.print_report(p[0], "%s() dereferences %s, which is tested for NULL on line %s" % (assertion, pointer, t[0].line))
