"""`python -m kletka` is the command `kletka`."""

from kletka.cli import main

main()
