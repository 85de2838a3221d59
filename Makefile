# Meson and Ninja do the work; this file gives the common things short names.

# The folder that `make run` serves.
DIR ?= $(CURDIR)
DESTDIR ?=
PACKAGES = gcc git libc6-dev libpcre2-dev libsqlite3-dev libuv1-dev meson ninja-build \
	pkg-config
C_FILES = $(shell git ls-files --cached --others --exclude-standard \
	'src/*.[ch]' 'test/*.[ch]' ':!test/lint/bad')

.PHONY: build deps demo run check bench canary asan format tidy install clean help

build: build/build.ninja ## build/dovetail (this is the default)
	@ninja -C build products

build/build.ninja:
	@command -v meson ninja >/dev/null || \
		{ echo "Meson or Ninja is missing: 'make deps' installs them."; exit 1; }
	@meson setup build
	@ln -sfn build/compile_commands.json compile_commands.json

deps: ## install the Debian packages the build needs
	@scripts/need $(PACKAGES)

demo: deps build ## build, then review three changes of a scripted agent
	@build/dovetail demo

run: deps build ## build, then serve DIR (default: this folder)
	build/dovetail serve --workspace "$(DIR)"

check: deps build ## run all tests; `test/check NAME...` runs some
	@test/check

bench: deps build ## measure against peers and what they are made of
	@env BUILD=build $$(test/npm/install) test/bench/run

canary: deps build ## the end-to-end tests with the newest Claude Code
	@test/canary

asan: deps ## build-asan/dovetail with the address and undefined sanitizers
	@scripts/need clang-19 libclang-rt-19-dev
	@test -f build-asan/build.ninja || \
		CC=clang-19 meson setup build-asan -Db_sanitize=address,undefined
	@ninja -C build-asan products

format: ## let clang-format have its way
	@clang-format -i $(C_FILES)

tidy: build ## clang-tidy over what changed since it was last clean
	@test/lint/tidy

install: build ## install below DESTDIR
	@DESTDIR="$(DESTDIR)" meson install -C build --no-rebuild

clean: ## remove what was built; .cache/ keeps downloads
	@rm -rf build build-asan build-check compile_commands.json

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16
