PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTHONS ?= python3.11 python3.12 python3.13
INSTALL := $(BIN)/python -m pip install --quiet --no-compile
INSTALLED := $(BIN)/python tests/installed/run.py $(if $(FULL),--full)

# Where the environment forbids it, every process would compile the sources of numba and of ours anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test check test-installed test-pythons test-slow bench docs docs-write lint clean

demo: $(VENV)/.demo
	@$(BIN)/zermelo demo

# What uses one core first, two at a time.
test: $(VENV)/.test
	@$(MAKE) --no-print-directory -j 2 check test-installed
	@failed=0; for part in 1 2 3 4; do $(BIN)/pytest -n 2 --dist worksteal --part $$part/4 || failed=1; done; exit $$failed

check: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/mypy
	$(BIN)/lint-imports

# The wheel in an environment of its own; FULL=1 installs its dependencies there, too.
test-installed: $(VENV)/.test
	$(INSTALLED)

# The same with every version of Python that is supported and found here; dependencies are installed, and nothing has been compiled.
test-pythons:
	@for python in $(PYTHONS); do if $$python --version 2> /dev/null; then $$python tests/installed/run.py --full || exit 1; fi; done

test-slow: $(VENV)/.test test-pythons
	$(BIN)/pytest -m slow

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py

# The site, in build/site; warnings are errors. To read it: python -m http.server -d build/site
docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build

# What the pages show is run, and written anew where something else comes out (PAGES: only these).
docs-write: $(VENV)/.docs
	$(BIN)/python tests/shown.py --write --quick $(PAGES)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(VENV)/bin/python pyproject.toml
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/bin/python pyproject.toml
	$(INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/.demo

$(VENV)/.bench: $(VENV)/bin/python pyproject.toml
	$(INSTALL) --editable '.[test,bench]'
	@touch $@

$(VENV)/.docs: $(VENV)/bin/python pyproject.toml
	$(INSTALL) --editable '.[docs]'
	@touch $@

clean:
	$(PYTHON) tests/installed/run.py --clean
	rm -rf $(VENV) build dist src/*.egg-info
