// SPDX-License-Identifier: GPL-2.0-only
///
/// An error path leaves the IOVA space that dma_iova_try_alloc() allocated:
/// neither dma_iova_free() nor dma_iova_destroy() is reached.
///
// Confidence: Moderate
// Comments: Only where the same function frees the space or the memory of the
// Comments: state on some path, or the state is its own variable; and not where
// Comments: the result of dma_iova_try_alloc() is kept in a variable.
// Options: --no-includes --include-headers
// Keywords: dma_iova_try_alloc

virtual report

@initialize:python@
@@

import re

# They leave the IOVA space of the state that they are given to their caller.
onlookers = {"dma_iova_try_alloc", "dma_iova_link", "dma_iova_sync", "dma_iova_unlink", "dma_iova_size",
             "dma_use_iova", "kfree", "kvfree", "memset", "sizeof", "if", "while"}
reported = set()
functions = set()

def written(text):
    """An expression without the spaces that Coccinelle puts around its operators."""
    return text.strip().replace("! ", "!").replace(" -> ", "->").replace(" . ", ".")

def is_about(text, S):
    """Does the text name the object that the state S is in?"""
    base = re.search(r"\w+", S).group()
    return re.search(r"\b%s\b" % base, text) is not None

def is_other_failure(test, value, S):
    """Is the test about something else than the state, and what is returned then an error?"""
    return (S.replace(" ", "") not in test.replace(" ", "") and not is_about(value, S)
            and not re.fullmatch(r"\d+|true", value.strip()))

def print_leak(p, S, when):
    place = (p[0].file, p[0].line)
    if place not in reported:
        reported.add(place)
        functions.add((p[0].file, p[0].current_element))
        coccilib.report.print_report(p[0], "IOVA space of %s leaks when %s" % (S.replace(" ", ""), when))

// Functions of this file to which that applies as well.

@reads@
identifier fn, state;
type T;
@@

 T fn(..., const struct dma_iova_state *state, ...);

@script:python@
fn << reads.fn;
@@

onlookers.add(fn)

@given@
identifier fn, state;
@@

 fn(..., struct dma_iova_state *state, ...) { ... }

@takes@
identifier given.fn, given.state;
identifier taker : script:python() { taker not in onlookers };
expression E;
@@

 fn(..., struct dma_iova_state *state, ...) {
 <+...
 \(taker(..., state, ...)\|E = state\)
 ...+>
 }

@script:python depends on !takes@
fn << given.fn;
@@

onlookers.add(fn)

// One process may see many files, and a function of that name in each.
@script:python depends on takes@
fn << given.fn;
@@

onlookers.discard(fn)

@alloc@
expression D, S;
position a;
@@

 dma_iova_try_alloc@a(D, S, ...)

@owner exists@
expression alloc.D, alloc.S;
position alloc.a;
@@

 dma_iova_try_alloc@a(D, S, ...)
 ... when any
\(dma_iova_free(D, S)\|dma_iova_destroy(D, S, ...)\|kfree(S)\)

// Something else fails while the space is allocated, which it is right after
// the call and where a range is linked into it. Past a test of the state that
// is not clear.

@plain depends on owner exists@
expression alloc.D, alloc.S, E, R, keeper;
identifier taker : script:python() { taker not in onlookers };
position alloc.a, p;
@@

 dma_iova_try_alloc@a(D, S, ...);
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 if@p (E) {
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 return R;
 }

@script:python depends on report@
p << plain.p;
S << alloc.S;
E << plain.E;
R << plain.R;
@@

if is_other_failure(E, R, S):
    print_leak(p, S, "'%s' is true" % written(E))

@behind depends on owner exists@
expression alloc.D, alloc.S, E, R, keeper;
identifier taker : script:python() { taker not in onlookers };
statement S1;
position alloc.a, p;
@@

 if (!dma_iova_try_alloc@a(D, S, ...)) S1
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 if@p (E) {
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 return R;
 }

@script:python depends on report@
p << behind.p;
S << alloc.S;
E << behind.E;
R << behind.R;
@@

if is_other_failure(E, R, S):
    print_leak(p, S, "'%s' is true" % written(E))

@linked depends on owner exists@
expression alloc.D, alloc.S, E, R, keeper;
identifier taker : script:python() { taker not in onlookers };
position alloc.a, p;
@@

 dma_iova_try_alloc@a(D, S, ...)
 ... when any
 dma_iova_link(D, S, ...)
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 if@p (E) {
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 return R;
 }

@script:python depends on report@
p << linked.p;
S << alloc.S;
E << linked.E;
R << linked.R;
@@

if is_other_failure(E, R, S):
    print_leak(p, S, "'%s' is true" % written(E))

@link_fails depends on owner exists@
expression alloc.D, alloc.S, R, keeper;
identifier taker : script:python() { taker not in onlookers };
identifier step =~ "^dma_iova_(link|sync)$";
position alloc.a, p;
@@

 dma_iova_try_alloc@a(D, S, ...)
 ... when any
 if@p (<+... step(D, S, ...) ...+>) {
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 return R;
 }

@script:python depends on report@
p << link_fails.p;
S << alloc.S;
step << link_fails.step;
R << link_fails.R;
@@

if is_other_failure(step, R, S):
    print_leak(p, S, step + "() fails")

// The branch that frees is not taken, for a reason that came up after the
// allocation and that is not the state.

@both@
expression alloc.D, alloc.S, C;
statement S2;
position p;
@@

 if@p (C) {
 <+...
 \(dma_iova_free(D, S)\|dma_iova_destroy(D, S, ...)\)
 ...+>
 } else S2

@other@
expression alloc.D, alloc.S, C;
statement S1, S2;
position p != both.p;
@@

(
 if@p (C) S1 else if (dma_use_iova(S)) {
 <+...
 \(dma_iova_free(D, S)\|dma_iova_destroy(D, S, ...)\)
 ...+>
 }
|
 if@p (C) S1 else if (dma_use_iova(S)) {
 <+...
 \(dma_iova_free(D, S)\|dma_iova_destroy(D, S, ...)\)
 ...+>
 } else S2
)

@passed_by exists@
expression alloc.D, alloc.S, other.C, E, R, keeper;
identifier taker : script:python() { taker not in onlookers };
idexpression i;
statement S1, S2;
position alloc.a, other.p;
@@

 dma_iova_try_alloc@a(D, S, ...)
 ... when any
 \(i = E\|i++\)
 ... when any
 if@p (C) S1 else S2
 ... when != dma_iova_free(D, S)
     when != dma_iova_destroy(D, S, ...)
     when != \(dma_use_iova(S)\|!S\|S == NULL\|S != NULL\)
     when != taker(..., S, ...)
     when != keeper = S
 return R;

@script:python depends on report@
p << other.p;
i << passed_by.i;
S << alloc.S;
C << other.C;
R << passed_by.R;
@@

for reason in C.split("||"):
    if re.search(r"\b%s\b" % i, reason) and is_other_failure(reason, R, S):
        print_leak(p, S, "'%s' is true" % written(reason))

// A state that is the function's own variable is gone at any return.

@own exists@
identifier state, taker : script:python() { taker not in onlookers };
expression D, R, keeper;
position a, p;
statement S1;
@@

 struct dma_iova_state state;
 ...
 if (!dma_iova_try_alloc@a(D, &state, ...)) S1
 ... when != dma_iova_free(D, &state)
     when != dma_iova_destroy(D, &state, ...)
     when != dma_use_iova(&state)
     when != taker(..., &state, ...)
     when != keeper = state
 return@p R;

@script:python depends on report@
p << own.p;
state << own.state;
@@

if (p[0].file, p[0].current_element) not in functions:
    print_leak(p, state, "the function returns here")
