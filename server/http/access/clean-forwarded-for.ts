import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/**
 * Cleans the header `X-Forwarded-For`, from which Fastify takes the address of a caller behind trusted proxies. Some
 * proxies write ports and brackets, such as `203.0.113.7:50314` and `[2001:db8::7]:50314`; with the port, each
 * connection would be another caller. An entry that is no address is left out with all before it, so the caller then is
 * the proxy that wrote the entry.
 */
export function cleanForwardedFor(headers: IncomingHttpHeaders): void {
  const written = headers['x-forwarded-for']
  // Node.js joins repeated headers of this name.
  if (typeof written === 'string') {
    const addresses = written.split(',').map(readAddress)
    headers['x-forwarded-for'] = addresses.slice(addresses.lastIndexOf(undefined) + 1).join(', ')
  }
}

/** Returns the address of an entry; undefined if it has none. */
function readAddress(entry: string): string | undefined {
  const text = entry.trim()
  if (isIP(text) !== 0) return text
  const [, address = ''] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text) ?? /^([\d.]+):\d{1,5}$/.exec(text) ?? []
  return isIP(address) === 0 ? undefined : address
}
