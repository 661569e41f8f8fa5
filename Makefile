# Boyi. `make play` sets up what the app needs and opens it; `make setup` sets up everything; `make test` also runs every check.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
EXTRAS := train,cluster,adapters,vision,postgres,docs,dev

# The tests start hundreds of processes, each of which loads the library: compiled, if Python may keep it so.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: play test setup browser lint types docs format clean

play: $(VENV)/.core
	$(BIN)/boyi serve --open

# Two processes test, each on one core.
test: export OMP_NUM_THREADS := 1
test: setup browser lint types docs
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --reruns 1

setup: $(VENV)/.all

# The tests drive the app in a real browser, and watch a virtual screen.
browser:
	@command -v chromium > /dev/null || { apt-get update -q && apt-get install -q -y chromium; } || { echo "The tests need Chromium: install your system's package chromium" >&2; exit 1; }
	@command -v Xvfb > /dev/null || { apt-get update -q && apt-get install -q -y xvfb; } || { echo "The tests need Xvfb: install your system's package xvfb" >&2; exit 1; }

lint: $(VENV)/.all
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.all
	$(BIN)/mypy

docs: $(VENV)/.all
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/docs

format: $(VENV)/.all
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build src/boyi.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Debian ships venv apart from Python; as root it can be had at once.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Boyi needs Python 3.11 or newer; try: make PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { apt-get update -q && apt-get install -q -y python3-venv && $(PYTHON) -m venv --clear $(VENV); }

$(VENV)/.core: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Setting up Boyi in $(VENV), once; a minute or two ..."
	$(PIP) --editable .
	@touch $@

$(VENV)/.all: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Setting up Boyi with all its extras in $(VENV), once; a few minutes ..."
	$(PIP) --editable '.[$(EXTRAS)]'
	@touch $@ $(VENV)/.core
