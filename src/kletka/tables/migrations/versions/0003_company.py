"""Who sits where, races, and when somebody served."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """My tables, races, heart-beats and outages."""
    op.create_table(
        "places",
        sa.Column("owner", sa.String(64), nullable=False, index=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
    )
    op.create_table(
        "races",
        sa.Column("race", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
    )
    op.create_table(
        "beats",
        sa.Column("process", sa.String(64), primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("began", sa.Float, primary_key=True),
        sa.Column("ended", sa.Float, nullable=False),
    )
