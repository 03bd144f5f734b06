# The service in one image. The embedded PostgreSQL keeps its data in /data; or set CONNECTOR_DATABASE_URL.
FROM node:24-bookworm-slim
RUN useradd --create-home --uid 10001 connector && mkdir /data && chown connector /data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=dev
COPY . .
USER connector
ENV CONNECTOR_HOST=0.0.0.0 CONNECTOR_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK CMD node -e "fetch('http://127.0.0.1:8080/health/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
CMD ["node", "tools/run.mjs", "start"]
