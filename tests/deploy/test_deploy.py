"""What others run Kletka with: read by its linters, and its commands by our own command line."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from kletka.cli import app

ROOT = Path(__file__).parents[2]
DOCKERFILE, COMPOSE = ROOT / "Dockerfile", ROOT / "compose.yaml"
CADDYFILE, UNIT, EXAMPLE = (ROOT / "deploy" / name for name in ("Caddyfile", "kletka.service", "example.env"))
SECRETS = {"POSTGRES_PASSWORD", "VALKEY_PASSWORD", "KLETKA_METRICS_TOKEN"}


def checked(*words: str | Path) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, timeout=60)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def served(words: list[str]) -> dict[str, Any]:
    """What `kletka serve` understands of its words. Raises where it doesn't."""
    assert words[0] == "serve"
    group: Any = typer.main.get_command(app)
    context = group.commands["serve"].make_context("serve", words[1:])
    return dict(context.params)


def compose() -> dict[str, Any]:
    said: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())
    return said


def example() -> dict[str, str]:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def test_the_dockerfile_passes_its_linter() -> None:
    assert checked(Path(sys.prefix) / "bin" / "hadolint", DOCKERFILE) == ""


def test_the_image_serves_as_its_own_user_and_says_how_it_is() -> None:
    stage = DOCKERFILE.read_text().split("\nFROM ")[-1]
    lines = dict(line.split(" ", 1) for line in stage.replace("\\\n", " ").splitlines() if re.match("[A-Z]+ ", line))
    assert lines["USER"] not in ("root", "0")
    assert "/health" in lines["HEALTHCHECK"]
    params = served(json.loads(lines["CMD"]))
    assert (params["host"], str(params["data"])) == ("0.0.0.0", lines["VOLUME"])
    assert json.loads(lines["ENTRYPOINT"]) == ["kletka"]
    assert f"127.0.0.1:{params['port']}/health" in lines["HEALTHCHECK"]


def test_the_image_is_built_from_what_it_needs_alone() -> None:
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and line[0] != "#"]
    assert patterns[0] == "*", "what isn't named stays away"
    named = {pattern[1:] for pattern in patterns if pattern.startswith("!")}
    assert all((ROOT / name).exists() for name in named)
    assert {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE", "build_tools", "cpp", "src", "web"} == named


def test_the_compose_file_follows_the_specification() -> None:
    checked(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", COMPOSE)


def test_the_services_belong_together() -> None:
    said = compose()
    services = said["services"]
    assert set(services) == {"kletka", "postgres", "valkey", "caddy"}
    assert all("healthcheck" in service for name, service in services.items() if name != "kletka")
    assert {name for name, service in services.items() if "ports" in service} == {"caddy"}, "only the proxy is open"
    for service in services.values():
        for other, how in service.get("depends_on", {}).items():
            assert other in services
            assert how == {"condition": "service_healthy"}
        named = {str(volume).split(":")[0] for volume in service.get("volumes", [])}
        assert {name for name in named if not name.startswith(".")} <= set(said["volumes"])
        assert all((ROOT / name).is_file() for name in named if name.startswith("."))
        assert set(service["networks"]) <= set(said["networks"])
    params = served([re.sub(r"\$\{(\w+)[^}]*\}", lambda v: example()[v[1]], w) for w in services["kletka"]["command"]])
    assert params["processes"] == 2
    assert services["caddy"]["environment"]["KLETKA_UPSTREAM"] == f"kletka:{params['port']}"


def test_passwords_come_from_a_file_of_their_own() -> None:
    text = COMPOSE.read_text()
    assert set(re.findall(r"(?<!\$)\$\{(\w+)", text)) == set(example())
    assert {name for name, value in example().items() if value == ""} == SECRETS, "the example gives none away"
    for name in SECRETS:
        assert re.findall(rf"(?<!\$)\$\{{{name}([^}}]*)", text)[0].startswith(":?"), "an empty one is noticed"


def test_the_proxy_passes_all_but_what_is_inside() -> None:
    text = CADDYFILE.read_text()
    assert text.count("{\n") == len(re.findall(r"^\s*\}$", text, re.M))
    assert "reverse_proxy {$KLETKA_UPSTREAM:127.0.0.1:8000}" in text
    assert "@inside path /metrics /ready\n\trespond @inside 404" in text


def test_the_proxy_reads_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KLETKA_SITE", "kletka.example")
    checked("caddy", "validate", "--adapter", "caddyfile", "--config", CADDYFILE)
    checked("caddy", "fmt", "--diff", CADDYFILE)


def unit() -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for line in UNIT.read_text().splitlines():
        if line and line[0] not in "#[":
            name, value = line.split("=", 1)
            said.setdefault(name, []).append(value)
    return said


def test_the_unit_serves_as_nobody_who_may_anything() -> None:
    said = unit()
    (command,) = said["ExecStart"]
    words = shlex.split(command.replace("${STATE_DIRECTORY}", "/var/lib/kletka").replace("$KLETKA_SERVE", "--port 80"))
    assert served(words[1:])["grace"] < int(said["TimeoutStopSec"][0])
    assert said["DynamicUser"] == ["yes"]
    assert said["ProtectSystem"] == ["strict"]
    assert said["CapabilityBoundingSet"] == [""]
    assert said["EnvironmentFile"] == ["-/etc/kletka.env"], "secrets are in a file of their own, which may be missing"
    assert "Environment" not in said


def test_the_line_that_the_unit_shows_is_understood() -> None:
    (line,) = re.findall(r"^#\s+KLETKA_SERVE=(.*)$", UNIT.read_text(), re.M)
    assert served(["serve", *shlex.split(line)])["processes"] == 4


def test_the_unit_is_one_for_systemd(tmp_path: Path) -> None:
    here = tmp_path / "kletka.service"
    here.write_text(UNIT.read_text().replace("/opt/kletka/bin/kletka", "/bin/true"))
    assert checked("systemd-analyze", "verify", "--man=no", here) == ""
    said = checked("systemd-analyze", "security", "--offline=true", "--threshold=20", here)
    assert "Overall exposure level" in said
