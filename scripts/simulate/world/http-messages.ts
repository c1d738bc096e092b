// The HTTP of the hosts of the world.

/** A request that a host of the world got. */
export type HttpRequest = {
  readonly path: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** Number of bytes. */
  readonly length: number
}

/**
 * Takes a request from the front of what was received; undefined until it is complete. Its characters are bytes.
 */
export function takeRequest(received: string): HttpRequest | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const length = end + 4 + Number(headers.get('content-length') ?? 0)
  if (received.length < length) return undefined
  const body = Buffer.from(received.slice(end + 4, length), 'latin1').toString()
  return { path: first.split(' ')[1] ?? '', headers, body, length }
}

/** Writes an answer with its length. */
export function writeAnswer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = Buffer.alloc(0),
): Buffer {
  const lines = Object.entries({ ...headers, 'content-length': String(body.length) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Simulated\r\n${head}\r\n`), body])
}
