"""What the documents show is true: examples run, links lead somewhere, the tables match the code."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from kletka.games import game, presets
from tests.conftest import ROOT

DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def test_the_examples_of_the_readme_run() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 5
    assert results.failed == 0


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_to_files(document: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", document.read_text("utf-8")):
        if "://" not in link:
            assert (document.parent / link).exists(), link


def test_the_record_in_the_documents_reads() -> None:
    from kletka.records import parse

    (example,) = re.findall(r"```\n(\[game .*?)```", (ROOT / "docs" / "records.md").read_text("utf-8"), re.DOTALL)
    record = parse(example)
    assert record.result is not None
    assert record.result.winners == {0}


def test_the_spec_of_every_preset_is_canonical() -> None:
    for _, preset in presets():
        assert game(preset.spec).spec == preset.spec


def test_the_limits_in_the_documents_are_the_server_s() -> None:
    from kletka.server import Rates, thinking, turns
    from kletka.tables.table import MOST_ASKS

    section = (ROOT / "docs" / "operations.md").read_text("utf-8").partition("## Limits")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:4] for line in section.splitlines() if line.startswith("| ")][2:]
    shown = {
        what.split()[0]: [int(n) for n in re.findall(r"[0-9]+", f"{browser} {address}")]
        for what, browser, address in rows
    }
    rates = Rates()
    times = rates.at_one_address
    assert shown["tables"] == [rates.tables_a_minute, rates.tables_a_minute * times]
    assert shown["requests"] == [rates.requests_a_second, rates.requests_a_second * times]
    assert shown["sockets"] == [rates.sockets, rates.sockets, rates.sockets * times]
    assert shown["messages"] == [rates.messages_a_second, rates.messages_a_second * times]
    assert shown["boards"] == [turns.MOST_BOARDS_OF_ONE, thinking.MOST_OF_ONE]
    assert shown["offers,"] == [MOST_ASKS]


def test_the_script_of_the_page_stays_small() -> None:
    import gzip
    from importlib.resources import files

    from kletka.server.templating import built

    script = files("kletka.server") / built()["script"].removeprefix("/")
    assert len(gzip.compress(script.read_bytes(), 9)) <= 20_000
