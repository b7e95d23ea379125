# syntax=docker/dockerfile:1
# The wheel is built with the page in it, then installed without a compiler or Node.js beside it.

FROM node:22-bookworm-slim AS node

FROM python:3.11-slim-bookworm AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
    && apt-get update \
    && apt-get install -y --no-install-recommends g++=4:12* \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN python -m venv /opt/kletka \
    && pip wheel --no-cache-dir --no-deps --wheel-dir /wheels . \
    && /opt/kletka/bin/pip install --no-cache-dir "$(echo /wheels/*.whl)[postgres,redis]"

FROM python:3.11-slim-bookworm
COPY --from=build /opt/kletka /opt/kletka
RUN useradd --system --uid 10001 --home-dir /var/lib/kletka --create-home --shell /usr/sbin/nologin kletka
ENV PATH=/opt/kletka/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
USER 10001
WORKDIR /var/lib/kletka
VOLUME /var/lib/kletka
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["kletka"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--data", "/var/lib/kletka"]
