// Bundles the service with its libraries, so that a start reads a few files instead of a thousand.
import { copyFile, cp, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'rolldown'
import { collectLicences } from '../build/collect-licences.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Directories that the service reads files from. They lie in `dist/` as they lie here. */
const assets = ['pages/assets', 'metadata/documentation/assets', 'settings/dist', 'pages/help/dist']

/**
 * Files of packages that pages load, with their licences, by their folder in `dist/`. `server/http/assets.ts` finds
 * them.
 */
const packageFiles = { redoc: { from: 'redoc', files: ['bundles/redoc.standalone.js', 'LICENSE'] } }

/**
 * Fastify requires these only for JSON Schemas of routes, which ours do not have.
 */
const unused = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']

/** Puts the files that pages load into `dist/`. */
const copyAssets: Plugin = {
  name: 'copy-assets',
  async writeBundle() {
    for (const folder of assets) await cp(`${here}${folder}`, `${here}dist/${folder}`, { recursive: true })
    for (const [folder, { from, files }] of Object.entries(packageFiles)) {
      const source = dirname(fileURLToPath(import.meta.resolve(`${from}/package.json`)))
      const target = join(here, 'dist', folder)
      await mkdir(target, { recursive: true })
      for (const file of files) await copyFile(join(source, file), join(target, basename(file)))
    }
  },
}

export default defineConfig({
  cwd: here,
  platform: 'node',
  // The programs of threads lie beside the files that start them, as in the source.
  input: {
    floe: 'main/floe.ts',
    'reader-thread': 'reading/threads/reader-thread.ts',
    'sqlite-worker': '../storage/records/database/sqlite/sqlite-worker.ts',
  },
  // What is native, finds files of its own by their path, or is loaded only for some places and databases.
  external: ['better-sqlite3', /^@fastify\/swagger/, ...unused, 'pg', /^@aws-sdk\//, /^@azure\//, /^@google-cloud\//],
  resolve: { conditionNames: ['@floe/source', 'node', 'import'] },
  // undici leaves its second parser, which we never use, out of a bundle that defines this name: 190 kB.
  transform: { target: 'node22', define: { esbuildDetection: 'true' } },
  plugins: [copyAssets, collectLicences],
  output: {
    dir: 'dist',
    format: 'esm',
    cleanDir: true,
    entryFileNames: 'program/[name].js',
    chunkFileNames: 'program/[name].js',
    // Small functions that most parts share: one file is read sooner than one for each.
    codeSplitting: { groups: [{ name: 'text', test: /server\/text\// }] },
  },
})
