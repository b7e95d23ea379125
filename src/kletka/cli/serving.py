"""`kletka serve`: the web page and its tables."""

from __future__ import annotations

import socket
import sys
from contextlib import suppress
from typing import Annotated, Literal

import typer

from kletka.cli.common import BadInput, Data, data_folder, say


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets phones of this network in.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = 8000,
    data: Data = None,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="KLETKA_DATABASE",
            help="A PostgreSQL for the tables instead of a folder: postgresql://user:password@host/name.",
        ),
    ] = None,
    news: Annotated[
        str | None,
        typer.Option(
            envvar="KLETKA_NEWS",
            help="A Redis over which processes tell each other at once what they stored: redis://host:6379.",
        ),
    ] = None,
    processes: Annotated[int, typer.Option(min=1, max=64, help="How many processes serve.")] = 1,
    engines: Annotated[
        int | None, typer.Option(min=1, max=64, help="How many engines think at once in each process.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="The address that people open, where a proxy stands in front.")
    ] = None,
    log: Annotated[
        Literal["json", "text", "off"] | None,
        typer.Option(help="Log to standard error; by default text at a terminal, JSON lines otherwise."),
    ] = None,
    metrics_token: Annotated[
        str | None,
        typer.Option(
            envvar="KLETKA_METRICS_TOKEN",
            help="Who may read /metrics: whoever sends this as a bearer token; without it, this machine alone.",
        ),
    ] = None,
    grace: Annotated[
        float, typer.Option(min=0, max=600, help="Seconds to go on serving, while /ready says no, before a stop.")
    ] = 0,
) -> None:
    """Serve Kletka until it is interrupted."""
    from kletka.server import Log, Serving, run, run_many
    from kletka.tables import NoStore

    folder = data_folder(data)
    if address is not None and not address.startswith(("http://", "https://")):
        raise BadInput(say("cli.bad_address", name=address))
    kind: Log = log or ("text" if sys.stderr.isatty() else "json")
    listening = _listen(host, port)

    def ready() -> None:
        _announce(host, listening.getsockname()[1], address)

    if news is not None:
        _check_news(news)
    where = database or folder
    serving = Serving(where, address, None, kind, metrics_token, grace, news, engines)
    try:
        if processes == 1:
            run(listening, serving, ready)
        elif not run_many(processes, listening, serving, ready):
            raise BadInput(say("cli.no_process"))
    except NoStore as error:
        raise BadInput(say(f"cli.store.{error.code}", name=str(folder))) from None


def _check_news(address: str) -> None:
    try:
        from kletka.tables.news import check_address

        check_address(address)
    except ImportError:
        raise BadInput(say("cli.no_redis")) from None
    except ValueError:
        raise BadInput(say("cli.bad_news")) from None


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.socket(family)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError):
        raise BadInput(say("cli.port_taken", port=port)) from None
    return listening


def _announce(host: str, port: int, address: str | None) -> None:
    if address is not None:
        links = [address]
    elif host in ("0.0.0.0", "::"):
        links = [f"http://{own}:{port}" for own in ("127.0.0.1", *_own_addresses())]
    else:
        links = [f"http://{f'[{host}]' if ':' in host else host}:{port}"]
    for link in links:
        print(say("cli.serving", link=link), flush=True)


def _own_addresses() -> list[str]:
    """Addresses of this machine in its networks, the one that leads out first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
        # Nothing is sent: connecting a datagram socket only asks which interface leads there.
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [own for own in dict.fromkeys(found) if not own.startswith("127.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(serve)
