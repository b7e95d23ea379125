"""Tables and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The log, and who acts when."""
    op.create_table(
        "tables",
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
    )
    due = sa.text("due IS NOT NULL")
    op.create_index("tables_due", "tables", ["due"], sqlite_where=due, postgresql_where=due)
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("command_id", sa.String(64)),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.UniqueConstraint("table_id", "seat", "command_id"),
    )
