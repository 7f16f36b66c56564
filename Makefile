# `make play` and `make test` do all the set-up themselves. `make help` lists the rest.
#
#   PYTHON=python3.12   use this Python instead of the first fitting one
#   PORT=8500           the port of the page, for `make play`
#   ARGS="--new"        more arguments, for `make play`, `make test` and `make bench`

PYTHON ?=
PORT ?=
ARGS ?=
KILLS ?= 1000
GAMES ?= 10000
PRESSES ?= 10000
MINUTES ?= 1

# As many tests at a time as there are cores.
AT_ONCE := --numprocesses=auto --dist=worksteal

# On a Raspberry Pi the packages for its pins are installed too.
PI := $(if $(shell grep -as 'Raspberry Pi' /proc/device-tree/model),pi)
comma := ,
none :=
space := $(none) $(none)
WITH = $(if $(strip $1 $(PI)),[$(subst $(space),$(comma),$(strip $1 $(PI)))])

RUN := .venv/bin
NOW := $(RUN)/python
PIP := $(NOW) -m pip install --quiet --disable-pip-version-check

# One stamp for each Python that was asked for by name; any environment will do if none was.
MADE := .venv/.made-$(or $(notdir $(PYTHON)),any)
ifeq ($(PYTHON),)
MADE := $(or $(firstword $(wildcard .venv/.made-*)),$(MADE))
endif

.PHONY: help play test check bench bench-opponent crash soak rig-gpio rig-pico catalogues clean

help:
	@echo "make play        set up, start the simulator and open its page"
	@echo "make test        set up and run the tests"
	@echo "make check       style, types, direction of imports, tests in a browser"
	@echo "make bench       measure this machine"
	@echo "make bench-opponent  time the solver, and let the levels play each other, GAMES=100 of a kind"
	@echo "make crash       kill a program that plays, KILLS=1000 times, and look at what it resumes"
	@echo "make soak        play GAMES=10000 games by scripted hands, and look at what they leave"
	@echo "make rig-gpio    PRESSES=10000 and games on the GPIO lines of a Linux of its own (on Debian; makes its kernel first)"
	@echo "make rig-pico    play the firmware on an emulated Pico, MINUTES=1 of its time (on Debian; compiles it first)"
	@echo "make catalogues  bring the sentences to be translated up to date"
	@echo "make clean       remove what these made"

play: .venv/.installed
	@$(RUN)/popout play $(if $(PORT),--port $(PORT)) $(ARGS)

test: .venv/.installed-test
	@$(NOW) -m pytest $(AT_ONCE) --ignore=tests/browser --ignore=tests/rig_gpio --ignore=tests/rig_pico $(ARGS)

check: .venv/.installed-check .venv/.installed-stubs
	@$(NOW) -m ruff check .
	@$(NOW) -m ruff format --check .
	@$(NOW) -m mypy
	@$(NOW) -m pyright
	@$(NOW) -m pytest tests/test_imports.py
	@$(NOW) tools/pi_packages.py
	@$(NOW) -m pytest $(AT_ONCE) tests/browser

bench: .venv/.installed-bench
	@$(NOW) tests/bench.py $(ARGS)

bench-opponent: .venv/.installed-bench
	@$(NOW) tests/solver_bench.py
	@$(NOW) tests/opponent_bench.py --games $(if $(filter file,$(origin GAMES)),100,$(GAMES)) $(ARGS)

crash: .venv/.installed-test
	@PYTHONPATH=tests $(NOW) tests/crash/killing.py --kills $(KILLS) $(ARGS)

soak: .venv/.installed-test
	@PYTHONPATH=tests $(NOW) tests/soak.py --games $(GAMES) $(ARGS)

rig-gpio: .venv/.installed-rig
	@PYTHONPATH=tests PRESSES=$(PRESSES) $(NOW) -m rig.gpio.run $(NOW) -m pytest -p no:hypothesispytest tests/rig_gpio $(ARGS)

rig-pico: .venv/.installed-rig-pico
	@PYTHONPATH=tests PICO_MINUTES=$(MINUTES) $(NOW) -m pytest $(AT_ONCE) -p no:hypothesispytest tests/rig_pico $(ARGS)

catalogues: .venv/.installed-test
	@$(NOW) tools/catalogues.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage build dist test-results
	find controller sim tests firmware -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed: pyproject.toml $(MADE)
	@echo "Installing popout ..."
	@$(PIP) --editable '.$(call WITH)'
	@touch $@

.venv/.installed-test: pyproject.toml $(MADE)
	@echo "Installing popout and what its tests need ..."
	@$(PIP) --editable '.$(call WITH,test)'
	@touch $@ .venv/.installed

.venv/.installed-check: pyproject.toml $(MADE)
	@echo "Installing popout and what its checks need ..."
	@$(PIP) --editable '.$(call WITH,test check)'
	@touch $@ .venv/.installed .venv/.installed-test

# What MicroPython has on a Pico, for pyright: of the version that Debian has the sources of. In a folder of its own, since
# some of it has the names of Python's modules.
.venv/.installed-stubs: pyproject.toml $(MADE)
	@rm -rf .venv/pico-stubs
	@$(PIP) --target .venv/pico-stubs 'micropython-rp2-rpi-pico-stubs>=1.25,<1.26'
	@touch $@

.venv/.installed-rig: pyproject.toml $(MADE)
	@echo "Installing popout and what plays on a Raspberry Pi's pins ..."
	@$(PIP) --editable '.[test,pi]'
	@touch $@ .venv/.installed .venv/.installed-test

.venv/.installed-rig-pico: pyproject.toml $(MADE)
	@echo "Installing popout and what the emulated Pico needs ..."
	@$(PIP) --editable '.$(call WITH,test rig)'
	@touch $@ .venv/.installed .venv/.installed-test

.venv/.installed-bench: pyproject.toml $(MADE)
	@echo "Installing popout and what it is measured against ..."
	@$(PIP) --editable '.$(call WITH,bench)'
	@touch $@ .venv/.installed

# An environment of the right Python is kept; one of another is made anew, and so are its stamps.
.venv/.made-%:
	@found=; without=; \
	for each in $(or $(PYTHON),python3.13 python3.12 python3.11 python3); do \
	  $$each -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null || continue; \
	  if $$each -c 'import ensurepip, venv' 2>/dev/null; then found=$$each; break; fi; \
	  without=$${without:-$$each}; \
	done; \
	if [ -z "$$found" ] && [ -n "$$without" ]; then \
	  echo "popout: $$without cannot make virtual environments. On Debian: sudo apt install python3-venv" >&2; exit 1; \
	elif [ -z "$$found" ]; then \
	  echo "popout: no Python 3.11, 3.12 or 3.13 was found as $(or $(PYTHON),python3). Install one, or name it:" \
	    "make play PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	version='import sys; print(sys.version_info[:2], sys.platform)'; \
	if [ "$$($(NOW) -c "$$version" 2>/dev/null)" != "$$($$found -c "$$version")" ] || \
	  ! $(NOW) -m pip --version >/dev/null 2>&1; then \
	  echo "Making .venv with $$found ..."; \
	  $$found -m venv --clear .venv || exit 1; \
	fi; \
	rm -f .venv/.made-*; touch $@
