"""`kletka games`: what can be played."""

from __future__ import annotations

from typing import Any

import typer

from kletka.cli.common import LANGUAGE, AsJson, print_json, say
from kletka.games import families, full_spec, game, schema


def games(as_json: AsJson = False) -> None:
    """List the games with their presets."""
    if as_json:
        listed: list[dict[str, Any]] = [
            {
                "spec": family.name,
                "name": say(f"game.{family.name}"),
                "language": LANGUAGE,
                "options": schema(family.name),
                "presets": [
                    {
                        "id": preset.id,
                        "spec": preset.spec,
                        "full": full_spec(game(preset.spec)),
                        "seats": game(preset.spec).seats,
                        "name": say(f"preset.{family.name}.{preset.id}"),
                    }
                    for preset in family.presets
                ],
            }
            for family in families().values()
        ]
        print_json(listed)
        return
    for family in families().values():
        print(f"{say(f'game.{family.name}')}: {say(f'game.{family.name}.line')}")
        for preset in family.presets:
            print(f"  {preset.spec:<44} {say(f'preset.{family.name}.{preset.id}')}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(games)
