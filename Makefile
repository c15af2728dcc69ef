# Every target does what it needs of the ones before it; a fresh machine needs Python 3.11 or newer with venv, a C compiler and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(VENV)/uv
RUN := $(VENV)/run
DEV := $(VENV)/dev
BUILT := $(VENV)/built
COLLECTED := $(VENV)/collected
DIST := dist
# Every start of a program would compile its Python anew.
unexport PYTHONDONTWRITEBYTECODE
SOURCES := $(shell find core_ext arena cmake proto -name '*.pyx' -o -name '*.pxd' -o -name '*.[ch]' -o -name '*.proto' -o -name '*.cmake') CMakeLists.txt pyproject.toml
# uv installs in seconds what takes pip minutes. It does not read pip's settings: where it reaches no index, pip installs.
install = $(BIN)/uv pip install --system-certs --python $(BIN)/python $(1) || $(BIN)/pip install $(filter-out --compile-bytecode,$(1))

.PHONY: setup build league test quick check bench chaos soak siege fuzz walk wheel install-check containers-check units-check clean

setup: $(BUILT) $(DEV)

$(UV): constraints.txt
	@$(PYTHON) -c 'import sys; assert sys.version_info >= (3, 11), "Python 3.11 or newer is needed, found " + sys.version'
	@echo "== A virtual environment in $(VENV)"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --disable-pip-version-check --quiet -c constraints.txt uv
	@touch $@

$(RUN): $(UV) pyproject.toml constraints.txt cmake/requirements.py
	@echo "== What the arena runs on and is built with"
	$(call install,-c constraints.txt $$($(BIN)/python cmake/requirements.py run))
	@touch $@

$(DEV): $(RUN)
	@echo "== What its tests and checks need besides"
	$(call install,-c constraints.txt $$($(BIN)/python cmake/requirements.py dev) --compile-bytecode)
	@touch $@

$(BUILT): $(RUN) $(SOURCES)
	@echo "== The rules core, compiled (all output: $(VENV)/build.log)"
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip install --disable-pip-version-check --verbose --no-build-isolation --no-deps --editable . 2>&1 \
	  | tee $(VENV)/build.log | $(BIN)/python cmake/progress.py
	@grep -q '^Successfully installed' $(VENV)/build.log || { tail -n 60 $(VENV)/build.log; exit 1; }
	@$(BIN)/python -m compileall -q arena benchmarks bots core_ext hanafuda
	@touch $@

build: $(BUILT)

league: build
	@echo "== A league: examples/koikoi.toml"
	$(BIN)/arena league run examples/koikoi.toml
	@echo "To have arena on your path: . $(BIN)/activate"

# CI adds the tests in a browser; so does `make test BROWSER=1`. Many tests wait most of their time: more workers than cores.
# What the tests of a file share is made once, and files are taken in the order of tests/conftest.py.
BROWSER ?= $(CI)
PYTEST := $(BIN)/pytest --dist loadfile --no-loadscope-reorder

test: setup $(COLLECTED)
	@bash .ci/packages tests $(if $(BROWSER),browser)
	$(PYTEST) -n 6 $(if $(BROWSER),,-m "not browser")

# In a fresh tree each of the workers would compile all tests for itself.
$(COLLECTED): | setup
	@$(BIN)/pytest --collect-only -qq >$(VENV)/collected.log || { cat $(VENV)/collected.log; exit 1; }
	@touch $@

quick: setup
	$(PYTEST) -n 4 $(addprefix tests/,league match organizer replays sdk seats services stream wire)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/buf lint proto
	$(BIN)/buf format --diff --exit-code proto
	$(BIN)/buf breaking proto --against proto/hanafuda/arena/v1.binpb

# The arena's wheel installs without a compiler, on whatever has a C library as old as auditwheel finds to be enough; the
# SDK's, for bots alone, is pure Python. `make wheel PYTHON=python3.13 VENV=.venv-3.13` is for another Python.
BUILT_WHEELS := $(VENV)/wheels
wheel: setup
	rm -rf $(BUILT_WHEELS)
	mkdir -p $(DIST)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/pip wheel --disable-pip-version-check --quiet --no-build-isolation --no-deps -w $(BUILT_WHEELS) . ./packaging/sdk
	if [ "$$(uname -s)" = Linux ]; then \
	  PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/auditwheel repair -w $(DIST) $(BUILT_WHEELS)/hanafuda_arena-*.whl 2>$(VENV)/auditwheel.log \
	  || { cat $(VENV)/auditwheel.log; exit 1; }; \
	else cp $(BUILT_WHEELS)/hanafuda_arena-*.whl $(DIST); fi
	cp $(BUILT_WHEELS)/hanafuda_arena_sdk-*.whl $(DIST)
	@ls $(DIST)/*.whl

# Environments of nothing but pip, pipx and uv, with every Python from 3.11 to 3.13 that is found; takes minutes.
install-check: setup
	$(BIN)/python tests/installing/fresh_installs.py

# Builds the container's image and starts it, and the composition, by Podman; as root on Debian, takes minutes.
# CONTAINERS="--volume FILE:FILE:ro" is how pip reaches its index from there.
containers-check: setup
	@bash .ci/packages containers
	$(BIN)/python tests/deploy/start_containers.py -- $(CONTAINERS)

# Starts the units of deploy/systemd in a Debian of their own, by systemd-nspawn; as root on Debian, takes minutes.
# UNITS="--bind-ro=FILE" is how pip reaches its index from there.
units-check: wheel
	@bash .ci/packages units
	$(BIN)/python tests/deploy/start_units.py -- $(UNITS)

bench: setup
	$(BIN)/arena bench core
	$(BIN)/arena bench wire
	$(BIN)/arena bench league

chaos: setup
	for store in embedded redis sentinel cluster; do $(BIN)/python tests/system/chaos.py --store $$store || exit 1; done
	$(HELPERS) $(BIN)/python tests/system/kill_orders.py

# An hour's play, undisturbed, in which nothing may grow.
soak: setup
	$(BIN)/python tests/system/soak.py --minutes 60 --curve docs/soak.svg

# Strangers attack a node while leagues are played on it; behind HAProxy, which has to be installed. Takes minutes.
HELPERS := PYTHONPATH=$(CURDIR)$(subst $() ,,$(foreach part,/ /store/ /stream/ /system/ /web/,:$(CURDIR)/tests$(part)))
siege: setup
	$(HELPERS) $(BIN)/python tests/system/siege.py

# A million mutated messages to every method of a node.
fuzz: setup
	$(HELPERS) $(BIN)/python tests/services/fuzz_rpcs.py

# Every page of an arena with all that pages can show, in Chromium. Takes minutes.
HTML_VALIDATE := $(VENV)/walk/node_modules/.bin/html-validate
walk: setup
	@bash .ci/packages walk
	@test -x $(HTML_VALIDATE) || ! command -v npm >/dev/null || npm install --silent --no-fund --no-audit --prefix $(VENV)/walk html-validate@9.7.1
	$(HELPERS) $(BIN)/python tests/web/walk.py $(WALK)

clean:
	rm -rf $(VENV) build dist hanafuda
