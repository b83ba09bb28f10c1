# Everything this project does is a target here, and all it makes that is not committed lies in .venv and _build.
# `make` alone lists the targets.

# ---- What you may set: make book PYTHON=python3.12 -------------------------------------------------

PYTHON ?= python3   # the interpreter that .venv is made with, 3.11 or later
WORKERS ?= 2        # how many tests run at once
PORT ?= 8000        # where `make serve` listens

# ---- The rest of this file ---------------------------------------------------------------------------

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book test notebooks lint code-lines mutants lab serve browser-test bench ask requirements clean FORCE

# Settings of your shell that would change what is installed or what a cell prints.
unexport PYTHONPATH PYTHONHOME PYTHONHASHSEED MPLBACKEND MATPLOTLIBRC NPY_DISABLE_CPU_FEATURES JUPYTER_PATH
unexport PIP_USER PIP_TARGET PIP_PREFIX PIP_CONSTRAINT PIP_REQUIREMENT PIP_NO_DEPS PIP_DRY_RUN
export PYTHONUTF8 := 1
export PYTHONNOUSERSITE := 1
export JUPYTER_PREFER_ENV_PATH := 1
export IPYTHONDIR := $(CURDIR)/.venv/.ipython
export MPLCONFIGDIR := $(CURDIR)/.venv/.matplotlib

RUN := .venv/bin/python
INSTALLED := .venv/.installed
BUILT := _build/.built
TESTED := _build/.tested
BENCH := _build/bench
COMPARED := $(BENCH)/.installed
WILD := _build/wild
ASKED := $(WILD)/.installed

NOTEBOOKS := $(sort $(wildcard book/*.ipynb))
find = $(sort $(shell find $(1) -type f -not -path '*/__pycache__/*' -not -path '*/.ipynb_checkpoints/*' 2>/dev/null))
BOOK_SOURCES := _config.yml _toc.yml $(call find,book metrics)
TEST_SOURCES := $(wildcard *.md *.cff LICENSE* Makefile pyproject.toml .ci/run) $(call find,tests tools)

help:  ## list what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile

# ---- The environment ---------------------------------------------------------------------------------

# An environment that was made elsewhere and moved here still points at its old place: install again.
$(shell for made in $(INSTALLED) $(COMPARED) $(ASKED); do test "$$(cat $$made 2>/dev/null)" = '$(CURDIR)' || rm -f $$made; done)

define check-python
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "This needs Python 3.11 or later, and '$(strip $(PYTHON))' is" \
	       "$$($(PYTHON) --version 2>/dev/null || echo missing)." >&2; \
	  echo "If you have one under another name: make $(or $(MAKECMDGOALS),book) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "This Python cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
endef

$(INSTALLED): requirements.txt pyproject.toml
	$(check-python)
	@echo "== Installing the pinned environment into .venv (once; a few minutes on a slow line)"
	@test -x $(RUN) || $(PYTHON) -m venv .venv
	$(RUN) -m pip install --disable-pip-version-check -r requirements.txt
	$(RUN) -m pip install --disable-pip-version-check --no-build-isolation --no-deps -e .
	@$(RUN) -c 'import matplotlib.font_manager'  # lists the fonts now, or a chapter would, with a warning
	@printf '%s\n' '$(CURDIR)' > $@

# ---- The book ----------------------------------------------------------------------------------------

# A file that is gone is newer than nothing, so the lists of names are prerequisites too.
define remember
	@mkdir -p $(@D); printf '%s\n' $(1) | cmp -s - $@ || printf '%s\n' $(1) > $@
endef
_build/.book-files: FORCE
	$(call remember,$(BOOK_SOURCES))
_build/.test-files: FORCE
	$(call remember,$(TEST_SOURCES))

book: $(BUILT)  ## build the book and say where to open it
	@echo "The book is in _build/html. Open file://$(CURDIR)/_build/html/index.html or run: make serve"

# Every build starts afresh: Sphinx forgets the warnings of pages that it does not read again,
# so a second, partial build would pass where the first one failed. What the build leaves behind bears the
# time at which it began: a page that you save while it runs is newer.
$(BUILT): $(INSTALLED) $(BOOK_SOURCES) _build/.book-files
	@echo "== Building the book"
	@rm -rf $@ _build/html _build/.doctrees
	@touch $@.begun
	$(RUN) .venv/bin/jupyter-book build . -n -W --keep-going
	@test -s _build/html/index.html
	@mv $@.begun $@

# ---- The tests ---------------------------------------------------------------------------------------

PYTEST := $(RUN) -m pytest -n $(strip $(WORKERS))
NBVAL := $(PYTEST) --nbval --dist loadfile

test: $(TESTED)  ## run every test but those in a browser
	@$(if $(RAN),echo "All tests passed.",\
	  echo "Nothing has changed since all tests passed on $$(cat $(TESTED)). To run them again: make -B test")

$(TESTED): $(BUILT) $(TEST_SOURCES) _build/.test-files
	@rm -f $@
	@date > $@.begun
	@echo "== Tests 1 of 3: the package, the book's files, the doctests"
	$(PYTEST)
	@echo "== Tests 2 of 3: every notebook is run, and prints what is stored in it"
	$(NBVAL) $(NOTEBOOKS)
	@echo "== Tests 3 of 3: the same on a simpler processor"
	$(NBVAL) -p tools.plain_processor $(NOTEBOOKS)
	@mv $@.begun $@
	$(eval RAN := yes)

browser-test: $(BUILT)  ## look at every page in a real browser (needs Chromium)
	@command -v chromium >/dev/null || { \
	  echo "No 'chromium' on the PATH. On Debian: apt-get install chromium" >&2; exit 1; }
	$(RUN) -m pytest tests/browser

# ---- How fast it is ----------------------------------------------------------------------------------

# The others that it is compared with have an environment of their own: no reader of the book needs them.
$(COMPARED): requirements.txt pyproject.toml
	$(check-python)
	@echo "== Installing what the package is compared with into $(BENCH) (once)"
	@test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --disable-pip-version-check -c requirements.txt -e '.[bench]'
	@printf '%s\n' '$(CURDIR)' > $@

# What the others write down goes to the same folder, not to your home.
bench: export MPLCONFIGDIR := $(CURDIR)/$(BENCH)/.matplotlib
bench: export IR_DATASETS_HOME := $(CURDIR)/$(BENCH)/.ir_datasets
bench: $(COMPARED)  ## compare the speed with other libraries, and write book/speed.md
	@$(BENCH)/bin/python -m tools.benchmark

# ---- Which AP@k it is, and what becomes of ties ---------------------------------------------------------

# These cannot be installed with the others: each has a folder of its own, without what it needs, which the others bring.
# ml_metrics wants an old setuptools, which Python 3.12 no longer runs: there it is left out.
OLD := ml_metrics==0.1.4
BESIDE := haystack-ai==3.0.0 recmetrics==0.1.5 rectools==0.19.0
install-beside = $(WILD)/bin/python -m pip install --disable-pip-version-check --no-deps --upgrade --target $(WILD)/beside

$(ASKED): requirements.txt pyproject.toml
	$(check-python)
	@echo "== Installing the libraries that are asked into $(WILD) (once; 2.2 GB or more)"
	@test -x $(WILD)/bin/python || $(PYTHON) -m venv $(WILD)
	$(WILD)/bin/python -m pip install --disable-pip-version-check -c requirements.txt -e '.[wild]'
	$(foreach pin,$(BESIDE),$(install-beside)/$(firstword $(subst ==, ,$(pin))) $(pin) &&) true
	$(install-beside)/setuptools 'setuptools<58' wheel
	PYTHONPATH='$(CURDIR)/$(WILD)/beside/setuptools' $(install-beside)/$(firstword $(subst ==, ,$(OLD))) --no-build-isolation $(OLD) || \
	  echo "$(OLD) does not install here, and is left out."
	@printf '%s\n' '$(CURDIR)' > $@

# What they write down goes to the same folder, and the reports of use that can be switched off are off.
ask: export MPLCONFIGDIR := $(CURDIR)/$(WILD)/.matplotlib
ask: export IR_DATASETS_HOME := $(CURDIR)/$(WILD)/.ir_datasets
ask: export HAYSTACK_TELEMETRY_ENABLED := False
ask: export RAGAS_DO_NOT_TRACK := true
ask: $(ASKED)  ## ask other libraries for AP@k and about ties again, and compare with what is stored
	@$(WILD)/bin/python -m tools.surveys.ap_at_k --check; first=$$?; $(WILD)/bin/python -m tools.surveys.ties --check && exit $$first

# ---- For authors -------------------------------------------------------------------------------------

notebooks: $(INSTALLED)  ## run the notebooks and store their outputs (one: ONLY=book/notation.ipynb)
	@$(RUN) -m tools.store $(or $(ONLY),$(NOTEBOOKS))

lint: $(INSTALLED)  ## say which rules the notebooks break (one: ONLY=book/notation.ipynb)
	@$(RUN) -m tools.lint $(or $(ONLY),$(NOTEBOOKS))

code-lines: $(INSTALLED)  ## say how many code lines of each chapter only check
	@$(RUN) -m tools.code_lines

mutants: $(INSTALLED)  ## break the package in hundreds of ways, and see that its tests notice
	@$(RUN) -m tools.mutants

lab: $(INSTALLED)  ## open the chapters in JupyterLab
	$(RUN) -m jupyterlab --notebook-dir=book

serve: $(BUILT)  ## serve the book on this machine
	@echo "Open http://localhost:$(strip $(PORT)) and stop with Ctrl-C"
	@$(RUN) -m http.server --bind 127.0.0.1 --directory _build/html $(strip $(PORT))

# The ranges are in pyproject.toml. Pins stay as they are while they satisfy them; UPGRADE=1 takes the newest.
# The extras `bench` and `wild` stay out: readers of the book need none of them.
EXTRAS := book test lab
requirements: $(INSTALLED)  ## pin requirements.txt anew from pyproject.toml (all to the newest: UPGRADE=1)
	$(RUN) -m pip install --disable-pip-version-check 'uv>=0.5'
	$(RUN) -m uv pip compile --quiet pyproject.toml $(EXTRAS:%=--extra %) --universal --python-version 3.11 --fork-strategy fewest \
	  --no-emit-index-url --no-emit-find-links --custom-compile-command "make requirements" \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.txt

clean:  ## remove .venv and _build
	rm -rf .venv _build
