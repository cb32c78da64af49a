# `make` or `make help` says what there is. Everything is installed into .venv; nothing outside this folder is changed
# (as root on Debian or Ubuntu, a missing python3-venv or libseccomp2 is installed with apt-get).

DATA ?= var/assay
PORT ?= 8000
SEEDS ?= 50
FUZZ_S ?= 300
GRADINGS ?= 500
FAULTS ?= 100
BIN := .venv/bin
GPU_PYTHON ?= $(if $(wildcard $(BIN)/python),$(BIN)/python,python3)
AS_IN_GRADESCOPE := tests/gradescope $(addprefix tests/worker/test_,conformance.py endings.py gradescope_probes.py)
IN_CONTAINERS := $(addprefix tests/worker/test_,conformance.py endings.py containers.py container_probes.py)
STAMPS := pyproject.toml requirements.lock scripts/install deploy/install.py deploy/dependencies.py
# Our modules are compiled once, also where the shell forbids it: tests start our programs hundreds of times.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help demo up test test-long test-fast test-times test-docker test-assignment test-compose test-gradescope test-postgresql test-parts gpu-check client fuzz lint format lock vulnerabilities sbom bench load chaos verify screenshots gallery stability blind-spots clean

help: ## Say what there is
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: .venv/installed-embedded ## Try three files as a student would, and see what comes back (under a minute once installed)
	@$(BIN)/python -P scripts/demo.py

up: .venv/installed-embedded ## Run everything here until Ctrl-C; prints the address and the tokens (DATA=, PORT=)
	@$(BIN)/assay up --data-dir "$(DATA)" --port $(PORT)

test: lint test-parts ## Lint, types, import rules and the tests, all but the long ones
	@$(BIN)/python -m pytest $(if $(TEST_LONG),,--brief) --junitxml=build/tests.xml

test-long: .venv/installed-dev test-parts ## The long ones: all submissions with known verdicts, attacks, whole stories, services that are killed
	@$(BIN)/python -m pytest --long --junitxml=build/tests-long.xml

# What tests need besides Python: a browser, PostgreSQL, a learning platform, an image where there is Docker.
test-parts: .venv/installed-dev
	@scripts/browser
	@scripts/postgresql
	@scripts/lti-platform
	@scripts/docker-sandbox --refresh

test-fast: .venv/installed-dev ## The tests that are done soonest, over all packages (under a minute)
	@$(BIN)/python -m pytest --fast

test-times: .venv/installed-dev ## What the last `make test` and `make test-long` took: writes docs/testing.md and tests/seconds.json
	@$(BIN)/python -m scripts.test_times $(wildcard build/tests-long.xml) build/tests.xml

test-docker: .venv/installed-dev ## Conformance suite and probes in containers, with runc and with gVisor (long)
	@scripts/docker-sandbox
	@ASSAY_TEST_DOCKER=1 $(BIN)/python -m pytest $(IN_CONTAINERS) -k "not zygote"

test-assignment: .venv/installed-dev ## A whole assignment on a real service: verified, served, submitted as one package (half an hour)
	@ASSAY_TEST_ASSIGNMENT=1 $(BIN)/python -m pytest --numprocesses=0 tests/assay/test_whole_assignment_live.py

test-compose: .venv/installed-dev ## docker-compose.yml for real: a student, kills, networks, every probe (a quarter of an hour)
	@scripts/docker-images --gpu
	@scripts/docker-services
	@ASSAY_TEST_COMPOSE=1 $(BIN)/python -m pytest --numprocesses=0 tests/deploy/test_compose.py

test-gradescope: .venv/installed-dev ## The autograder for Gradescope in a container laid out as theirs; conformance suite, every probe (half an hour)
	@scripts/docker-gradescope
	@ASSAY_TEST_GRADESCOPE=1 $(BIN)/python -m pytest $(AS_IN_GRADESCOPE) -k "gradescope"

test-postgresql: .venv/installed-dev ## The tests of the service and its pages, all of them on PostgreSQL
	@scripts/postgresql
	@scripts/lti-platform
	@TEST_DATABASE=postgresql $(BIN)/python -m pytest tests/app tests/lti tests/web

gpu-check: ## The GPU stage and its sandbox on this machine's GPU; docs/gpu.md says what it needs (some five minutes; GPU_PYTHON=)
	@"$(GPU_PYTHON)" -m benchmarks.gpu_check

fuzz: .venv/installed-dev ## Send the service what its OpenAPI document allows and forbids, as everybody; a second for each answer (half an hour; FUZZ_S=)
	@scripts/postgresql
	@FUZZ_S=$(FUZZ_S) $(BIN)/python -m pytest --numprocesses=0 tests/app/test_fuzz.py

lint: .venv/installed-dev ## Style, types and the direction of imports
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --num-workers 2
	@$(BIN)/lint-imports

format: .venv/installed-dev ## Put the code into the form that `make lint` asks for
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

lock: .venv/installed-dev ## Write requirements.lock anew, with the newest versions and their hashes
	@scripts/lock

vulnerabilities: .venv/installed-dev ## Renew what is known against the locked packages; the tests read it offline (ADVISORIES=)
	@$(BIN)/python -m scripts.vulnerabilities $(if $(ADVISORIES),"$(ADVISORIES)")

sbom: .venv/installed-dev ## List the packages of the client's wheel and of each image, as CycloneDX, into dist
	@$(BIN)/python deploy/sbom.py assay-client dist/assay-client.cdx.json
	@$(BIN)/python deploy/sbom.py assay-app dist/assay-app.cdx.json server --bundled app/web/editor/package-lock.json
	@$(BIN)/python deploy/sbom.py assay-worker dist/assay-worker.cdx.json worker

bench: .venv/installed-dev ## Measure what docs/performance.md quotes (a quarter of an hour, on a machine that does nothing else)
	@$(BIN)/python -m benchmarks.upload_to_verdict
	@$(BIN)/python -m benchmarks.one_file
	@$(BIN)/python -m benchmarks.stages
	@$(BIN)/python -m benchmarks.stages --submission examples/rope_on_v.py
	@$(BIN)/python -m benchmarks.sandbox_latency
	@$(BIN)/python -m benchmarks.session_cost
	@$(BIN)/python -m benchmarks.ratio
	@$(BIN)/python -m benchmarks.timing_noise
	@$(BIN)/python -m benchmarks.compare
	@$(BIN)/python -m benchmarks.growth --submissions $(GRADINGS)
	@$(BIN)/python -m benchmarks.pages

load: .venv/installed-dev ## A deadline's burst: 2,000 uploads by 500 students in a minute (ten minutes)
	@$(BIN)/python -m benchmarks.load

chaos: .venv/installed-dev ## Kill, wipe and fill whatever there is while students submit, on both databases (half an hour; FAULTS=)
	@scripts/postgresql
	@$(BIN)/python -m benchmarks.chaos --faults $(FAULTS)
	@$(BIN)/python -m benchmarks.chaos --faults $(FAULTS) --postgresql

verify: .venv/installed-dev ## Prove every challenge, and write docs/fidelity.md (an hour; ONLY=)
	@$(BIN)/python -m benchmarks.fidelity $(if $(ONLY),--only "$(ONLY)")

screenshots: .venv/installed-dev ## Make a class, grade it for real, and take the pictures in docs/screenshots (some minutes)
	@scripts/browser
	@$(BIN)/python -m scripts.screenshots

gallery: .venv/installed-dev ## Draw docs/misconceptions: where the outputs of mistakes are wrong (some minutes)
	@$(BIN)/python -m scripts.gallery

stability: .venv/installed-dev ## Grade the whole corpus on many papers: does a verdict depend on one? (hours; SEEDS=)
	@$(BIN)/python -m benchmarks.verdict_stability --seeds $(SEEDS)

blind-spots: .venv/installed-dev ## Look for papers that miss a mistake which others show (half an hour)
	@$(BIN)/python -m benchmarks.blind_spots

client: .venv/installed-dev ## Build the wheel that students install, into dist: `engine` and no exercise; its list of packages is beside it
	@$(BIN)/python scripts/client_wheel.py

clean: ## Remove what is installed and built; data directories stay
	@rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/installed-%: $(STAMPS)
	@scripts/install $*
