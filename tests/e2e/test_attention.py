"""What says that it is one's turn where one looks, or would hear it."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.e2e.people import in_step, join, new_person, place, play, shared, start, turn_of
from tests.serving import Served

UNSEEN = """
    let hidden = false;
    Object.defineProperty(Document.prototype, "hidden", { get: () => hidden });
    window.hide = (now) => { hidden = now; document.dispatchEvent(new Event("visibilitychange")); };
    window.notes = [];
    window.asked = 0;
    window.Notification = class {
      static permission = "default";
      static async requestPermission() { window.asked++; return (this.permission = "granted"); }
      constructor(title, { body }) { window.notes.push(`${title} | ${body}`); }
      close() {}
    };
    window.sounds = 0;
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function () { window.sounds++; return start.call(this); };
"""


def two(browser: Browser, served: Served) -> tuple[Page, Page]:
    """Two people at a table."""
    host, friend = (new_person(browser).new_page() for _ in range(2))
    host.add_init_script(UNSEEN)
    start(host, f"{served.url}/en/", "tictactoe")
    join(friend, shared(host))
    turn_of(host, 0)
    return host, friend


def test_title_and_icon_say_when_it_is_my_turn(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    icon, plain = host.locator("link[rel=icon]"), friend.title()
    assert host.title() == f"● Your turn – {plain}"
    expect(icon).to_have_attribute("href", "/icon-turn.svg")
    dotted, house = (host.request.get(f"{served.url}/{name}.svg") for name in ("icon-turn", "icon"))
    assert dotted.headers["content-type"] == house.headers["content-type"] == "image/svg+xml"
    assert dotted.text() != house.text()
    address = host.url
    for language, said in (("fr", "● À vous – "), ("ru", "● Ваш ход – ")):
        host.goto(address.replace("/en/", f"/{language}/"))
        in_step(host)
        assert host.title().startswith(said)
    host.goto(address)
    play([host, friend], "b2")
    expect(icon).to_have_attribute("href", "/icon.svg")
    assert host.title() == plain


def test_nothing_calls_unless_it_is_wished_for(browser: Browser, served: Served) -> None:
    host, friend = two(browser, served)
    host.evaluate("hide(true)")
    play([host, friend], "b2 a1")
    turn_of(host, 0)
    assert host.evaluate("[notes.length, asked, sounds]") == [0, 0, 0]
    host.evaluate("hide(false)")
    host.locator("details.wishes summary").click()
    wishes = host.locator("details.wishes input:visible")
    expect(wishes).to_have_count(3)  # A machine without a coarse pointer doesn't vibrate.
    for wish in wishes.all():
        expect(wish).not_to_be_checked()
    host.locator("[data-wish=turn-note]").check()
    host.locator("[data-wish=sound]").check()
    assert host.evaluate("asked") == 1
    play([host, friend], "c3")
    assert host.evaluate("[notes.length, sounds]") == [0, 2]
    # Moves that come together sound once.
    host.wait_for_timeout(300)
    host.evaluate("hide(true)")
    play([host, friend], "a3")
    turn_of(host, 0)
    [note] = host.evaluate("notes")
    assert note.startswith("● Your turn – ")
    assert "a3" in note.split(" | ")[1]
    assert host.evaluate("sounds") == 3
    host.reload()
    in_step(host)
    host.locator("details.wishes summary").click()
    expect(host.locator("[data-wish=turn-note]")).to_be_checked()
    assert host.evaluate("[notes.length, asked]") == [0, 0]


def test_every_event_is_spoken_once(browser: Browser, served: Served) -> None:
    """What a screen reader is told: each change of a live region, in the words of the sentence."""
    host, friend = two(browser, served)
    friend.evaluate(
        """() => {
            window.spoken = [];
            const say = (mutations) => {
              const changed = new Set(mutations.map(({ target }) =>
                (target.nodeType === 1 ? target : target.parentElement).closest("[role=status], [role=alert]")));
              for (const line of changed) {
                if (line && line.textContent.trim() && line.offsetParent) window.spoken.push(line.textContent.trim());
              }
            };
            new MutationObserver(say).observe(document.body, { subtree: true, childList: true, characterData: true });
        }"""
    )
    play([host, friend], "b2 a1 c3")
    spoken = friend.evaluate("spoken")
    assert len(spoken) == 3, spoken
    assert [name in said for name, said in zip(("b2", "a1", "c3"), spoken, strict=True)] == [True] * 3
    turn_of(friend, 1)
    place(friend, "c1").click()
    turn_of(host, 0)
    place(host, "b1").click()
    turn_of(friend, 1)
    place(friend, "c2").click()
    turn_of(host, 0)
    place(host, "b3").click()
    expect(friend.locator("[data-say]")).to_contain_text("Crosses win.")
    assert len(friend.evaluate("spoken")) == 7
    assert "Crosses win." in friend.evaluate("spoken.at(-1)")
