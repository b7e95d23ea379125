"""Hostile texts: anything, and valid texts that somebody damaged."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

ODD = (
    *(
        "\x00",
        "\n",
        "\r\n",
        "\x1b[2J",
        "\ud800",
        "\udfff",
        "\ufeff",
        "\u202e",
        "\u2066",
        "\u200d",
        "\u0301" * 9,
        "²",
        "٣",
        "Ⅷ",
    ),
    *(
        "9" * 25,
        "9" * 4400,
        "-1",
        "1e999",
        "0x10",
        "00",
        "NaN",
        "true",
        "null",
        "[" * 1_500,
        "{" * 1_500,
        '{"a":' * 1_500,
    ),
    *(
        "<script>",
        "'",
        '"',
        "\\",
        "%s",
        "{0}",
        "{{7*7}}",
        "../",
        "a" * 5_000,
        "=",
        ":",
        ",",
        ";",
        "+",
        "~",
        "/",
        " ",
        "\t",
        "(",
        ")",
    ),
)
"""Pieces that have broken somebody's reader somewhere."""

_signs = st.characters(codec=None, categories=None)
_piece = st.one_of(st.sampled_from(ODD), st.text(max_size=4), st.integers(-(10**20), 10**20).map(str))


@st.composite
def damaged(draw: st.DrawFn, seeds: Sequence[str]) -> str:
    """A valid text after some cuts, insertions, repetitions and exchanges."""
    text = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, 4))):
        at, end = sorted((draw(st.integers(0, len(text))), draw(st.integers(0, min(len(text), 400)))))
        middle = text[at:end]
        match draw(st.sampled_from(("delete", "insert", "repeat", "swap", "turn", "cross"))):
            case "delete":
                text = text[:at] + text[end:]
            case "insert":
                text = text[:at] + draw(_piece) + text[at:]
            case "repeat":
                text = text[:at] + middle * draw(st.sampled_from((2, 3, 60))) + text[end:]
            case "swap":
                text = text[:at] + middle[::-1] + text[end:]
            case "turn":
                text = text[:at] + middle.swapcase() + text[end:]
            case _:
                other = draw(st.sampled_from(seeds))
                text = text[:at] + other[min(at, len(other)) :]
        text = text[:70_000]
    return text


def hostile(seeds: Sequence[str]) -> st.SearchStrategy[str]:
    """Damaged texts more often than mere rubbish, which is refused at once."""
    return st.one_of(damaged(seeds), damaged(seeds), st.text(st.characters(), max_size=60), _piece)
