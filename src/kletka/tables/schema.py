"""The store's tables, as the newest migration leaves them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

tables = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("spec", sa.String(4000), nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("to_move", sa.Integer),
    sa.Column("due", sa.Float),
    sa.Column("leased_by", sa.String(64)),
    sa.Column("leased_until", sa.Float),
    sa.Column("opened_at", sa.Float, nullable=False),
    sa.Column("changed_at", sa.Float, nullable=False),
    sa.Index(
        "tables_due",
        "due",
        sqlite_where=sa.text("due IS NOT NULL"),
        postgresql_where=sa.text("due IS NOT NULL"),
    ),
)

events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("seat", sa.Integer),
    sa.Column("command_id", sa.String(64)),
    sa.Column("command", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.UniqueConstraint("table_id", "seat", "command_id"),
)

drafts = sa.Table(
    "drafts",
    metadata,
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("text", sa.String(2000), nullable=False),
)
"""What a seat has put together for itself: nobody else's, and no part of the log."""

places = sa.Table(
    "places",
    metadata,
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(64), nullable=False),
)
"""Which seats a browser has, by the hash of its key, and the name of whoever sits there."""

races = sa.Table(
    "races",
    metadata,
    sa.Column("race", sa.String(32), primary_key=True),
    sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
)
"""The tables of each race."""

beats = sa.Table(
    "beats",
    metadata,
    sa.Column("process", sa.String(64), primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
)
"""When each serving process was last alive."""

outages = sa.Table(
    "outages",
    metadata,
    sa.Column("began", sa.Float, primary_key=True),
    sa.Column("ended", sa.Float, nullable=False),
)
"""When no process was alive: no clock runs then."""
