// Resolves host names as other programs of the machine do: by the hosts file, then by DNS, with the search domains of
// `resolv.conf`. Does not use `getaddrinfo`: it blocks one of the four threads that also read files, so four names
// whose name servers do not answer would stop the whole process. Other sources of names that NSS knows, such as mDNS
// or LDAP, are therefore not asked.
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { listSearchedNames, parseSearchRules } from './search-rules.ts'

/** A host has no address. */
export class HostNotFoundError extends Error {
  override readonly name = 'HostNotFoundError'
}

/** Returns the addresses of a host. Rejects when there is none, or when the signal is aborted. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<readonly string[]>

/**
 * Waits for a look-up. Returns no address if the host has none, or if no name server answered in time. Rejects with
 * other errors.
 */
export async function findAddresses(lookUp: ReturnType<ResolveHost>): Promise<readonly string[]> {
  try {
    return await lookUp
  } catch (error) {
    if (!isLookUpFailure(error)) throw error
    return []
  }
}

function isLookUpFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof HostNotFoundError || error.name === 'TimeoutError') return true
  // Errors of `node:dns` name the query, such as `queryA`.
  return 'syscall' in error && typeof error.syscall === 'string' && error.syscall.startsWith('query')
}

type Sources = {
  readonly hostsFile: string
  readonly resolverFile: string
  /** Addresses of name servers, with ports. Default: those of `/etc/resolv.conf`. */
  readonly nameServers?: readonly string[]
}

/** Makes a function that looks a host up in some sources. `localhost` and names below it need none (RFC 6761, 6.3). */
export function makeResolveHost({ hostsFile, resolverFile, nameServers }: Sources): ResolveHost {
  return async (host, signal) => {
    const local = findInHosts(await readText(hostsFile), host)
    if (local.length > 0) return local
    if (/(?:^|\.)localhost$/.test(host)) return ['127.0.0.1', '::1']
    const names = listSearchedNames(host, parseSearchRules(await readText(resolverFile)))
    return resolveFirst(names, nameServers, signal)
  }
}

/** Looks a host up in the sources of this machine. */
export const resolveHost: ResolveHost = makeResolveHost({ hostsFile: '/etc/hosts', resolverFile: '/etc/resolv.conf' })

/** Returns the text of a file; an empty one if it cannot be read. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

/** A name is looked up with the next search domain after these failures. Source: glibc, `res_query.c`. */
const tryNext: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'ESERVFAIL'])

/** Returns the addresses of the first name that has some. */
async function resolveFirst(
  names: readonly string[],
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let failure: unknown
  for (const name of names) {
    try {
      return await resolveByDns(name, nameServers, signal)
    } catch (error) {
      if (!tryNext.has(readCode(error))) throw error
      // That a name server failed, or that the name has no address, says more than that a longer name does not exist.
      if (failure === undefined || readCode(failure) === 'ENOTFOUND') failure = error
    }
  }
  throw failure
}

function readCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

async function resolveByDns(
  name: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  signal.throwIfAborted()
  // Each look-up has its own resolver, because `cancel` ends all look-ups of a resolver.
  const resolver = new Resolver()
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failure = answers.find((answer) => answer.status === 'rejected')
    if (addresses.length === 0) throw failure?.reason ?? new HostNotFoundError(`${name} has no address`)
    return addresses
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function findInHosts(text: string, host: string): string[] {
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return names.some((name) => name.toLowerCase() === host) ? [address] : []
  })
}
