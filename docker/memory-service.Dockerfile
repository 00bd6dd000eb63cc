# docker build --file docker/memory-service.Dockerfile --tag memory-service .
# What the build arguments and secrets are for stands in docs/operations.md.

# Both of the same release of Debian: FAISS' binding is compiled in the first and runs in the second.
ARG BASE_IMAGE=node:20-bookworm-slim
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${BASE_IMAGE} AS build
WORKDIR /src
ARG APT_MIRROR=""
RUN --mount=type=bind,source=docker/build/apt-install.sh,target=/apt-install.sh --mount=type=secret,id=ca \
    /apt-install.sh ca-certificates cmake g++ libfaiss-dev libopenblas-dev make
# Manifests first: the layer with the packages is made anew only when they change.
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY apps/memory-service/package.json apps/memory-service/
COPY apps/timing-service/package.json apps/timing-service/
COPY bench/package.json bench/
COPY packages/agent-hooks/package.json packages/agent-hooks/
COPY packages/adapters/package.json packages/adapters/
COPY packages/agent-identity/package.json packages/agent-identity/
COPY packages/cli/package.json packages/cli/
COPY packages/client/package.json packages/client/
COPY packages/embeddings/package.json packages/embeddings/
COPY packages/mcp-kit/package.json packages/mcp-kit/
COPY packages/postgres-kit/package.json packages/postgres-kit/
COPY packages/redaction/package.json packages/redaction/
COPY packages/service-kit/package.json packages/service-kit/
COPY packages/stats-math/package.json packages/stats-math/
COPY packages/testing/package.json packages/testing/
COPY tools/codegen/package.json tools/codegen/
COPY scripts/lib scripts/lib
COPY scripts/faiss scripts/faiss
COPY docker/build/install.sh docker/build/install.mjs docker/build/
ARG NPM_REGISTRY=""
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc,target=/root/.npmrc \
    docker/build/install.sh memory-service
COPY docker/build docker/build
COPY tsconfig.base.json ./
COPY packages packages
COPY apps/memory-service apps/memory-service
RUN node docker/build/deploy.mjs memory-service /deployment

FROM ${RUNTIME_IMAGE}
ARG APT_MIRROR=""
# FAISS is in its binding; these are the libraries that it uses. tini reaps and passes signals on, as PID 1 has to, wherever
# the image runs.
RUN --mount=type=bind,source=docker/build/apt-install.sh,target=/apt-install.sh --mount=type=secret,id=ca \
    /apt-install.sh libgomp1 libopenblas0-pthread tini && \
    useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin service && \
    install --directory --owner=service --group=service --mode=0700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/
COPY docker/image/service /usr/local/bin/memory-service
COPY docker/image/healthcheck.mjs /usr/local/bin/
COPY --from=build /deployment /app
RUN memory-service --version
ENV NODE_ENV=production \
    MEMORY_HOST=0.0.0.0 \
    MEMORY_PORT=7832 \
    MEMORY_DATA_DIR=/data/memory \
    TMPDIR=/data \
    MEMORY_AUTO_SAVE=300 \
    MEMORY_OFFLINE=true
USER service
WORKDIR /app
VOLUME /data
EXPOSE 7832
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["sh", "-c", "exec node /usr/local/bin/healthcheck.mjs $MEMORY_PORT"]
ENTRYPOINT ["tini", "--", "memory-service"]
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="memory-service" \
      org.opencontainers.image.description="A shared memory for AI agents" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
