# Neutron: every target may be run again at any time, and is fast when nothing changed.
#
#   make run             install what is missing, build, open the workspace
#   make test            everything that CI runs
#   make test-full       that, with the heavy parts
#   make build           build/bin/neutron with the window; make build-headless without GTK
#   make gen             generated code and docs from their sources
#   make bench           the ratios of docs/bench.md

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
MAKEFLAGS += --no-builtin-rules --no-print-directory

LDFLAGS := -s -w
TAGS := desktop,production,webkit2_41
BIN := build/bin
OUT := build/out

# What the shell, the sdk and the example apps are made of. A changed file makes its stamp old.
web_src := $(shell find frontend -name node_modules -prune -o -name dist -prune -o -name e2e -prune -o -type f -print) frontend/package-lock.json
app_src := $(shell find examples -name build -prune -o -name dist -prune -o -type f -print) $(shell find frontend/sdk frontend/src/port -type f)
web_stamp := frontend/dist/.built
app_stamp := examples/dist/.built

.PHONY: picture run test test-full build build-headless build-e2e web examples gen bench clean setup

setup:
	@build/setup build

web: $(web_stamp)
$(web_stamp): $(web_src)
	@build/setup serve
	@echo "build: the shell"
	@mkdir -p $(OUT)/log && cd frontend && npm run --silent build >../$(OUT)/log/web.log 2>&1 || { cat ../$(OUT)/log/web.log; exit 1; }
	@touch $@

examples: $(app_stamp)
$(app_stamp): $(app_src)
	@build/setup serve
	@echo "build: the example apps"
	@node examples/build.mjs
	@go run ./examples/pack
	@touch $@

build: setup web examples
	@go build -trimpath -tags $(TAGS) -ldflags "$(LDFLAGS)" -o $(BIN)/neutron .

build-headless: web examples
	@CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o $(BIN)/neutron .

# The window that WebDriver may hold, and the headless binary of the browser tests.
build-e2e: web examples
	@CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o $(BIN)/neutron-serve .
	@go build -trimpath -tags $(TAGS),e2e -ldflags "$(LDFLAGS)" -o $(BIN)/neutron-e2e .

run:
	@build/make/run

test:
	@build/make/test

test-full:
	@build/make/test full

gen:
	@build/setup serve
	@build/make/gen

bench:
	@build/setup test
	@$(MAKE) build build-e2e
	@build/make/bench

# The README's picture: the story's own, in the state that says most.
picture:
	@cp $(OUT)/pictures/chromium/04-question-light-1280x800.png docs/picture.png

clean:
	rm -rf $(BIN) $(OUT) frontend/dist/* $(web_stamp) examples/build examples/dist/*.neutron $(app_stamp)
