PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-integrations agreement minecraft-server lint bench docs docs-commands paper web clean

$(VENV)/base: pyproject.toml constraints.txt
	@echo 'installing into $(VENV): about a minute, most of it downloads'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --constraint constraints.txt --editable ".[solve,serve]"
	touch $@

$(VENV)/dev: $(VENV)/base
	$(BIN)/python -m pip install -qq --constraint constraints.txt --editable ".[dev]"
	touch $@

demo: $(VENV)/base  ## five agents that need no model in five worlds: the tables, and a report
	$(BIN)/backburner run timearena/quick recipe2plan/quick robotouille/quick collab_overcooked/quick cuisineworld/quick \
	  --agent greedy --agent first-legal --agent serial --agent random --agent act --model stand-in:skill=0.7 --out demo-run
	@echo 'one page for each of the 200 episodes ...'
	@> demo-run/tables.txt $(BIN)/backburner report demo-run
	@echo 'open demo-run/report.html; then: $(BIN)/backburner evaluate --model stand-in, $(BIN)/backburner serve --games demo=yes'

test: $(VENV)/dev lint  ## lint, types, tests
	$(BIN)/python -m pytest -n 2 -m "slow or not slow"

test-integrations:  ## what needs environments of its own, two parts at a time; PARTS="browser trl" for some of them
	$(PYTHON) integrations/run.py $(PARTS)

agreement: $(VENV)/base  ## Minecraft: every level as text and by bots on a server, compared after each step; ARGS="minecraft/level_1 --agent greedy"
	$(BIN)/python integrations/minecraft/agreement.py $(ARGS)

minecraft-server: $(VENV)/base  ## a server to try `backburner live` on without a Java server, until Ctrl-C; about 700 MB of npm packages, once
	$(BIN)/python integrations/minecraft/serving.py $(ARGS)

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev  ## speed, printed; nothing is asserted
	$(BIN)/python -m pytest benchmarks --benchmark-enable --benchmark-only

$(VENV)/docs: $(VENV)/base
	$(BIN)/python -m pip install -qq --constraint constraints.txt --editable ".[docs]"
	touch $@

docs-commands: $(VENV)/dev  ## every command that pages show, run in order, with a stand-in for models; about half an hour
	$(BIN)/python docs/commands.py $(ARGS)

docs: $(VENV)/docs  ## the site, in build/site/html: all pages, search, a reference made from the code
	$(BIN)/python docs/make.py
	cd build/site && $(abspath $(BIN))/zensical build --strict -f zensical.toml
	@echo 'look at it: $(BIN)/python -m http.server --directory build/site/html'

paper: $(VENV)/dev  ## the description as long as an article, as build/backburner.pdf; its tables read the data that ship
	mkdir -p build
	$(BIN)/python -c "import typst; typst.compile('paper/backburner.typ', output='build/backburner.pdf', root='.')"

web: $(VENV)/base  ## the browser's pages: the wire, types, then what `serve` ships, from npm's packages (needs Node 18 or newer)
	$(BIN)/python web/wire.py
	cd web && npm install --no-package-lock --ignore-scripts --no-audit --no-fund
	cd web && npm run --silent check && npm test --silent && npm run --silent build

clean:
	rm -rf $(VENV) .venv-integrations demo-run build dist web/node_modules web/.tests
