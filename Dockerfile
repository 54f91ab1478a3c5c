# Untested: no Docker engine was at hand when this was written. It needs the npm registry and Debian's packages.
FROM node:24-slim AS build
WORKDIR /pronghorn
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts
# Of RocksDB's binaries one is used here; the others are 150 MB.
RUN node bin/remove_other_binaries.js

FROM node:24-slim
# RocksDB's binding needs libatomic.
RUN apt-get update && apt-get install -y --no-install-recommends libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /pronghorn
COPY --from=build /pronghorn /pronghorn
# A volume begins as a copy of this folder, owner included.
RUN install -d -o node -g node /data
VOLUME /data
EXPOSE 8888
USER node
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:8888/v1/node/get_health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The container's address is not a loopback: publish the port to 127.0.0.1 unless you mean otherwise.
ENTRYPOINT ["node", "bin/pronghorn.js", "--data-dir", "/data", "--http-server-address", "0.0.0.0:8888"]
