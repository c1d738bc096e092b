// Sends GET requests for the stores that do not use an SDK for them, and interprets the responses.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Answer, ObjectRequest } from './remote-store.ts'
import { toRequestFault, RequestFault } from './request-fault.ts'

const redirects = new Set([301, 302, 303, 307, 308])
const maxRedirects = 5

export type HttpTarget = { readonly url: URL; readonly headers: Readonly<Record<string, string>> }

export function formatRange(range: ObjectRequest['range']): Record<string, string> {
  return range === undefined ? {} : { range: `bytes=${range.start}-${range.end - 1}` }
}

/**
 * Sends a GET and follows up to 5 redirects, but never to another scheme. Sends credentials only to the first origin. Refuses compressed
 * answers, because a small body could decompress to a huge one. Throws {@link RequestFault}.
 */
export async function sendGet(target: HttpTarget, signal: AbortSignal): Promise<Response> {
  let { url } = target
  let headers: Record<string, string> = { ...target.headers, 'accept-encoding': 'identity' }
  for (let hops = 0; hops <= maxRedirects; hops++) {
    const response = await fetch(url, { headers, redirect: 'manual', signal }).catch((error: unknown) => {
      throw toRequestFault(error)
    })
    if (!redirects.has(response.status)) return refuseCompressed(response)
    await drop(response)
    const next = URL.parse(response.headers.get('location') ?? '', url)
    if (next === null || next.protocol !== url.protocol || next.username !== '' || next.password !== '') {
      throw new RequestFault({
        status: response.status,
        advice: 'the redirect does not lead to an address of the same scheme',
      })
    }
    if (next.origin !== url.origin) headers = removeCredentials(headers)
    url = next
  }
  throw new RequestFault({ advice: `redirected more than ${maxRedirects} times` })
}

/**
 * Interprets the response to a GET of an object. `etag` is the version mark in the response.
 *
 * Throws {@link RequestFault} for every status except 200, 206, 304, 404, 410 and 416.
 */
export async function toAnswer(response: Response, etag: string | null): Promise<Answer> {
  const { status, headers } = response
  if (status === 200 || status === 206) {
    const contentRange = status === 206 ? (headers.get('content-range') ?? '') : undefined
    return {
      state: 'found',
      body: openBody(response),
      length: readLength(headers),
      contentRange,
      etag: etag ?? undefined,
    }
  }
  await drop(response)
  if (status === 304) return { state: 'unchanged' }
  if (status === 404 || status === 410) return { state: 'absent' }
  if (status === 416) return { state: 'beyond' }
  throw new RequestFault({ status })
}

export function readLength(headers: Headers): number | undefined {
  const text = headers.get('content-length') ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

export function openBody(response: Response): Readable {
  if (response.body === null) return Readable.from([])
  // The types of browsers and of Node.js both declare this class; at run time it is the same.
  return Readable.fromWeb(response.body as ReadableStream<Uint8Array>)
}

export async function drop(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined)
}

async function refuseCompressed(response: Response): Promise<Response> {
  const encoding = response.headers.get('content-encoding')
  if (encoding === null || encoding.toLowerCase() === 'identity' || encoding === '') return response
  await drop(response)
  throw new RequestFault({
    status: response.status,
    advice: 'the answer is compressed, although the request did not allow it',
  })
}

function removeCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
}
