import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { type AssetFile, serveAssets } from '../http/assets.ts'
import { tagBody } from '../http/representation/entity-tag.ts'
import { registerEncodableBody } from '../http/representation/content-encoding.ts'

const builtSite = fileURLToPath(new URL('../pages/help/dist/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/**
 * Serves the documentation, if it is built.
 *
 * @param root path of the service, which a proxy may add
 * @param site directory of the pages
 */
export async function serveHelp(app: FastifyInstance, root: string, site = builtSite): Promise<void> {
  const names = await listFiles(site)
  if (names.length === 0) return
  app.get('/help', async (_request, reply) => reply.redirect(`${root}/help/contents`))
  serveAssets(
    app,
    '/help',
    names.map((name) => describeFile(site, name)),
  )
}

async function listFiles(site: string): Promise<readonly string[]> {
  try {
    const names = await readdir(site, { recursive: true })
    return names.filter((name) => extname(name) !== '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function describeFile(site: string, file: string): AssetFile {
  const extension = extname(file)
  const type = types[extension]
  if (type === undefined) throw new TypeError(`${file} has an extension without a content type`)
  // The address of a page has no extension.
  const name = extension === '.html' ? file.slice(0, -extension.length) : file
  let content: ReturnType<AssetFile['read']> | undefined
  return { name, type, read: () => (content ??= read(join(site, file))) }
}

async function read(path: string): ReturnType<AssetFile['read']> {
  const bytes = await readFile(path)
  return { tag: tagBody(bytes), bytes: extname(path) === '.png' ? bytes : registerEncodableBody(bytes) }
}
