import { isIP, type LookupFunction } from 'node:net'
import { callbackify } from 'node:util'

/** Returns the host of a URL in the form that node:net takes: an IPv6 address without brackets. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Makes the look-up function of one connection. The connection goes to one of the addresses that `resolve` returns.
 * Node.js does not call this function if the host is an IP address.
 */
export function makeLookup(resolve: (host: string) => Promise<readonly string[]>): LookupFunction {
  const list = async (host: string) => (await resolve(host)).map((address) => ({ address, family: isIP(address) }))
  return (host, { all }, callback) =>
    callbackify(list)(host, (error, addresses) => {
      const first = addresses?.[0]
      // With its option --no-network-family-autoselection, Node.js asks for a single address.
      if (all || first === undefined) callback(error, addresses)
      else callback(null, first.address, first.family)
    })
}
