"""Three miniature games: extra turns with three seats, secrets with private answers, and a composite move."""

from pathlib import Path

WORDS = Path(__file__).parent / "words"
