"""Sheets as a browser prints them: one page of the right size, in black, with text that stays on it; and the pictures
that are taken away."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

import kletka
from kletka import words
from kletka.drawing import raster
from kletka.drawing.paper import PAPERS, Paper
from kletka.games import game, presets
from kletka.server.paper_pages import blank, positioned
from tests.conformance.playing import ONE_EACH, random_game
from tests.e2e.people import in_step, new_person, start
from tests.serving import Served

POINTS = 72 / 25.4
"""A millimetre in the points of a PDF."""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all sheets."""
    context = new_person(browser, viewport={"width": 1000, "height": 800})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("size", PAPERS)
def test_every_preset_fills_one_page(served: Served, page: Page, size: Paper) -> None:
    for number, (family, preset) in enumerate(presets()):
        language = words.LANGUAGES[number % 3]
        page.goto(f"{served.url}/{language}/paper/{family.name}/{preset.id}?paper={size}")
        assert page.locator(".printed img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
        printed = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))
        assert len(printed.pages) == 1, preset.spec
        sides = sorted(float(side) for side in printed.pages[0].mediabox[2:])
        assert sides == pytest.approx([side * POINTS for side in PAPERS[size]], abs=1.5)
        drawn = printed.pages[0].extract_text()
        assert drawn.count(words.say(language, f"preset.{family.name}.{preset.id}").split()[0]) == 1
        assert words.say(language, "paper.how") not in drawn, "what is said about printing isn't printed"


def test_text_stays_on_the_page_and_ink_is_black(page: Page) -> None:
    for number, (_, preset) in enumerate(presets()):
        made = game(preset.spec)
        for language in words.LANGUAGES:
            sheet = blank(language, made, "letter" if number % 2 else "a4")
            page.set_content(f'<body style="margin:0">{sheet.svg}')
            out = page.evaluate(
                """() => {
                    const all = document.querySelector("body > svg").getBoundingClientRect();
                    return [...document.querySelectorAll("body > svg text")].filter((text) => {
                        const box = text.getBoundingClientRect();
                        return box.left < all.left + 10 || box.right > all.right - 10 || box.bottom > all.bottom - 10;
                    }).map((text) => text.textContent);
                }"""
            )
            assert out == [], preset.spec
        assert coloured(page, sheet.svg) == 0


PIXELS = """async (sources) => {
    const read = async (source) => {
        const image = new Image();
        image.src = source;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [400, Math.round(400 * image.naturalHeight / image.naturalWidth)];
        const context = canvas.getContext("2d");
        context.fillStyle = "white";
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [one, other] = [await read(sources[0]), await read(sources[1])];
    let coloured = 0, apart = 0, ink = 0;
    for (let at = 0; at < one.length; at += 4) {
        if (Math.max(one[at], one[at + 1], one[at + 2]) - Math.min(one[at], one[at + 1], one[at + 2]) > 2) coloured++;
        if (one[at] + one[at + 1] + one[at + 2] < 600) ink++;
        for (let k = 0; k < 3; k++) apart += Math.abs(one[at + k] - other[at + k]);
    }
    return { coloured, ink, apart: apart / (one.length / 4 * 3 * 255), same: one.length === other.length };
}"""


def address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def coloured(page: Page, svg: str) -> int:
    """How many dots of a picture are neither black, white nor grey; there must be some ink."""
    source = address("svg+xml", svg.encode())
    seen = page.evaluate(PIXELS, [source, source])
    assert seen["ink"] > 100
    return int(seen["coloured"])


@pytest.mark.parametrize("spec", ONE_EACH)
def test_pictures_in_dots_look_like_the_browsers(page: Page, spec: str) -> None:
    *_, step = random_game(game(spec), 3)
    svg = kletka.draw(step.after)
    page.set_content("")
    seen = page.evaluate(PIXELS, [address("svg+xml", svg.encode()), address("png", raster.png(svg))])
    assert seen["same"]
    assert seen["ink"] > 100
    assert seen["apart"] < 0.01
    # Nothing but the letters' font may differ: a picture without its marks is far away.
    *_, empty = (kletka.draw(game(spec).start()),)
    bare = page.evaluate(PIXELS, [address("svg+xml", empty.encode()), address("png", raster.png(svg))])
    assert bare["apart"] > 2 * seen["apart"]
    assert coloured(page, positioned("en", step.after, "a4").svg) == 0


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1200, "dark")])
def test_sheets_are_found_and_seen_by_everyone(served: Served, browser: Browser, width: int, scheme: str) -> None:
    context = new_person(browser, "fr", viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{served.url}/fr/")
    page.get_by_role("link", name="Sur papier").first.click()
    for address in (page.url, f"{served.url}/fr/paper/orapa/duel?paper=letter"):
        page.goto(address)
        expect(page.locator("h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]})
        assert found.response["violations"] == []
        for box in page.locator("main a, main button").evaluate_all(
            "all => all.map(one => one.getBoundingClientRect().height)"
        ):
            assert box >= 44
    page.evaluate("() => { window.print = () => document.body.dataset.asked = 'yes' }")
    page.get_by_role("button", name="Imprimer").click()
    expect(page.locator("body")).to_have_attribute("data-asked", "yes")
    context.close()


def test_a_table_offers_what_can_be_taken_away(served: Served, browser: Browser) -> None:
    context = new_person(browser)
    page = context.new_page()
    start(page, f"{served.url}/en/", "tictactoe", "engine")
    in_step(page)
    page.get_by_text("Take away").click()
    for name, ending in (("The record", ".kletka"), ("(SVG)", ".svg"), ("(PNG)", ".png")):
        with page.expect_download() as saved:
            page.locator(".export").get_by_role("link", name=name).click()
        assert saved.value.suggested_filename.startswith("tictactoe-")
        assert saved.value.suggested_filename.endswith(ending)
    page.get_by_role("link", name="on paper").click()
    expect(page.locator(".printed img")).to_be_visible()
    assert len(PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages) == 1
    context.close()
