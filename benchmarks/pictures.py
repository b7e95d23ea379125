"""Pictures of every page: 360 px and wide, light and dark, three languages. Writes pictures/*.png and sheets of them.

make pictures
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from kletka.games import families, game
from kletka.games.registry import plugins
from kletka.records import Played, parse
from kletka.words import LANGUAGES
from tests.conftest import ROOT
from tests.e2e.conftest import BROWSER_ARGUMENTS
from tests.serving import Served

FOLDER = ROOT / "pictures"
SIZES = {"360": (360, 760), "wide": (1280, 860)}
MINE = "R8B1+Y8E0+B5A1+W2F2+S3B0"
_SPECIMEN = parse((ROOT / "docs" / "examples" / "crystals-solomon.kletka").read_text("utf-8"))
SOLOMON = " ".join(event.told for event in _SPECIMEN.events[:36] if isinstance(event, Played))
GAMES: dict[str, tuple[str, ...]] = {
    "classic": ("tictactoe", "b2 a1 c3 a3 a2 c2"),
    "won": ("tictactoe", "b2 a1 c3 a3 a2 c2 b1 c1 b3"),
    "qubic": ("tictactoe:shape=4x4x4", "1a1 1d4 2b2 3b2 3c3 2c2 4d4"),
    "five": ("tictactoe:shape=15x15,line=5", "h8 i9 g7"),
    "wild": ("tictactoe:marks=wild", "b2:x a1:o c3:o"),
    "ultimate": ("ultimate", "b2b2 b2a1 a1a1 a1b2 b2c1 c1a2 a2a1 a1c1 c1b2 b2b1"),
    "boxes": (
        "dots:size=3x3",
        "a1-b1 a4-b4 a1-a2 b1-b2 a2-b2 c3-c4 c2-c3 b3-c3 c1-d1 b3-b4 b4-c4",
    ),
    "mine": ("orapa:players=2", "B done 15 done 8 done 4E done M", MINE),
    "found": ("orapa:players=2", f"B done 15 done 8 done answer:{MINE}", MINE),
    "duel": ("orapa:mode=duel", f"hide:{MINE} hide:R10A1+Y3F2+B9D1+W1B1+S7C0 15 done 15 done B"),
    "crystals": ("crystals", SOLOMON),
    "triangle": ("dots:lattice=triangles,size=4", "a1-b1 c1-d1 a1-a2 b1-a2 c2-c3 b2-b3 b1-b2 a2-b2"),
}


def _open(page: Page, url: str, lang: str, spec: str, code: str = "", **more: str) -> str:
    page.goto(f"{url}/{lang}/")
    page.evaluate(
        """([lang, fields]) => { const f = document.createElement("form"); f.method = "post";
        f.action = `/${lang}/tables`;
        for (const [k, v] of Object.entries(fields)) {
        const i = document.createElement("input"); i.name = k; i.value = v; f.append(i); }
        document.body.append(f); f.submit(); }""",
        [lang, {"spec": spec, "with": "friend", "code": code} | more],
    )
    page.wait_for_url(lambda url: "/t/" in url or "/race/" in url)
    return page.url


def _play(host: Page, friend: Page, spec: str, moves: str, setup: str | None = None) -> None:
    state = game(spec).start(setup)
    for number, move in enumerate(moves.split()):
        mover = friend if state.to_move else host
        place = mover.locator(f'[data-place="{move}"]:not([data-lay]), [data-move="{move}"]')
        if place.count():
            place.first.click()
        else:
            # Moves of several presses, and those that ask to be pressed twice.
            mover.locator("details.twin").evaluate("twin => { twin.open = true }")
            mover.locator("#typed").fill(move)
            mover.locator("#typed").press("Enter")
            mover.locator("details.twin").evaluate("twin => { twin.open = false }")
        state = state.play(state.game.parse(move))
        for page in (host, friend):
            page.wait_for_selector(f"kletka-table [data-moves] li:nth-child({number + 1})")


def _tables(contexts: tuple[BrowserContext, BrowserContext], url: str, lang: str) -> dict[str, tuple[str, str]]:
    """Tables in several moments: name -> (address, who looks: host or friend)."""
    host, friend = contexts[0].new_page(), contexts[1].new_page()
    shown = {"waiting": (_open(host, url, lang, "tictactoe:shape=4x4x4"), "host")}
    shown["invited"] = (shown["waiting"][0], "friend")
    for name, (spec, moves, *setup) in GAMES.items():
        address = _open(host, url, lang, spec, *setup)
        friend.goto(address)
        friend.locator("[data-part=take] button").first.click()
        friend.wait_for_selector("kletka-table[data-live=on]")
        host.wait_for_selector("kletka-table[data-live=on][data-to='0']")
        _play(host, friend, spec, moves, *setup)
        shown[name] = (address, "host")
    shown["clocks"] = (_open(host, url, lang, "tictactoe", clock="total:300+5", rounds="2", hints="1"), "host")
    friend.goto(shown["clocks"][0])
    friend.locator("[data-part=take] button").first.click()
    host.wait_for_selector("kletka-table[data-live=on][data-to='0']")
    _play(host, friend, "tictactoe", "b2 a1 c3")
    host.locator("[data-what=takeback]").click()
    friend.wait_for_selector("[data-offered]")
    shown["asked"] = (shown["clocks"][0], "friend")
    shown["one-screen"] = (_open(host, url, lang, "orapa:mode=duel", **{"with": "screen"}), "host")
    shown["race"] = (_open(host, url, lang, "orapa", racers="3", name="Анна"), "host")
    host.close()
    friend.close()
    return shown


def _sheet(browser: Browser, files: list[Path], target: Path, width: int) -> None:
    page = browser.new_page(viewport={"width": 4 * (width + 20), "height": 800})
    shots = "".join(
        f'<figure style="margin:4px"><img src="{f.name}" width="{width}"><figcaption>{f.stem}</figcaption></figure>'
        for f in files
    )
    index = FOLDER / "index.html"
    index.write_text(
        f'<body style="display:flex;flex-wrap:wrap;align-items:start;font:12px sans-serif">{shots}', "utf-8"
    )
    page.goto(index.as_uri())
    page.screenshot(path=target, full_page=True)
    page.close()


def main() -> None:
    wanted = sys.argv[1:] or list(LANGUAGES)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    served = Served(Path(tempfile.mkdtemp()))
    served.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=BROWSER_ARGUMENTS)
            for lang in wanted:
                contexts = (browser.new_context(locale=lang), browser.new_context(locale=lang))
                tables = _tables(contexts, served.url, lang)
                states = [context.storage_state() for context in contexts]
                pages = {
                    "home": f"/{lang}/",
                    "refused": f"/{lang}/t/nosuch",
                    "mine": f"/{lang}/mine",
                    "papers": f"/{lang}/paper",
                    "offline": f"/{lang}/offline",
                    "study": f"/{lang}/study?spec=tictactoe&moves=b2,b1,a1,c3,a3",
                    "embed": f"/{lang}/embed/study?spec=tictactoe&moves=b2,b1,a1",
                }
                for family in families():
                    if family not in plugins():
                        pages[f"rules-{family}"] = f"/{lang}/rules/{family}"
                        pages[f"setup-{family}"] = f"/{lang}/new/{family}"
                        pages[f"learn-{family}"] = f"/{lang}/learn/{family}"
                        preset = families()[family].presets[0].id
                        pages[f"paper-{family}"] = f"/{lang}/paper/{family}/{preset}"
                for size, (width, height) in SIZES.items():
                    files = []
                    for theme in ("light", "dark"):
                        for who, state in zip(("host", "friend"), states, strict=True):
                            context = browser.new_context(
                                viewport={"width": width, "height": height},
                                color_scheme=theme,
                                storage_state=state,
                                locale=lang,
                                reduced_motion="reduce",
                            )
                            page = context.new_page()
                            listed = {name: address for name, (address, looks) in tables.items() if looks == who}
                            if who == "host":
                                listed |= {name: served.url + path for name, path in pages.items()}
                            for name, address in listed.items():
                                page.goto(address)
                                if "/t/" in address and name in tables:
                                    page.wait_for_selector("kletka-table[data-live=on]")
                                file = FOLDER / f"{name}-{lang}-{size}-{theme}.png"
                                page.screenshot(path=file, full_page=name == "home" or name.startswith("setup"))
                                files.append(file)
                                if name == "crystals":
                                    page.locator("[data-compose]").click()
                                    page.locator('[data-place="k19"]').click()
                                    page.locator("[data-act=largest]:not([aria-disabled])").click()
                                    page.wait_for_selector("[data-draft-says]:not(:empty)")
                                    composed = FOLDER / f"composed-{lang}-{size}-{theme}.png"
                                    page.screenshot(path=composed)
                                    files.append(composed)
                                if name == "qubic":
                                    page.locator("[data-stack]").click()
                                    stacked = FOLDER / f"stack-{lang}-{size}-{theme}.png"
                                    page.screenshot(path=stacked)
                                    files.append(stacked)
                            context.close()
                    _sheet(browser, files, FOLDER / f"sheet-{lang}-{size}.png", width if size == "360" else 640)
            browser.close()
    finally:
        served.stop()
    print(f"pictures in {FOLDER}")


if __name__ == "__main__":
    main()
