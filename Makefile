PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint bench clean

$(VENV)/base: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[solve]"
	touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable ".[dev]"
	touch $@

demo: $(VENV)/base  ## play the model-free agents on a quick suite, print the table, write the report
	$(BIN)/backburner run timearena/quick --agent random --agent first-legal --agent serial \
	  --agent greedy --agent oracle --seeds 3 --out demo-run
	$(BIN)/backburner run recipe2plan/quick --agent random --agent serial --agent greedy --agent oracle \
	  --seeds 3 --out demo-run
	$(BIN)/backburner run robotouille/quick --agent random --agent first-legal --agent greedy --agent oracle \
	  --seeds 3 --out demo-run
	$(BIN)/backburner run collab_overcooked/quick --agent random --agent first-legal --agent greedy --agent oracle \
	  --seeds 3 --out demo-run
	$(BIN)/backburner run cuisineworld/quick --agent greedy --agent random --seeds 3 --out demo-run
	$(BIN)/backburner report demo-run

test: $(VENV)/dev lint  ## lint, types, tests
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev  ## speed, printed; nothing is asserted
	$(BIN)/python -m pytest benchmarks --benchmark-enable --benchmark-only

clean:
	rm -rf $(VENV) demo-run build dist
