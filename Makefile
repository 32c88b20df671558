# Read→Do. `make run` starts the product, `make test` tests it; both need only Python ≥ 3.11.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := functions layers/domain local tests

.PHONY: help run link dev test test-rest test-all check format lint types templates generated generate soak replay guards conformance fuzz bench \
  bench-extract evals build deploy key token smoke destroy restore cost scale pins clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.local ## start Read→Do on this machine (PORT=4600)
	@exec $(BIN)/python local/run.py

LINK ?= $(HOME)/.local/bin
link: $(VENV)/.local ## add the command `readdo` to your PATH (LINK=~/.local/bin)
	@mkdir -p "$(LINK)" && ln -sfn "$(CURDIR)/local/readdo" "$(LINK)/readdo" && echo "Installed: $(LINK)/readdo"

dev: $(VENV)/.dev $(VENV)/.layers ## install the development tools and the commit hooks
	@$(BIN)/pre-commit install >/dev/null && echo "Ready. .pre-commit-config.yaml checks each commit. To test: make test"

# glibc keeps freed memory: fewer arenas and returned large blocks save 100 MB in each process.
PYTEST = MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=1000000 $(BIN)/python -m pytest -n auto --dist worksteal
test: $(VENV)/.dev ## run the fast tests; no network, container or key needed
	@READDO_TIER=test $(PYTEST)

test-rest: $(VENV)/.dev $(VENV)/.layers ## run the other tests: browser, packing, local stack, cloud, all faults
	@READDO_TIER=rest $(PYTEST) -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) # one more than cores: browsers and servers wait

test-all: test test-rest ## run all tests

check: $(VENV)/.dev format lint types templates generated test ## run all checks of a change; CI runs this and test-rest

format: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet $(SOURCES) || { echo "Not formatted. Run: $(BIN)/ruff format $(SOURCES)"; exit 1; }

lint: $(VENV)/.dev
	@$(BIN)/ruff check --quiet $(SOURCES)

types: $(VENV)/.dev
	@$(BIN)/mypy $(SOURCES)

templates: $(VENV)/.dev
	@$(BIN)/cfn-lint template.yaml
	@PYTHONPATH=tests $(BIN)/python -m support.template > $(VENV)/transformed.json && $(BIN)/cfn-lint $(VENV)/transformed.json
	@for machine in statemachine/*.asl.json; do \
	  sed 's/\$${[A-Za-z]*Arn}/arn:aws:lambda:eu-central-1:123456789012:function:room/' $$machine > $(VENV)/asl.json; \
	  $(BIN)/statelint $(VENV)/asl.json || { echo "in $$machine"; exit 1; }; done

generated: $(VENV)/.dev
	@$(BIN)/python local/generate.py --check

generate: $(VENV)/.dev ## generate docs/lifecycles.md and the API description from tables and models
	@$(BIN)/python local/generate.py

bench-extract: $(VENV)/.dev ## measure the text extraction of saved pages (DIR=folder of NAME.html and NAME.txt)
	@PYTHONPATH=layers/domain:tests $(BIN)/python tests/bench/extract_bench.py $(or $(DIR),tests/bench/pages)

evals: $(VENV)/.dev ## evaluate an engine with the test cases (ARGS="--engine openai --out report.html --fail-on P2")
	@PYTHONPATH=tests:layers/domain $(BIN)/python -m evals $(ARGS)

# All functions on one path, as in the tests.
ROOMS := $(subst $(eval ) ,:,$(wildcard functions/*)):layers/domain:tests
cost: $(VENV)/.dev ## estimate the AWS cost of 1,000 items (ARGS="--json FILE --input-tokens 3000")
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m bench.cost $(ARGS)

scale: $(VENV)/.dev ## compute the load at each AWS limit; writes the tables of docs/scale.md
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m bench.scale

bench: $(VENV)/.layers ## measure speed, size and cost against the targets (ARGS="--only imports sizes")
	@PYTHONPATH=$(ROOMS):local $(BIN)/python -m bench.run $(ARGS)

soak: $(VENV)/.layers ## run long tests of faults, races, bad input and random histories (HISTORIES=1000000 PAIRS=50 SEED=…)
	@READDO_FAULTS=all READDO_PAIRS=$(or $(PAIRS),50) READDO_SEED=$(or $(SEED),$(shell date +%s)) READDO_RACES=2000 READDO_FUZZ=long \
	  $(BIN)/python -m pytest -n auto --dist worksteal tests/faults tests/races tests/fuzz
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m simulation soak $(or $(HISTORIES),1000000) $(if $(SEED),--first $(SEED))

replay: $(VENV)/.dev ## print one history of the simulation step by step (SEED=…)
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m simulation replay $(SEED)

guards: $(VENV)/.dev ## remove each write condition in turn and show the failing test (ARGS="--only WORDS")
	@PYTHONPATH=tests:layers/domain $(BIN)/python -m guards $(ARGS)

conformance: $(VENV)/.dev ## compare the test double with moto, ministack or AWS_ENDPOINT_URL (ARGS="--only WORDS")
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m conformance $(ARGS)

fuzz: $(VENV)/.dev ## fuzz the API of a running stack (URL=… TOKEN=…); fills that owner's inbox
	@$(BIN)/schemathesis run "$(URL)/openapi.json" -u "$(URL)" -H "Authorization: Bearer $(TOKEN)" \
	  --exclude-operation-id revokeToken --phases examples,coverage,fuzzing,stateful -n 30 --max-time 180 \
	  -c not_a_server_error,status_code_conformance,content_type_conformance \
	  -c response_headers_conformance,response_schema_conformance \
	  --generation-database none --request-timeout 60 --continue-on-failure

build: $(VENV)/.deploy ## build the AWS packages and print their sizes (PYTHON313=… if it is not found)
	@SAM_CLI_TELEMETRY=0 MAKEFLAGS=--no-print-directory $(VENV)/deploy/bin/sam build
	@PYTHONPATH=local $(VENV)/deploy/bin/python -m packing sizes .aws-sam/build

CLOUD := $(BIN)/python -I local/cloud/__main__.py
deploy: $(VENV)/.local ## deploy to your AWS account (STACK=readdo REGION=… AWS_PROFILE=…)
	@$(CLOUD) check
	@$(MAKE) --no-print-directory build
	@PATH="$(CURDIR)/$(VENV)/deploy/bin:$$PATH" $(CLOUD) deploy

key: $(VENV)/.local ## store a model's API key encrypted in your AWS account
	@$(CLOUD) key

token: $(VENV)/.local ## create a token for the deployed API (OWNER=me NAME=… DAYS=365)
	@$(CLOUD) token

smoke: $(VENV)/.local ## try a deployment, or the local stack, from end to end (ORIGIN=https://… STACK=… REGION=…)
	@PYTHONPATH=local $(BIN)/python -m smoke

destroy: $(VENV)/.local ## delete the stack from AWS; data is kept unless DATA=delete
	@$(CLOUD) destroy

restore: $(VENV)/.local ## restore lost data on AWS as of a time (AT=2026-11-18T10:00:00Z)
	@$(CLOUD) restore

# The lists contain versions and checksums, but no package index, which differs per machine.
PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --custom-compile-command "make pins"
pins: $(VENV)/.dev ## pin requirements/*.in to versions and checksums (UPGRADE=1: newest versions)
	@$(PIN) $(if $(UPGRADE),--upgrade) requirements/dev.in -o requirements/dev.txt
	@$(PIN) $(if $(UPGRADE),--upgrade) requirements/deploy.in -o requirements/deploy.txt
	@$(PIN) requirements/local.in -c requirements/dev.txt -o requirements/local.txt
	@$(PIN) --no-deps requirements/font.in -o layers/font/requirements.txt
	@$(PIN) requirements/base.in -c requirements/dev.txt -o layers/base_deps/requirements.txt
	@# Functions with another layer also have the base layer, so its packages are not included twice.
	@for need in extract ai render pages; do \
	  $(PIN) requirements/$$need.in -c requirements/dev.txt -o layers/$${need}_deps/requirements.txt \
	    $$(sed -n 's/^\([A-Za-z0-9._-]*\)==.*/--no-emit-package \1/p' layers/base_deps/requirements.txt) || exit 1; done

clean: ## delete the virtual environment, builds and caches; keeps your data in .local
	@rm -rf $(VENV) .aws-sam .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +

# The lists are complete, so pip resolves nothing and installs exactly the pinned versions.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Read→Do needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V). Use another: make run PYTHON=python3.13"; exit 1; }
	@echo "First run: creating a virtual environment in $(VENV)…"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.local: requirements/local.txt layers/font/requirements.txt | $(VENV)/bin/python
	@echo "Installing the packages of Read→Do (once, about a minute)…"
	@$(INSTALL) -r requirements/local.txt -r layers/font/requirements.txt && touch $@

$(VENV)/.dev: requirements/dev.txt $(VENV)/.local
	@echo "Installing the development packages (once)…"
	@$(INSTALL) -r requirements/dev.txt && touch $@

$(VENV)/.deploy: requirements/deploy.txt | $(VENV)/bin/python
	@echo "Installing AWS SAM for builds and deploys (once, about half a minute)…"
	@$(BIN)/python -m venv $(VENV)/deploy
	@$(VENV)/deploy/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $< && touch $@

# The layers built for this machine: the tests import each function with its layers only.
$(VENV)/.layers: $(wildcard layers/*/requirements.txt local/packing/*.py) | $(VENV)/.dev
	@echo "Building the layers for the tests (once)…"
	@PYTHONPATH=local $(BIN)/python -m packing host $(VENV)/layers && touch $@
