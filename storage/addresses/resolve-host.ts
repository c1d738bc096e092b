// Resolves names without `getaddrinfo`, which blocks one of the four threads that also read files: four names with dead name servers
// would stop the whole process. Only the hosts file and DNS are read.
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

/** Returns all addresses of a host, at least one. Rejects when there is none, or when the signal is aborted. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/** Looks a host up in the hosts file, then in DNS, except `localhost` and names below it (RFC 6761, section 6.3). */
export const resolveHost: ResolveHost = async (host, signal) => {
  const local = await readHosts(host)
  if (local.length > 0) return local
  return /(?:^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : await resolveByDns(host, signal)
}

async function resolveByDns(host: string, signal: AbortSignal): Promise<readonly string[]> {
  signal.throwIfAborted()
  // Each look-up has its own resolver, because `cancel` ends all look-ups of a resolver.
  const resolver = new Resolver()
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0) throw failure?.reason ?? new Error(`${host} has no address`)
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

async function readHosts(host: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host) ? [address] : []
  })
}
