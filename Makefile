# SPDX-License-Identifier: GPL-2.0-only
#
# The only front door: every job is a target here, and `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := report

# The tree: Linux 7.2, BASE=another version, or LINUX=DIR for one of your own (LINUX_REV=REV of a git clone). On
# any but the first the queues are made to stand there, whatever their base files name.
BASE ?=
LINUX ?=
export LINUX LINUX_REV
VERSION := $(if $(LINUX),,$(or $(BASE),7.2))
BASE_TAG := base-$(or $(VERSION),local)

# What `make` and `make check` look at: the heap, the mapping helper, and everything else that links IOVAs.
CHECK_PATHS ?= drivers/dma-buf block/blk-mq-dma.c mm/hmm.c net/core/tso.c drivers/vfio/pci \
	drivers/infiniband/core/rw.c drivers/gpu/drm/drm_gpusvm.c drivers/gpu/drm/drm_pagemap.c

# QUEUE=NAME limits report and check to one queue, and SETUP=no never calls scripts/setup.
QUEUE ?=
SETUP ?= yes

# SERIES=NAME is the one that send and reroll are about.
SERIES ?=
SEND_SERIES := scripts/send $(if $(BASE)$(LINUX),--base $(BASE_TAG)) '$(SERIES)'
ifneq ($(filter send reroll,$(MAKECMDGOALS)),)
ifeq ($(SERIES),)
$(error say which series: make $(MAKECMDGOALS) SERIES=system-heap)
endif
endif

REPORT := scripts/report --base $(BASE_TAG) $(if $(BASE)$(LINUX),--rebase) $(if $(QUEUE),--queue $(QUEUE))

.PHONY: report check coccicheck test test-full bench-queue send reroll new-series base tools setup help clean distclean

report: ready ## check the base and every queue, print the report and write build/report.json (the default)
	@$(REPORT) $(CHECK_PATHS)

check: ready ## the same, and fail when a queue introduces a finding (QUEUE=one)
	@$(REPORT) --no-new-findings $(CHECK_PATHS)

coccicheck: ready ## the checks' Coccinelle twins over the same files (COCCI=one check)
	@scripts/coccicheck --base $(BASE_TAG) $(if $(COCCI),--check $(COCCI)) $(CHECK_PATHS)

test: ready-to-test ## every test there is; ends with "N passed, N failed" (TESTS=regular expression)
	@scripts/run-tests $(if $(TESTS),'$(TESTS)')

test-full: ready-to-test ## the same, with ten minutes of fuzzing for each parser
	@KSERIES_FUZZ_SECONDS=600 scripts/run-tests $(if $(TESTS),'$(TESTS)')

bench-queue: packages ## time the rebase of 50 patches from 7.2 to 7.3 beside git, StGit and quilt
	@scripts/prepare --only kseries 7.2 7.3
	@scripts/bench/queue

send: ready ## prepare the mails of a series in build/outbox (SERIES=one), and with SEND=yes ask and send them
	@$(SEND_SERIES) $(if $(filter yes,$(SEND)),--for-real) $(if $(LOST),--lost '$(LOST)') \
		$(if $(DROP),--drop '$(DROP)') $(if $(filter yes,$(SIGN)),--sign)

reroll: ready ## begin the next version of a series that was sent (SERIES=one)
	@$(SEND_SERIES) --reroll

new-series: ## start another series (NAME=it, ON=the base or the series to stand on)
	@scripts/new-series '$(NAME)' $(if $(ON),'$(ON)')

base: packages ## fetch the base: build/linux.git and build/worktrees (BASE=7.3, or LINUX=DIR)
	@scripts/fetch-base $(VERSION)

tools: packages ## build build/bin/dmacheck, build/bin/kseries and their tests
	@scripts/build-tools

setup: ## install the packages that are missing
	@scripts/setup

help: ## this list
	@awk -F ':[^#]*## ' '/^[a-z-]+:[^#]*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo '  LINUX=DIR works with all of them: your own tree, a git clone or a plain folder, never written to.'

clean: ## remove what was built, keep the base and the compiler cache
	@rm -rf build/cmake build/bin build/config build/patched build/results build/bench build/*.json build/tests.xml \
		build/*.log build/*.lock

distclean: ## remove build/ altogether
	@for file in build/outbox/*/*/journal; do if [ -e "$$file" ]; then \
		echo "make: $$file: sent in part, and only this knows what went out: finish it with make send" >&2; exit 2; \
	fi; done
	@rm -rf build

# What the targets above stand on. These are not jobs of their own.
.PHONY: packages ready ready-to-test

packages:
	@if [ '$(SETUP)' != no ] && ! scripts/setup --check >/dev/null 2>&1; then scripts/setup; fi

ready: packages
	@scripts/prepare --only 'dmacheck kseries' $(VERSION)

ready-to-test: packages
	@scripts/prepare $(VERSION)
