# Cartoguide's commands; `make help` lists them. Nothing has to be installed before `make run` or `make test`.

SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON := .venv/bin/python
# a QGIS of one's own: the Python that it was built for, and the folder that it was installed to
QGIS_PYTHON ?= /usr/bin/python3
QGIS_PREFIX ?=
export QGIS_PYTHON QGIS_PREFIX
ifneq ($(QGIS_PREFIX),)
export QGIS_PREFIX_PATH := $(QGIS_PREFIX)
export QGIS_MAPSERV := $(QGIS_PREFIX)/bin/qgis_mapserv.fcgi
export PATH := $(QGIS_PREFIX)/bin:$(PATH)
export LD_LIBRARY_PATH := $(QGIS_PREFIX)/lib$(addprefix :,$(LD_LIBRARY_PATH))
export PYTHONPATH := $(QGIS_PREFIX)/share/qgis/python:$(QGIS_PREFIX)/share/qgis/python/plugins$(addprefix :,$(PYTHONPATH))
endif
OUT ?= build/demo
ARGS ?=

RELEASES ?= trixie forky

INPUTS ?= 5000

.PHONY: help setup setup-run run test demo bench package lint translations fuzz states second-hand screenshot test-matrix guide guide-test faults kills bounds network-faults soak reloads canary mutants campaigns matrices sealed pictures verdicts broken-documents properties

help: ## list these commands
	@echo "Cartoguide: catalogue records in, credited maps out. Commands:"
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1|\2/p' Makefile | while IFS='|' read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

setup: ## install what is missing for the tests (run and test do it by themselves)
	@tests/tools/setup.sh test

setup-run:
	@tests/tools/setup.sh run

# the Spanish texts and the guide's pages, made by QGIS's own Python
i18n/.built:
	@$(QGIS_PYTHON) tests/tools/translations.py release
	@$(QGIS_PYTHON) tests/tools/guide.py

.PHONY: i18n/.built

run: setup-run ## open QGIS with Cartoguide and the test network, in a profile of its own
	-@$(QGIS_PYTHON) tests/tools/translations.py release && $(QGIS_PYTHON) tests/tools/guide.py
	@tests/tools/run_qgis.sh $(ARGS)

test: setup i18n/.built ## run the tests: unit tests without QGIS, then the tests inside QGIS (ARGS=path::test runs that alone, ARGS="-k word" some, ARGS=--all the slow ones too; QGIS_PREFIX=dir another QGIS)
	@$(PYTHON) tests/tools/test.py $(ARGS)

demo: setup-run i18n/.built ## make the whole line with no display: OUT=dir gets the custom map as PDF, PNG and document, and the records' sheet
	@QT_QPA_PLATFORM=offscreen $(QGIS_PYTHON) tests/tools/demo.py --out "$(OUT)" $(ARGS)

bench: setup ## measure against peers; prints a table, writes build/bench.json
	@$(PYTHON) tests/bench/run.py $(ARGS)

package: setup i18n/.built ## build/cartoguide-VERSION.zip for QGIS's "Install from ZIP", with its bill of materials
	@$(PYTHON) tests/tools/package.py

lint: setup ## ruff, mypy, and the checks of the plugin site (bandit, detect-secrets)
	@tests/tools/lint.sh

translations: setup ## read all texts into i18n/*.ts and release them to i18n/*.qm
	@$(PYTHON) tests/tools/translations.py update
	@$(PYTHON) tests/tools/translations.py release

fuzz: setup ## feed 5,000 broken documents to every reader (INPUTS=5000, ARGS="--reader records")
	@$(PYTHON) tests/tools/fuzz.py --inputs $(INPUTS) $(ARGS)

bounds: setup ## measure time and memory of every reader at hostile documents of the largest size (half an hour)
	@$(PYTHON) tests/tools/bounds.py $(ARGS)

STATES ?= 20000
states: setup i18n/.built ## do random things to a custom map and compare all its views after each step (STATES=20000)
	@CARTOGUIDE_STATES=$(STATES) $(PYTHON) tests/tools/test.py tests/qgis/test_map_states.py -s --timeout=7200 $(ARGS)

SECOND_HAND ?= 200
second-hand: setup i18n/.built ## do to a custom map what a person does with QGIS's own hands, in random orders (SECOND_HAND=200 sequences)
	@CARTOGUIDE_SECOND_HAND=$(SECOND_HAND) $(PYTHON) tests/tools/test.py tests/qgis/test_second_hand.py -s $(ARGS)

test-matrix: ## make test on other QGIS versions, in Debian folders (as root) or containers: RELEASES="trixie forky 4.0 4.2"
	@ARGS="$(ARGS)" tests/tools/matrix.sh $(RELEASES)

guide: setup i18n/.built ## take the guide's pictures anew, in both languages
	@$(QGIS_PYTHON) tests/tools/guide_pictures.py --out resources/guide/pictures --language en,es

guide-test: setup i18n/.built ## take all of the guide's pictures and check them
	@CARTOGUIDE_ALL_PICTURES=1 $(PYTHON) tests/tools/test.py tests/qgis/test_guide_help.py $(ARGS)

faults: setup i18n/.built ## wrong answers of services in every format and way of printing: refused, healed, told or silent (ARGS="--request GetMap --run page")
	@$(QGIS_PYTHON) tests/tools/faults.py $(ARGS) 2>build/faults.log

KILLS ?= 200
kills: setup i18n/.built ## kill imports, harvests, snapshots, saves, packing, exports and moves at random moments and check what is left (KILLS=200)
	@mkdir -p build && $(QGIS_PYTHON) tests/tools/kills.py --kills $(KILLS) $(ARGS) 2>build/kills.log

canary: setup i18n/.built ## open every hostile map, also those of servers without end, and look for what it read, sent or held
	@CARTOGUIDE_CANARY=1 $(PYTHON) tests/tools/test.py tests/qgis/test_canary.py $(ARGS)

network-faults: setup i18n/.built ## every operation under every fault of a server or of the way to it (ARGS="--fault 404 --words")
	@mkdir -p build && $(QGIS_PYTHON) tests/tools/network_faults.py $(ARGS) 2>build/network-faults.log

ACTIONS ?= 10000
soak: setup i18n/.built ## do random things in a real QGIS and count what is left behind (ACTIONS=10000)
	@mkdir -p build && $(QGIS_PYTHON) tests/tools/soak.py --actions $(ACTIONS) --keep build $(ARGS)
	@CARTOGUIDE_ALL=1 $(PYTHON) tests/tools/test.py tests/qgis/test_soak.py

RELOADS ?= 60
reloads: setup-run i18n/.built ## use, unload and load the plugin in a real QGIS and count what is left behind (RELOADS=60)
	@CARTOGUIDE_RELOADS=$(RELOADS) $(PYTHON) tests/tools/test.py tests/qgis/test_reload.py $(ARGS)

# each campaign runs whatever the others said; the last lines sum up
CAMPAIGNS := states second-hand soak reloads guide-test canary matrices sealed pictures verdicts broken-documents properties fuzz kills faults network-faults bounds mutants
campaigns: setup i18n/.built ## all of what the suite does in small, at full length: hours (CAMPAIGNS="soak states")
	@mkdir -p build/campaigns; failed=; for name in $(CAMPAIGNS); do echo "campaign: $$name"; \
		$(MAKE) --no-print-directory $$name 2>&1 | tee build/campaigns/$$name.log; \
		[ $${PIPESTATUS[0]} -eq 0 ] || failed="$$failed $$name"; done; \
		echo "──"; if [ -n "$$failed" ]; then echo "campaigns: NOT all passed:$$failed"; exit 1; fi; echo "campaigns: all passed"

matrices: setup i18n/.built ## pages in each combination of template, paper, orientation, language, theme, CRS and fault
	@CARTOGUIDE_ALL=1 $(PYTHON) tests/tools/test.py $$(grep -l "from tests.pairwise import" tests/qgis/test_*.py) $(ARGS)

sealed: setup i18n/.built ## each thing that may happen during an export, in each format
	@CARTOGUIDE_ATTACKS=all $(PYTHON) tests/tools/test.py tests/qgis/test_sealed_export.py $(ARGS)

PICTURES ?= 20
pictures: setup i18n/.built ## random changes while the page's picture is drawn (PICTURES=20)
	@CARTOGUIDE_PICTURES=$(PICTURES) $(PYTHON) tests/tools/test.py tests/qgis/test_page_preview.py $(ARGS)

verdicts: setup ## the terms of every pair of texts of the gold set
	@CARTOGUIDE_ALL_PAIRS=1 $(PYTHON) tests/tools/test.py tests/unit/terms/test_verdict.py $(ARGS)

BROKEN ?= 500
broken-documents: setup i18n/.built ## feed broken documents to the readers inside QGIS (BROKEN=500 of each)
	@CARTOGUIDE_BROKEN=$(BROKEN) $(PYTHON) tests/tools/test.py tests/qgis/test_broken_documents.py $(ARGS)

properties: setup ## what holds for any document, with all examples of it
	@CARTOGUIDE_ALL=1 $(PYTHON) tests/tools/test.py tests/unit $(ARGS)

mutants: setup ## change each decision about owed credits and see that the nearest tests notice it (ARGS="--only undecided")
	@$(PYTHON) tests/tools/mutants.py $(ARGS)

screenshot: setup-run i18n/.built ## a picture of QGIS with the dock: OUT=dir gets cartoguide.png
	@tests/tools/run_qgis.sh --screenshot "$(OUT)/cartoguide.png" $(ARGS)
