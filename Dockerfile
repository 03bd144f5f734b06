# The service as one executable in a bare image. The embedded PostgreSQL keeps its data in /data; or set CONNECTOR_DATABASE_URL.
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends git && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY . .
RUN git init --quiet && git add --all && npm run build && mv dist/connector-linux-* /connector

FROM debian:bookworm-slim
RUN useradd --create-home --uid 10001 connector && mkdir /data && chown connector /data
COPY --from=build /connector /usr/local/bin/connector
USER connector
# Unpacked while the image is made, so that a container starts at once.
RUN connector help config > /dev/null
ENV CONNECTOR_HOST=0.0.0.0 CONNECTOR_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD connector health
CMD ["connector", "start"]
