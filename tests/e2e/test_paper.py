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


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page for many sheets."""
    context = new_person(browser, viewport={"width": 1000, "height": 800})
    yield context.new_page()
    context.close()


SHEETS = """async (sheets) => {
    const main = document.querySelector("main");
    main.replaceChildren();
    await Promise.all(sheets.map(([source, paper]) => {
        const [sheet, image] = [document.createElement("article"), new Image()];
        sheet.className = "printed";
        sheet.dataset.paper = paper;
        image.src = source;
        sheet.append(image);
        main.append(sheet);
        return image.decode();
    }));
}"""
"""Fills a page with the sheets of other pages."""


def printed(page: Page) -> PdfReader:
    """The page as the browser prints it."""
    return PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True, print_background=True)))


@pytest.mark.parametrize("size", PAPERS)
def test_every_preset_fills_one_page(served: Served, page: Page, size: Paper) -> None:
    page.goto(f"{served.url}/en/paper")
    listed = [(words.LANGUAGES[number % 3], *preset) for number, preset in enumerate(presets())]
    sheets = [f"/{lang}/paper/{family.name}/{preset.id}/sheet.svg?paper={size}" for lang, family, preset in listed]
    page.evaluate(SHEETS, [[sheet, size] for sheet in sheets])
    pages = printed(page).pages
    assert len(pages) == len(listed)
    for one in pages:
        assert [float(side) for side in one.mediabox[2:]] == pytest.approx(
            [side * POINTS for side in PAPERS[size]], abs=1.5
        )
    # Reading the text of a page takes long: some will do.
    for (language, family, _), one in [*zip(listed, pages, strict=True)][::8]:
        assert one.extract_text().startswith(words.say(language, f"game.{family.name}").split()[0])


@pytest.mark.parametrize("size", PAPERS)
def test_a_sheets_own_page_prints_the_sheet_alone(served: Served, page: Page, size: Paper) -> None:
    page.goto(f"{served.url}/fr/paper/orapa/duel?paper={size}")
    assert page.locator(".printed img").evaluate("image => image.decode().then(() => image.naturalWidth > 0)")
    (only,) = printed(page).pages
    sides = [float(side) for side in only.mediabox[2:]]
    assert sides == pytest.approx([side * POINTS for side in PAPERS[size]], abs=1.5)
    assert only.extract_text().startswith(words.title("fr", game("orapa:mode=duel")))
    assert words.say("fr", "paper.how")[:20] not in only.extract_text()


def test_a_lying_sheet_prints_on_lying_paper(served: Served, page: Page) -> None:
    page.goto(f"{served.url}/en/paper")
    sheet = "/en/paper/tictactoe/classic/sheet.svg"
    page.evaluate(SHEETS, [[sheet, "a4-lying"], [sheet, "letter-lying"]])
    sides = [[float(side) for side in one.mediabox[2:]] for one in printed(page).pages]
    assert sides == [pytest.approx([side * POINTS for side in PAPERS[size][::-1]], abs=1.5) for size in PAPERS]


def test_text_stays_on_the_page_and_ink_is_black(page: Page) -> None:
    for number, (_, preset) in enumerate(presets()):
        made = game(preset.spec)
        for language in words.LANGUAGES:
            sheet = blank(language, made, "letter" if number % 2 else "a4")
            page.set_content(f'<body style="margin:0">{sheet.svg}')
            out = page.evaluate(
                """() => {
                    const all = document.querySelector("body > svg").getBoundingClientRect();
                    return [...document.querySelectorAll("body > svg > text")].filter((text) => {
                        const box = text.getBoundingClientRect();
                        return box.left < all.left + 10 || box.right > all.right - 10 || box.bottom > all.bottom - 10;
                    }).map((text) => text.textContent);
                }"""
            )
            assert out == [], preset.spec
        assert coloured(page, sheet.svg) == 0


PIXELS = """async ([first, second, width]) => {
    const images = [first, second].map((source) => Object.assign(new Image(), { src: source }));
    await Promise.all(images.map((image) => image.decode()));
    const height = Math.round(width * images[0].naturalHeight / images[0].naturalWidth);
    const [one, other] = images.map((image) => {
        const canvas = Object.assign(document.createElement("canvas"), { width, height });
        const context = canvas.getContext("2d");
        context.fillStyle = "white";
        context.fillRect(0, 0, width, height);
        context.drawImage(image, 0, 0, width, height);
        return context.getImageData(0, 0, width, height).data;
    });
    const dark = (data, at) => data[at] + data[at + 1] + data[at + 2] < 600;
    const shapes = images.map((image) => image.naturalHeight / image.naturalWidth);
    let coloured = 0, apart = 0, ink = 0, otherInk = 0;
    for (let at = 0; at < one.length; at += 4) {
        if (Math.max(one[at], one[at + 1], one[at + 2]) - Math.min(one[at], one[at + 1], one[at + 2]) > 2) coloured++;
        ink += dark(one, at);
        otherInk += dark(other, at);
        for (let k = 0; k < 3; k++) apart += Math.abs(one[at + k] - other[at + k]);
    }
    return { coloured, ink, otherInk, apart: apart / (one.length / 4 * 3 * 255), shapes };
}"""
"""Two pictures at a width in dots: dots of the first that are neither black nor white nor grey, dark dots of both, and
how far apart they are in the mean, from 0 to 1."""


def address(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def coloured(page: Page, svg: str) -> int:
    """How many dots of a picture are neither black, white nor grey; there must be some ink."""
    source = address("svg+xml", svg.encode())
    seen = page.evaluate(PIXELS, [source, source, 300])
    assert seen["ink"] > 100
    return int(seen["coloured"])


@pytest.mark.parametrize("spec", ONE_EACH)
def test_pictures_in_dots_look_like_the_browsers(page: Page, spec: str) -> None:
    *_, step = random_game(game(spec), 3)
    svg = kletka.draw(step.after)
    seen = page.evaluate(PIXELS, [address("svg+xml", svg.encode()), address("png", raster.png(svg)), 1000])
    assert seen["shapes"][0] == pytest.approx(seen["shapes"][1], rel=0.02)
    assert seen["ink"] > 100
    # Only the letters' font differs.
    assert seen["apart"] < 0.02
    assert seen["otherInk"] == pytest.approx(seen["ink"], rel=0.1)
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
    page.get_by_text("Save and print").click()
    for name, ending in (("The record", ".kletka"), ("(SVG)", ".svg"), ("(PNG)", ".png")):
        with page.expect_download() as saved:
            page.locator(".export").get_by_role("link", name=name).click()
        assert saved.value.suggested_filename.startswith("tictactoe-")
        assert saved.value.suggested_filename.endswith(ending)
    page.get_by_role("link", name="on paper").click()
    expect(page.locator(".printed img")).to_be_visible()
    assert len(printed(page).pages) == 1
    context.close()
