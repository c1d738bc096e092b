import { isIP } from 'node:net'
import { checkAddresses, findAddresses, makeAddressRules, readHost, resolveHost } from '@floe/storage/addresses'
import { mapInParallel } from '@floe/storage/waiting'
import { tryReceiverUrl } from '../../configuration/sections/notifications.ts'
import type { Config } from '../../configuration/schema.ts'
import { allowance, isHttpLoopback, ReceiverUrlError } from '../../../notifications/receivers/receiver-url.ts'
import type { ProxyCheck } from './check-proxy.ts'
import type { Finding } from './finding.ts'

/** A webhook or a chat. Its URL can hold secrets. */
export type NamedReceiver = { readonly name: string; readonly url: string }

/** Names a receiver. `repo` is null for a receiver of the organisation. */
export function nameReceiver(org: string, repo: string | null, alias: string): string {
  return `${repo === null ? org : `${org}/${repo}`} ${alias}`
}

/** Number of receivers that are checked at the same time. */
const width = 16

/** Time limit for looking up one host, in milliseconds. */
const timeoutMs = 5_000

/** Checks that the host of every receiver is found and allowed, and that the proxy connects to it. Sends nothing. */
export async function checkReceivers(
  config: Config,
  recorded: readonly NamedReceiver[],
  {
    signal,
    onProgress,
    proxy,
  }: {
    readonly signal: AbortSignal
    readonly onProgress: (text: string) => void
    readonly proxy: ProxyCheck | undefined
  },
): Promise<Finding[]> {
  const { allowPrivateNetworks, allowHttpLoopback, webhooks, chats } = config.notifications
  const declared = [...webhooks, ...chats].map(({ org, repo, alias, url }) => ({
    name: nameReceiver(org, repo, alias),
    url,
  }))
  const rules = makeAddressRules(allowPrivateNetworks)
  onProgress('looking up the hosts of receivers')
  const lookups = new Map<string, Promise<readonly string[]>>()
  const lookUp = (host: string) => {
    const lookup = lookups.get(host) ?? resolveHost(host, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
    lookups.set(host, lookup)
    return lookup
  }
  return mapInParallel([...declared, ...recorded], width, async ({ name, url }) => ({
    kind: 'receiver',
    name,
    ...(await judge(url)),
  }))

  async function judge(text: string): Promise<Pick<Finding, 'ok' | 'detail'>> {
    const url = tryReceiverUrl(text, rules, allowHttpLoopback)
    if (url instanceof ReceiverUrlError) return { ok: false, detail: `its URL ${url.message}` }
    const host = readHost(url)
    const way = proxy?.leadsTo(url) ? proxy : undefined
    if (isIP(host) !== 0 || isHttpLoopback(url))
      return way?.tryReceiver(url) ?? { ok: true, detail: `${host} is an address that may be sent to` }
    const addresses = await findAddresses(lookUp(host))
    // The proxy may know a name that has no address here.
    if (addresses.length === 0 && !way) return { ok: false, detail: `${host} cannot be found` }
    const { refusal } = checkAddresses(host, addresses, rules)
    if (refusal !== undefined)
      return { ok: false, detail: `${host} leads to an address that is ${refusal}${allowance}` }
    if (way) return way.tryReceiver(url)
    return { ok: true, detail: `${host} is found at ${addresses.join(', ')}` }
  }
}
