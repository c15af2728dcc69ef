# Every target does what it needs of the ones before it; a fresh machine needs Python 3.11 or newer with venv, a C compiler and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/installed
BUILT := $(VENV)/built
SOURCES := $(shell find core_ext arena cmake proto -name '*.pyx' -o -name '*.pxd' -o -name '*.proto' -o -name '*.cmake') CMakeLists.txt pyproject.toml

.PHONY: setup build league test check bench chaos clean

setup: $(BUILT)

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed, found " + sys.version'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -c constraints.txt cmake ninja cython cython-cmake scikit-build-core grpcio-tools mypy-protobuf
	$(BIN)/pip install --quiet -c constraints.txt $$($(BIN)/python cmake/requirements.py)
	touch $@

# Where PYTHONDONTWRITEBYTECODE is set nothing else keeps compiled Python, and every start of a program compiles it anew.
$(BUILT): $(INSTALLED) $(SOURCES)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --quiet --no-build-isolation --no-deps --editable .
	$(BIN)/python -m compileall -q arena benchmarks bots core_ext hanafuda
	touch $@

build: $(BUILT)

league: setup
	$(BIN)/arena league run examples/koikoi.toml
	@echo "To have arena on your path: . $(BIN)/activate"

test: setup
	$(BIN)/pytest -n 3 --dist loadfile

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf breaking proto --against proto/hanafuda/arena/v1.binpb

bench: setup
	$(BIN)/arena bench core
	$(BIN)/arena bench wire
	$(BIN)/arena bench league

chaos: setup
	$(BIN)/python tests/system/chaos.py

clean:
	rm -rf $(VENV) build hanafuda
