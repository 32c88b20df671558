# Read→Do. `make run` starts the product, `make test` proves it; neither needs anything but Python ≥ 3.11.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := functions layers/domain local tests

.PHONY: help run link dev test test-rest test-all check format lint types templates generated generate soak replay guards conformance fuzz bench \
  bench-extract evals build deploy key token destroy restore cost scale pins clean

help: ## what there is to do
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/.local ## start Read→Do on this machine (PORT=4600)
	@exec $(BIN)/python local/run.py

LINK ?= $(HOME)/.local/bin
link: $(VENV)/.local ## put the command `readdo` on your PATH (LINK=~/.local/bin)
	@mkdir -p "$(LINK)" && ln -sfn "$(CURDIR)/local/readdo" "$(LINK)/readdo" && echo "readdo is in $(LINK)"

dev: $(VENV)/.dev $(VENV)/.layers ## install what working on it needs, and the hooks that check each commit
	@$(BIN)/pre-commit install >/dev/null && echo "Ready. Each commit is checked by .pre-commit-config.yaml; then run: make test"

PYTEST = $(BIN)/python -m pytest -n auto --dist worksteal
test: $(VENV)/.dev ## what a change is likely to break; no network, no container, no key
	@READDO_TIER=test $(PYTEST)

test-rest: $(VENV)/.dev $(VENV)/.layers ## what `make test` leaves out: browser, packing, local stack, cloud, all faults
	@READDO_TIER=rest $(PYTEST)

test-all: test test-rest ## both

check: $(VENV)/.dev format lint types templates generated test ## what a change must pass; CI runs it and test-rest

format: $(VENV)/.dev
	@$(BIN)/ruff format --check --quiet $(SOURCES) || { echo "Not formatted. Run: $(BIN)/ruff format $(SOURCES)"; exit 1; }

lint: $(VENV)/.dev
	@$(BIN)/ruff check --quiet $(SOURCES)

# Beside the settings of the code: a test may replace a method, and call what has no types.
TEST_TYPES = $(BIN)/mypy --cache-dir .mypy_cache/tests --implicit-reexport --allow-untyped-calls --no-warn-return-any \
  --disable-error-code=method-assign --disable-error-code=func-returns-value
# Imported from tests/, so one run reads them all. Every other folder is on pytest's path itself, with its own conftest.
TEST_PACKAGES = $(patsubst %/__init__.py,%,$(wildcard tests/*/__init__.py)) tests/unit/render
TEST_FOLDERS = $(patsubst %/,%,$(sort $(dir $(shell find tests -name 'test_*.py'))))
types: $(VENV)/.dev
	@$(BIN)/mypy layers/domain/readdo
	@for room in extract http_api pages lease summarize score todos card gate record_failure export heartbeat announce deliver backup restore read_file import_lines mark mirror; do \
	  $(BIN)/mypy functions/$$room/$$room.py || exit 1; done
	@$(BIN)/mypy local/stack local/run.py local/runtime_loop.py local/generate.py local/terminal local/packing local/cloud
	@MYPYPATH=tests/packing:tests/flow $(TEST_TYPES) --exclude /fixture/ tests/conftest.py $(TEST_PACKAGES)
	@for folder in $(filter-out $(TEST_PACKAGES) $(addsuffix /%,$(TEST_PACKAGES)),$(TEST_FOLDERS)); do \
	  MYPYPATH=$$folder:tests/packing:tests/flow $(TEST_TYPES) $$folder/*.py || exit 1; done

templates: $(VENV)/.dev
	@$(BIN)/cfn-lint template.yaml
	@PYTHONPATH=tests $(BIN)/python -m support.template > $(VENV)/transformed.json && $(BIN)/cfn-lint $(VENV)/transformed.json
	@for machine in statemachine/*.asl.json; do \
	  sed 's/\$${[A-Za-z]*Arn}/arn:aws:lambda:eu-central-1:123456789012:function:room/' $$machine > $(VENV)/asl.json; \
	  $(BIN)/statelint $(VENV)/asl.json || { echo "in $$machine"; exit 1; }; done

generated: $(VENV)/.dev
	@$(BIN)/python local/generate.py --check

generate: $(VENV)/.dev ## write anew what is made from tables and models: docs/lifecycles.md, the API's description
	@$(BIN)/python local/generate.py

bench-extract: $(VENV)/.dev ## how well saved pages are read (DIR=folder of NAME.html and NAME.txt)
	@PYTHONPATH=functions/extract:layers/domain:tests $(BIN)/python tests/bench/extract_bench.py $(or $(DIR),tests/bench/pages)

evals: $(VENV)/.dev ## judge an engine by the cases (ARGS="--engine openai --out report.html --fail-on P2")
	@PYTHONPATH=tests:layers/domain $(BIN)/python -m evals $(ARGS)

# Every room beside every other, as the tests see them.
ROOMS := $(subst $(eval ) ,:,$(wildcard functions/*)):layers/domain:tests
cost: $(VENV)/.dev ## what 1,000 items cost on AWS, from the calls that one makes (ARGS="--json FILE --input-tokens 3000")
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m bench.cost $(ARGS)

scale: $(VENV)/.dev ## where AWS's limits are and at what load each is met; writes the tables of docs/scale.md
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m bench.scale

bench: $(VENV)/.layers ## how fast, how large and how dear it is, beside what is promised (ARGS="--only imports sizes")
	@PYTHONPATH=$(ROOMS):local:tests/packing:tests/flow $(BIN)/python -m bench.run $(ARGS)

soak: $(VENV)/.layers ## the long form of the tests of faults, races and bad input, then histories (HISTORIES=1000000 PAIRS=50 SEED=…)
	@READDO_FAULTS=all READDO_PAIRS=$(or $(PAIRS),50) READDO_SEED=$(or $(SEED),$(shell date +%s)) READDO_RACES=2000 READDO_FUZZ=long \
	  $(BIN)/python -m pytest -n auto --dist worksteal tests/faults tests/races tests/fuzz
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m simulation soak $(or $(HISTORIES),1000000) $(if $(SEED),--first $(SEED))

replay: $(VENV)/.dev ## tell one history of the simulation, act by act (SEED=…)
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m simulation replay $(SEED)

guards: $(VENV)/.dev ## take out each guard of each write, one at a time, and show the test that dies (ARGS="--only WORDS")
	@PYTHONPATH=tests:layers/domain $(BIN)/python -m guards $(ARGS)

conformance: $(VENV)/.dev ## the tests' double beside moto and ministack, or what AWS_ENDPOINT_URL names (ARGS="--only WORDS")
	@PYTHONPATH=$(ROOMS) $(BIN)/python -m conformance $(ARGS)

fuzz: $(VENV)/.dev ## bend the description against a stack that runs (URL=… TOKEN=…); it fills that owner's inbox
	@$(BIN)/schemathesis run "$(URL)/openapi.json" -u "$(URL)" -H "Authorization: Bearer $(TOKEN)" \
	  --exclude-operation-id revokeToken --phases examples,coverage,fuzzing,stateful -n 30 --max-time 180 \
	  -c not_a_server_error,status_code_conformance,content_type_conformance \
	  -c response_headers_conformance,response_schema_conformance \
	  --generation-database none --request-timeout 60 --continue-on-failure

build: $(VENV)/.deploy ## build what goes to AWS, and print how large it is (PYTHON313=… if it isn't found)
	@SAM_CLI_TELEMETRY=0 MAKEFLAGS=--no-print-directory $(VENV)/deploy/bin/sam build
	@PYTHONPATH=local $(VENV)/deploy/bin/python -m packing sizes .aws-sam/build

CLOUD := $(BIN)/python -I local/cloud/__main__.py
deploy: $(VENV)/.local ## put it onto your own AWS account (STACK=readdo REGION=… AWS_PROFILE=…)
	@$(CLOUD) check
	@$(MAKE) --no-print-directory build
	@PATH="$(CURDIR)/$(VENV)/deploy/bin:$$PATH" $(CLOUD) deploy

key: $(VENV)/.local ## store a model's key there, encrypted, from a hidden prompt or a pipe
	@$(CLOUD) key

token: $(VENV)/.local ## make a token for what is deployed there (OWNER=me NAME=… DAYS=365)
	@$(CLOUD) token

destroy: $(VENV)/.local ## take it away from there; its data stays unless DATA=delete
	@$(CLOUD) destroy

restore: $(VENV)/.local ## put back what was lost there, as it was at a time (AT=2026-11-18T10:00:00Z)
	@$(CLOUD) restore

# The lists hold versions and checksums, and never the address they come from: that is each machine's own business.
PIN := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --custom-compile-command "make pins"
pins: $(VENV)/.dev ## compile requirements/*.in to versions and checksums (UPGRADE=1: to the newest versions)
	@$(PIN) $(if $(UPGRADE),--upgrade) requirements/dev.in -o requirements/dev.txt
	@$(PIN) $(if $(UPGRADE),--upgrade) requirements/deploy.in -o requirements/deploy.txt
	@$(PIN) requirements/local.in -c requirements/dev.txt -o requirements/local.txt
	@$(PIN) --no-deps requirements/font.in -o layers/font/requirements.txt
	@$(PIN) requirements/base.in -c requirements/dev.txt -o layers/base_deps/requirements.txt
	@# Every function that has another layer has the base too: what lies there is not packed twice.
	@for need in extract ai render pages; do \
	  $(PIN) requirements/$$need.in -c requirements/dev.txt -o layers/$${need}_deps/requirements.txt \
	    $$(sed -n 's/^\([A-Za-z0-9._-]*\)==.*/--no-emit-package \1/p' layers/base_deps/requirements.txt) || exit 1; done

clean: ## forget the virtual environment, what was built and the tools' caches; your data in .local stays
	@rm -rf $(VENV) .aws-sam .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -prune -exec rm -rf {} +

# The lists are whole, so nothing is resolved anew: what was compiled is what is installed.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes

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

$(VENV)/.deploy: requirements/deploy.txt | $(VENV)/bin/python
	@echo "Installing what builds and deploys (SAM, about half a minute, once) …"
	@$(BIN)/python -m venv $(VENV)/deploy
	@$(VENV)/deploy/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $< && touch $@

# The layers once more, for this machine: the tests import each function from them alone.
$(VENV)/.layers: $(wildcard layers/*/requirements.txt local/packing/*.py) | $(VENV)/.dev
	@echo "Building the layers for this machine, for the tests (once) …"
	@PYTHONPATH=local $(BIN)/python -m packing host $(VENV)/layers && touch $@
