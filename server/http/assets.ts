// Serves the scripts and stylesheets of pages. A file is read and compressed at its first request.
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { responseHeaders } from '@floe/contract'
import type { FastifyInstance } from 'fastify'
import type { treatAs } from './contract.ts'
import { findEntityTag, tagBody } from './representation/entity-tag.ts'
import { addForm, registerEncodableBody, variesWith } from './representation/content-encoding.ts'
import { addVary } from './representation/negotiation.ts'

type Content = { readonly tag: string; readonly bytes: Buffer }

/** A script or stylesheet that pages load. */
export type AssetFile = { readonly name: string; readonly type: string; readonly read: () => Promise<Content> }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
}

/** Extensions of the compressed copies of a file that a build makes. */
const formExtensions = { br: '.br', gzip: '.gz' } as const

/**
 * Lists scripts and stylesheets.
 *
 * @param names files directly below `root`; default: all
 * @param change changes the text of a file before it is served
 */
export async function listAssets(
  root: string,
  names?: readonly string[],
  change: (text: string) => string = (text) => text,
): Promise<AssetFile[]> {
  const read = (path: string) => readContent(path, change)
  return (names ?? (await listFiles(root))).map((name) => describeAsset(root, name, read))
}

/** Lists the scripts and stylesheets directly below `root`. A build has made compressed copies of them. */
export function listCompressedAssets(root: string, names: readonly string[]): AssetFile[] {
  return names.map((name) => describeAsset(root, name, readCompressedContent))
}

function describeAsset(root: string, name: string, read: (path: string) => Promise<Content>): AssetFile {
  const type = types[extname(name)]
  if (type === undefined) throw new TypeError(`${join(root, name)} is neither a script nor a stylesheet`)
  let content: Content | undefined
  return { name, type, read: async () => (content ??= await read(join(root, name))) }
}

async function readContent(path: string, change = (text: string) => text): Promise<Content> {
  const text = change(await readJoined(path))
  return { tag: tagBody(text), bytes: registerEncodableBody(Buffer.from(text)) }
}

async function readCompressedContent(path: string): Promise<Content> {
  const content = await readContent(path)
  for (const encoding of ['br', 'gzip'] as const) {
    addForm(content.bytes, { encoding, bytes: await readFile(path + formExtensions[encoding]) })
  }
  return content
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

const importRule = /^@import '(.+)';$/gm

/** Reads a file. Replaces a stylesheet's imports with their text, so that a browser needs only one request. */
async function readJoined(path: string): Promise<string> {
  const text = await readFile(path, 'utf8')
  if (extname(path) !== '.css') return text
  const parts = await Promise.all(
    [...text.matchAll(importRule)].map(([, name = '']) => readFile(join(dirname(path), name), 'utf8')),
  )
  return text.replaceAll(importRule, () => parts.shift() ?? '')
}

/** Serves files below `prefix`, which has no trailing slash. */
export function serveAssets(
  app: FastifyInstance,
  prefix: string,
  files: readonly AssetFile[],
  {
    cacheControl = 'public, no-cache',
    ...options
  }: {
    /** See {@link treatAs}. */
    readonly config?: ReturnType<typeof treatAs>
    /** Default: browsers must revalidate a file before each use. */
    readonly cacheControl?: string
  } = {},
): void {
  for (const { name, type, read } of files) {
    app.get(`${prefix}/${name}`, options, async (request, reply) => {
      const { tag, bytes } = await read()
      const cachedTag = findEntityTag(request.headers['if-none-match'], tag)
      reply.headers({
        [responseHeaders.etag.name]: cachedTag ?? tag,
        'cache-control': cacheControl,
        'content-type': type,
      })
      addVary(reply, ...variesWith)
      if (cachedTag !== undefined) return reply.status(304).send()
      return reply.send(bytes)
    })
  }
}
