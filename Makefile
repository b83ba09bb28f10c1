# Every command is in tools/__main__.py: `make test WORKERS=4` is `python3 -m tools test WORKERS=4`, which runs
# where there is no make as well. `make` alone lists the commands.

# The interpreter that .venv is made with, 3.11 or later.
PYTHON ?= python3

.PHONY: help book slides serve lab test test-elsewhere browser-test test-all check lint notebooks epub pdf address wheels mutants bench ask requirements clean
.NOTPARALLEL:

help book slides serve lab test test-elsewhere browser-test test-all check lint notebooks epub pdf address wheels mutants bench ask requirements clean:
	@"$(PYTHON)" -m tools $@ $(MAKEOVERRIDES)

# Another name gets the list, that of a folder too, which make would take for done.
.PHONY: tests metrics tools
tests metrics tools .DEFAULT:
	@"$(PYTHON)" -m tools $@
