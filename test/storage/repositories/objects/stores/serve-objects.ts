// Serves a map of objects over plain HTTP, or with the part of the JSON API of Google Cloud Storage that Floe uses.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** An object and the number of times it was written. */
type ServedObject = { readonly content: Buffer; readonly generation: number }

/** Objects by key. */
export type ServedObjects = Map<string, ServedObject>

/** Serves the objects as files of a web server. Keys are paths below `/root/`. */
export function serveFiles(objects: ServedObjects): RequestListener {
  return (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1')
    const key = decodeURIComponent(pathname.replace(/^\/root\//, ''))
    const object = objects.get(key)
    if (object === undefined) return response.writeHead(404).end('<h1>Not found</h1>')
    const etag = `W/"${object.generation}"`
    if (request.headers['if-none-match'] === etag) return response.writeHead(304).end()
    return sendObject(request, response, object, { etag })
  }
}

/** Serves the objects as the bucket `bucket` of Google Cloud Storage: download, listing of one level and upload. */
export function serveGcs(objects: ServedObjects): RequestListener {
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const base = '/storage/v1/b/bucket/o'
    if (pathname === base) return sendGcsPage(response, objects, searchParams)
    const object = objects.get(decodeURIComponent(pathname.slice(base.length + 1)))
    if (object === undefined || !pathname.startsWith(`${base}/`)) return response.writeHead(404).end('No such object')
    if (searchParams.get('ifGenerationNotMatch') === `${object.generation}`) return response.writeHead(304).end()
    // The etag that the store returns is the generation, not the ETag header.
    return sendObject(request, response, object, { etag: '"other"', 'x-goog-generation': object.generation })
  }
}

/** Sends one page of a listing. A page has only two entries, so that most listings have several pages. */
function sendGcsPage(response: ServerResponse, objects: ServedObjects, query: URLSearchParams): void {
  const prefix = query.get('prefix') ?? ''
  const names = [...objects.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => prefix + key.slice(prefix.length).replace(/\/.*/, '/'))
  const all = [...new Set(names)].sort()
  const start = Number(query.get('pageToken') ?? 0)
  const page = all.slice(start, start + 2)
  const body = {
    items: page.filter((name) => !name.endsWith('/')).map((name) => ({ name })),
    prefixes: page.filter((name) => name.endsWith('/')),
    ...(start + 2 < all.length && { nextPageToken: `${start + 2}` }),
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendObject(
  request: IncomingMessage,
  response: ServerResponse,
  { content }: ServedObject,
  headers: Record<string, string | number>,
): void {
  const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
  if (range === null) return void response.writeHead(200, { ...headers, 'content-length': content.length }).end(content)
  const start = Number(range[1])
  if (start >= content.length) return void response.writeHead(416).end()
  const part = content.subarray(start, Number(range[2]) + 1)
  const contentRange = `bytes ${start}-${start + part.length - 1}/${content.length}`
  response.writeHead(206, { ...headers, 'content-length': part.length, 'content-range': contentRange }).end(part)
}
