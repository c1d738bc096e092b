// The HTTP proxy through which Floe reaches receivers, and which hosts are reached without it.
import { isIP } from 'node:net'
import { NetworkError, parseNetwork, readHost } from '@floe/storage/addresses'

/** A proxy on the way to receivers. */
export type ReceiverProxy = {
  /** Begins with `http:` or `https:`. */
  readonly url: URL
  /** The header `Proxy-Authorization`; undefined if the proxy asks for no user name. */
  readonly authorization: string | undefined
  /** Whether a receiver is reached without it. */
  readonly bypasses: (receiver: URL) => boolean
}

/** The proxy answered, but opened no connection. */
export class ProxyRefusal extends Error {
  override name = 'ProxyRefusal'
  readonly status: number

  constructor(status: number) {
    super(`the proxy answered ${status}`)
    this.status = status
  }
}

/** The text is not the address of a proxy. The message does not repeat it, because it may contain a password. */
export class ProxyAddressError extends Error {
  override name = 'ProxyAddressError'

  constructor() {
    super(
      'must be the address of an HTTP proxy, such as http://proxy.example.org:3128 or http://user:password@10.0.0.1',
    )
  }
}

/**
 * Parses the address of a proxy.
 *
 * @param bypass hosts that are reached without it, as in the variable `NO_PROXY`
 * @throws {@link ProxyAddressError}
 */
export function parseProxy(text: string, bypass = ''): ReceiverProxy {
  const url = /^https?:\/\/[^/?#\s\\]+\/?$/i.test(text) ? URL.parse(text) : null
  if (url === null) throw new ProxyAddressError()
  return { url, authorization: writeAuthorization(url), bypasses: parseBypass(bypass) }
}

/**
 * Reads the proxy of the environment from `HTTPS_PROXY` and `NO_PROXY`; names in lower case come first, as in curl.
 *
 * @returns undefined if there is none
 * @throws {@link ProxyAddressError}
 */
export function readEnvironmentProxy(
  environment: Readonly<Record<string, string | undefined>>,
): ReceiverProxy | undefined {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || ''
  const address = read('HTTPS_PROXY').trim()
  if (address === '') return undefined
  // Other programs take an address without a scheme too.
  return parseProxy(address.includes('://') ? address : `http://${address}`, read('NO_PROXY'))
}

/** Returns the proxy through which a receiver is reached. Receivers without encryption are on this machine. */
export function findProxy(proxy: ReceiverProxy | undefined, receiver: URL): ReceiverProxy | undefined {
  return receiver.protocol === 'https:' && proxy?.bypasses(receiver) === false ? proxy : undefined
}

function writeAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  try {
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    return `Basic ${Buffer.from(credentials).toString('base64')}`
  } catch {
    // A percent sign that encodes nothing.
    throw new ProxyAddressError()
  }
}

/** Parses a list of hosts, domains, addresses and networks, each perhaps with a port. `*` means all. */
function parseBypass(list: string): (receiver: URL) => boolean {
  const rules = list.split(/[\s,]+/).flatMap((entry) => (entry === '' ? [] : [parseBypassRule(entry.toLowerCase())]))
  return (receiver) => {
    const host = readHost(receiver)
    return rules.some((matches) => matches(host, receiver.port || '443'))
  }
}

function parseBypassRule(entry: string): (host: string, port: string) => boolean {
  if (entry === '*') return () => true
  const network = tryNetwork(entry)
  if (network !== undefined)
    return (host) => isIP(host) === (network.family === 'ipv4' ? 4 : 6) && network.contains(host)
  const [, name, wantedPort] = isIP(entry) === 6 ? [entry, entry] : (/^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? [])
  const wanted = (name ?? '').replace(/^\[(.*)\]$/, '$1').replace(/^\*?\./, '')
  return (host, port) =>
    (wantedPort === undefined || wantedPort === port) &&
    (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)))
}

function tryNetwork(text: string): ReturnType<typeof parseNetwork> | undefined {
  try {
    return parseNetwork(text)
  } catch (error) {
    if (error instanceof NetworkError) return undefined
    throw error
  }
}
