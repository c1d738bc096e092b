// Bundles the service with its libraries, so that a start reads a few files instead of a thousand.
import { cp } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'rolldown'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Directories that the service reads files from, each with its place beside the program. */
const assets = {
  'web/assets': 'web/assets',
  'documents/assets': 'documents/assets',
  'web/settings/dist': 'settings/dist',
}

/** Fastify requires these only for JSON Schemas of routes, which ours do not have, and for requests without a socket. */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/** Puts the files that pages load beside the program. */
const copyAssets: Plugin = {
  name: 'copy-assets',
  async writeBundle() {
    for (const [from, to] of Object.entries(assets))
      await cp(`${here}${from}`, `${here}dist/${to}`, { recursive: true })
  },
}

/**
 * The OpenAPI document is made with zod's own JSON Schema. This package of ts-rest would do the same, is never called, and requires zod in a
 * way that keeps all its languages in the bundle.
 */
const withoutUnusedTranslation: Plugin = {
  name: 'without-unused-translation',
  resolveId: (id) => (id === '@anatine/zod-openapi' ? { id: 'unused-translation' } : null),
  load: (id) => (id === 'unused-translation' ? 'export const generateSchema = undefined' : null),
}

export default defineConfig({
  cwd: here,
  platform: 'node',
  // The programs of threads lie beside the files that start them, as in the source.
  input: {
    floe: 'floe.ts',
    'reader-thread': 'readers/reader-thread.ts',
    'sqlite-worker': '../storage/database/sqlite/sqlite-worker.ts',
  },
  // What is native, finds files of its own by their path, or is loaded only when a configuration or a caller asks for it.
  external: [
    'better-sqlite3',
    ...unused,
    'pg',
    'prom-client',
    '@fastify/otel',
    /^@opentelemetry\//,
    /^@aws-sdk\//,
    /^@azure\//,
    /^@google-cloud\//,
  ],
  resolve: { conditionNames: ['@floe/source', 'node', 'import'] },
  transform: { target: 'node24' },
  plugins: [copyAssets, withoutUnusedTranslation],
  output: { dir: 'dist', format: 'esm', cleanDir: true, chunkFileNames: '[name].js' },
})
