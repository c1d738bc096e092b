// Serves the scripts and stylesheets of pages. Files are read once at the start; a compressed form is made on first request.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { makeEntityTag, findEntityTag } from './entity-tag.ts'
import { keepBytes } from './kept-bodies.ts'

/** A file that pages load. */
export type AssetFile = { readonly name: string; readonly type: string; readonly tag: string; readonly bytes: Buffer }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/**
 * Reads scripts and stylesheets.
 *
 * @param names files directly below `root`; default: all
 */
export async function readAssets(root: string, names?: readonly string[]): Promise<AssetFile[]> {
  return Promise.all(
    (names ?? (await listFiles(root))).map(async (name) => {
      const type = types[extname(name)]
      if (type === undefined) throw new TypeError(`${join(root, name)} is neither a script nor a stylesheet`)
      const text = await readJoined(join(root, name))
      return { name, type, tag: makeEntityTag(text), bytes: keepBytes(Buffer.from(text)) }
    }),
  )
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const importRule = /^@import '(.+)';$/gm

/** Reads a file and puts the stylesheets that it imports in place of the imports, so that a browser needs one request. */
async function readJoined(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  if (extname(path) !== '.css') return text
  const parts = await Promise.all(
    [...text.matchAll(importRule)].map(([, name = '']) => readFile(join(dirname(path), name), 'utf8')),
  )
  return text.replaceAll(importRule, () => parts.shift() ?? '')
}

/** Serves files below `prefix`, which has no trailing slash. Browsers revalidate them on each use. */
export function serveAssets(app: FastifyInstance, prefix: string, files: readonly AssetFile[]): void {
  for (const { name, type, tag, bytes } of files) {
    app.get(`${prefix}/${name}`, async (request, reply) => {
      const known = findEntityTag(request.headers['if-none-match'], tag)
      reply.headers({ etag: known ?? tag, 'cache-control': 'public, no-cache', 'content-type': type })
      if (known !== undefined) return reply.status(304).send()
      return reply.send(bytes)
    })
  }
}
