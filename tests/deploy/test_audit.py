"""The audit of packages: what it reads in reports, and that silence is no clean bill."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import audit
import pytest
from audit import Found, not_from_a_registry, of_npm, of_pip_audit, read_json

from tests.conftest import ROOT

CLEAN = {"name": "jinja2", "version": "3.1.6", "vulns": []}
BAD = {"name": "urllib3", "version": "1.0", "vulns": [{"id": "PYSEC-2021-108"}, {"id": "CVE-2023-45803"}]}
SKIPPED = {"name": "babel", "skip_reason": "Dependency not found on PyPI and could not be audited: babel (2.17)"}
OURS = {"name": "kletka", "skip_reason": "distribution marked as editable"}


@pytest.mark.parametrize(
    ("report", "found"),
    [
        ({"dependencies": [CLEAN, OURS], "fixes": []}, Found(1)),
        (
            {"dependencies": [CLEAN, BAD, SKIPPED]},
            Found(2, ("babel",), ("urllib3 1.0: PYSEC-2021-108 CVE-2023-45803",)),
        ),
        ({"dependencies": [SKIPPED, OURS]}, Found(0, ("babel",))),
        ({"dependencies": []}, Found(0)),
        (None, Found(0)),
    ],
)
def test_packages_that_could_not_be_asked_about_were_not_checked(report: Any, found: Found) -> None:
    assert of_pip_audit(read_json(json.dumps(report))) == found


@pytest.mark.parametrize(
    ("report", "found"),
    [
        ({"auditReportVersion": 2, "vulnerabilities": {}, "metadata": {"dependencies": {"total": 107}}}, Found(107)),
        (
            {"vulnerabilities": {"lodash": {"severity": "high"}}, "metadata": {"dependencies": {"total": 1}}},
            Found(1, (), ("lodash: high",)),
        ),
        ({"message": "405 Method Not Allowed", "statusCode": 405, "error": {"summary": ""}}, Found(0)),
        (None, Found(0)),
    ],
)
def test_an_answer_of_another_shape_is_no_report(report: Any, found: Found) -> None:
    assert of_npm(report) == found


def test_what_is_no_json_is_no_report() -> None:
    assert read_json("<html>") is None
    assert of_pip_audit(read_json("")) == of_npm(read_json("")) == Found(0)


@pytest.mark.parametrize(
    ("found", "strict", "code", "said"),
    [
        (Found(9), False, 0, "9 packages checked, 0 vulnerable"),
        (Found(9), True, 0, "9 packages checked, 0 vulnerable"),
        (Found(0), False, 0, "advisories not reachable, NOTHING WAS CHECKED"),
        (Found(0), True, 1, "advisories not reachable, NOTHING WAS CHECKED"),
        (Found(9, ("babel",)), False, 0, "not checked: babel"),
        (Found(9, ("babel",)), True, 1, "not checked: babel"),
        (Found(9, (), ("lodash: high",)), False, 1, "VULNERABLE: lodash: high"),
        (Found(9, (), ("lodash: high",)), True, 1, "VULNERABLE: lodash: high"),
    ],
)
def test_what_is_vulnerable_fails_and_what_is_not_reached_is_said(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: Found,
    strict: bool,
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(audit, "SERVICES", {"some": lambda: found})
    assert audit.main(strict) == code
    assert f"audit: some: {said}" in " ".join(capsys.readouterr().out.split()).replace("not known there, so ", "")


def test_every_package_comes_from_a_registry() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))
    assert not_from_a_registry(project, lock) == []
    project["project"]["dependencies"].append("evil @ git+ssh://elsewhere/evil")
    lock["packages"] |= {"node_modules/evil": {"version": "1"}, "node_modules/odd": {"integrity": "x", "resolved": "y"}}
    assert not_from_a_registry(project, lock) == [
        "evil @ git+ssh://elsewhere/evil",
        "node_modules/evil",
        "node_modules/odd",
    ]
