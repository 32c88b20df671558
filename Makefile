# Read→Do. `make run` starts the product, `make test` proves it; neither needs anything but Python ≥ 3.11.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := functions layers/domain local tests

.PHONY: help run link test check format lint types templates generated generate bench-extract pins clean

help: ## what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.local ## start Read→Do on this machine (PORT=4600)
	@exec $(BIN)/python local/run.py

LINK ?= $(HOME)/.local/bin
link: $(VENV)/.local ## put the command `readdo` on your PATH (LINK=~/.local/bin)
	@mkdir -p "$(LINK)" && ln -sfn "$(CURDIR)/local/readdo" "$(LINK)/readdo" && echo "readdo is in $(LINK)"

test: $(VENV)/.dev ## every test; no network, no container, no key
	@$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev format lint types templates generated test ## all that CI runs

format: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet $(SOURCES) || { echo "Not formatted. Run: $(BIN)/ruff format $(SOURCES)"; exit 1; }

lint: $(VENV)/.dev
	@$(BIN)/ruff check --quiet $(SOURCES)

types: $(VENV)/.dev
	@$(BIN)/mypy layers/domain/readdo
	@MYPYPATH=layers/domain:functions/extract $(BIN)/mypy functions/extract/extract.py
	@MYPYPATH=layers/domain:functions/http_api $(BIN)/mypy functions/http_api/http_api.py
	@for room in lease summarize score todos card gate record_failure export heartbeat; do \
	  $(BIN)/mypy functions/$$room/$$room.py || exit 1; done
	@MYPYPATH=layers/domain:local $(BIN)/mypy local/stack local/run.py local/worker.py local/runtime_loop.py local/generate.py
	@MYPYPATH=local $(BIN)/mypy local/terminal

templates: $(VENV)/.dev
	@$(BIN)/cfn-lint template.yaml
	@for machine in statemachine/*.asl.json; do \
	  sed 's/\$${[A-Za-z]*Arn}/arn:aws:lambda:eu-central-1:123456789012:function:room/' $$machine > $(VENV)/asl.json; \
	  $(BIN)/statelint $(VENV)/asl.json || { echo "in $$machine"; exit 1; }; done

generated: $(VENV)/.dev
	@$(BIN)/python local/generate.py --check

generate: $(VENV)/.dev ## write anew what is made from tables and models: docs/lifecycles.md, the API's description
	@$(BIN)/python local/generate.py

# Versions are compiled without the address of where they come from: that is the business of each machine.
PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
  --no-annotate --custom-compile-command "make pins"
bench-extract: $(VENV)/.dev ## how well saved pages are read (DIR=folder of NAME.html and NAME.txt)
	@PYTHONPATH=functions/extract:layers/domain:tests $(BIN)/python tests/bench/extract_bench.py $(or $(DIR),tests/bench/pages)

pins: $(VENV)/.dev ## compile requirements/*.in anew
	@$(BIN)/python -m pip install --quiet uv
	@$(PIN) --upgrade requirements/dev.in -o requirements/dev.txt
	@$(PIN) requirements/local.in -c requirements/dev.txt -o requirements/local.txt
	@for need in base extract render; do \
	  $(PIN) requirements/$$need.in -c requirements/dev.txt -o layers/$${need}_deps/requirements.txt || exit 1; done

clean: ## forget the virtual environment and the tools' caches; your data in .local stays
	@rm -rf $(VENV) .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +

# The lists are whole, so nothing is resolved anew: what was compiled is what is installed.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Read→Do needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Say which: make run PYTHON=python3.13"; exit 1; }
	@echo "First run: making a virtual environment in $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.local: requirements/local.txt layers/font/requirements.txt | $(VENV)/bin/python
	@echo "Installing what Read→Do needs (about a minute, once) …"
	@$(INSTALL) -r requirements/local.txt -r layers/font/requirements.txt && touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.local
	@echo "Installing what the tests need (once) …"
	@$(INSTALL) -r requirements/dev.txt && touch $@
