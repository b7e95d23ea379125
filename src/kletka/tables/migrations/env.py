"""What Alembic runs: the migrations, on the connection that it is given."""

from alembic import context

from kletka.tables.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
