.DEFAULT_GOAL := help
.PHONY: node-versions soak mutants help install codegen lint types oxlint oxfmt redocly format test python-clients npm-clients audit fuzz fuzz-engine fuzz-modules fuzz-long schemathesis schemathesis-environment bench bench-quick examples crash crash-faults driver network docs sdk breaking release check build clean

help: ## Lists the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

install: ## Installs the packages and compiles the node
	npm ci

build: ## Compiles src/ to dist/
	npm run --silent build

codegen: ## Rebuilds generated/ from openapi/
	node --import tsx scripts/codegen/index.ts

lint: types oxlint oxfmt redocly ## Types, oxlint, oxfmt, redocly

types:
	node node_modules/typescript-7/bin/tsc --noEmit

oxlint:
	npx oxlint

oxfmt:
	npx oxfmt --check

redocly:
	npx redocly lint --config openapi/redocly.yaml openapi/openapi.yaml

format: ## Formats the sources
	npx oxfmt

test: ## Runs the tests
	npm test

python-clients: .venv/pip ## Installs the Python clients that the tests know, and the generator of ours
	$(call python_environment,sdk,scripts/sdk/python.txt)
	$(call python_environment,aioeos,test/clients/python/aioeos.txt)
	$(call python_environment,eospy,test/clients/python/eospy.txt)
	$(call python_environment,pyntelope,test/clients/python/pyntelope.txt)

# One pip for all environments: to install pip takes longer than most of the packages.
.venv/pip:
	python3 -m venv $@ || { rm -rf $@; exit 1; }

# Installs the packages of a file: $(call python_environment,NAME,FILE). Modules are compiled when they are imported.
define python_environment
	python3 -m venv --without-pip .venv/$(1)
	.venv/$(1)/bin/python .venv/pip/lib/python3*/site-packages/pip install -q --disable-pip-version-check --no-compile -r $(2)
endef

npm-clients: ## Installs the clients and test runners from npm that run in processes of their own in tests
	npm ci --prefix test/clients/npm/ship_reader --omit=peer --ignore-scripts --no-audit --no-fund
	npm ci --prefix test/clients/npm/test_runners --ignore-scripts --no-audit --no-fund

audit: ## Looks up known holes in the packages that a node runs with
	node --import tsx scripts/audit.ts

fuzz-engine: ## Compares random programs with a naive interpreter: SECONDS=60 SEED=1
	node --import tsx test/fuzz/run.ts $(or $(SECONDS),60) $(or $(SEED),$(shell date +%s))

fuzz-modules: ## Compiles, runs and optimizes random large modules in child processes: SECONDS=60 SEED=1
	node --import tsx test/fuzz/large_modules/run.ts $(or $(SECONDS),60) $(or $(SEED),$(shell date +%s))

fuzz: schemathesis ## Fuzzes a node from the contract with schemathesis: EXAMPLES=20 SEED=1
	node --import tsx test/schemathesis/run.ts --max-examples $(or $(EXAMPLES),20) --seed $(or $(SEED),1)

fuzz-long: schemathesis ## The same for an hour: SECONDS=3600 SEED=
	node --import tsx test/schemathesis/run.ts --max-time $(or $(SECONDS),3600) --seed $(or $(SEED),$(shell date +%s))

schemathesis:
	docker info >/dev/null 2>&1 || $(MAKE) --no-print-directory schemathesis-environment

schemathesis-environment: .venv/pip
	$(call python_environment,schemathesis,test/schemathesis/requirements.txt)

crash: build ## Kills a node many times and looks whether anything is lost: KILLS=100 SEED=1 SECONDS=
	node --import tsx test/crash/run.ts

crash-faults: ## Lets every operation on files go wrong in every way: PART=1/1
	node --import tsx test/crash/faults.ts

mutants: ## Changes rules of the engine and looks whether the tests notice: COUNT=50 SEED=1 ROOMS= TESTS=
	node --import tsx test/mutants/run.ts $(or $(COUNT),50) $(or $(SEED),1)

node-versions: ## Runs the start, the store and the clients on each supported version of Node.js
	node --import tsx scripts/node_versions.ts

driver: ## Drives a node through the script that the reference was recorded with, and compares
	node --import tsx test/driver/run.ts

soak: ## Hostile load on a node, for an hour: SECONDS=3600 SEED=1
	node --import tsx test/soak/run.ts $(or $(SECONDS),3600) $(or $(SEED),1)

network: build ## Runs nodes of this project and of the reference in one network: SECONDS=3600 NODEOS= STAND_IN=
	node --import tsx test/net/mixed/run.ts $(or $(SECONDS),3600)

bench: build ## Runs the benchmarks (needs wrk for the HTTP part)
	node --import tsx bench/index.ts

examples: codegen ## Writes the examples of the contract as nodes answer them
	node --import tsx test/contract/examples/write.ts
	$(MAKE) --no-print-directory codegen

docs: ## Builds the documentation pages that the node serves
	node --import tsx scripts/codegen/index.ts --docs

sdk: ## Makes clients of the contract, in TypeScript and in Python (after make python-clients)
	node --import tsx scripts/sdk/index.ts

breaking: ## Fails when the contract breaks clients of the released one under the wrong version
	node --import tsx scripts/breaking/index.ts

release: ## Keeps the contract as released under its version
	node --import tsx scripts/breaking/index.ts --release

check: ## All that CI runs
	node --import tsx scripts/codegen/index.ts --check
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory breaking
	$(MAKE) --no-print-directory test

clean: ## Removes what was built
	rm -rf dist
