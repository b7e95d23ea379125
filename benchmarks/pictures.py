"""Pictures of every page: 360 px and wide, light and dark, three languages. Writes pictures/*.png and sheets of them.

make pictures
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from kletka.words import LANGUAGES
from tests.conftest import ROOT
from tests.e2e.conftest import BROWSER_ARGUMENTS
from tests.serving import Served

FOLDER = ROOT / "pictures"
SIZES = {"360": (360, 760), "wide": (1280, 860)}
GAMES = {
    "classic": ("tictactoe", "b2 a1 c3 a3 a2 c2"),
    "won": ("tictactoe", "b2 a1 c3 a3 a2 c2 b1 c1 b3"),
    "qubic": ("tictactoe:shape=4x4x4", "1a1 1d4 2b2 3b2 3c3 2c2 4d4"),
    "five": ("tictactoe:shape=15x15,line=5", "h8 i9 g7"),
}


def _open(page: Page, url: str, lang: str, spec: str) -> str:
    page.goto(f"{url}/{lang}/")
    page.evaluate(
        """([lang, spec]) => { const f = document.createElement("form"); f.method = "post";
        f.action = `/${lang}/tables`;
        for (const [k, v] of [["spec", spec], ["with", "friend"]]) { const i = document.createElement("input");
        i.name = k; i.value = v; f.append(i); } document.body.append(f); f.submit(); }""",
        [lang, spec],
    )
    page.wait_for_url("**/t/*")
    return page.url


def _play(host: Page, friend: Page, moves: str) -> None:
    for number, move in enumerate(moves.split()):
        mover, other = (host, friend) if number % 2 == 0 else (friend, host)
        mover.locator(f'[data-place="{move}"]').click()
        for page in (mover, other):
            page.wait_for_selector(f"kletka-table [data-moves] li:nth-child({number + 1})")


def _tables(contexts: tuple[BrowserContext, BrowserContext], url: str, lang: str) -> dict[str, tuple[str, str]]:
    """Tables in several moments: name -> (address, who looks: host or friend)."""
    host, friend = contexts[0].new_page(), contexts[1].new_page()
    shown = {"waiting": (_open(host, url, lang, "tictactoe:shape=4x4x4"), "host")}
    shown["invited"] = (shown["waiting"][0], "friend")
    for name, (spec, moves) in GAMES.items():
        address = _open(host, url, lang, spec)
        friend.goto(address)
        friend.locator("[data-part=take] button").first.click()
        friend.wait_for_selector("kletka-table[data-live=on]")
        host.wait_for_selector("kletka-table[data-live=on][data-to='0']")
        _play(host, friend, moves)
        shown[name] = (address, "host")
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
                    "rules": f"/{lang}/rules/tictactoe",
                    "setup": f"/{lang}/new/tictactoe",
                    "refused": f"/{lang}/t/nosuch",
                }
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
                                if name in tables:
                                    page.wait_for_selector("kletka-table[data-live=on]")
                                file = FOLDER / f"{name}-{lang}-{size}-{theme}.png"
                                page.screenshot(path=file, full_page=name in ("home", "setup"))
                                files.append(file)
                            context.close()
                    _sheet(browser, files, FOLDER / f"sheet-{lang}-{size}.png", width if size == "360" else 640)
            browser.close()
    finally:
        served.stop()
    print(f"pictures in {FOLDER}")


if __name__ == "__main__":
    main()
