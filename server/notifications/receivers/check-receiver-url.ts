import { isIP } from 'node:net'
import type { Warning } from '@floe/contract'
import type { RequestProblem } from '../../http/problems/request-problem.ts'
import { explainInvalidRequest } from '../../http/problems/validation-problem.ts'
import type { AddressRules } from './address-rules.ts'
import { judgeHost } from './judge-host.ts'
import { readHost, parseReceiverUrl, ReceiverUrlError } from './receiver-url.ts'
import type { ResolveHost } from './resolve-host.ts'

/** The look-up of a host may take this long, in milliseconds. */
const lookUpTimeoutMs = 2_000

/** How hosts are found and judged. */
export type HostCheck = { readonly rules: AddressRules; readonly resolveHost: ResolveHost }

/** A URL that can be saved. */
export type CheckedUrl = { readonly url: URL; readonly warnings: Warning[] }

/**
 * Checks the `url` of a body. An unknown host is only a warning, because its name may not have spread yet. A host that leads to a refused
 * address is an error, because nothing would ever be sent there.
 *
 * @throws RequestProblem `invalid-request`
 */
export async function checkReceiverUrl(text: string, { rules, resolveHost }: HostCheck): Promise<CheckedUrl> {
  const url = parse(text, rules)
  const host = readHost(url)
  if (isIP(host) !== 0) return { url, warnings: [] }
  const addresses = await resolveHost(host, AbortSignal.timeout(lookUpTimeoutMs)).catch(() => [])
  const { refusal } = judgeHost(host, addresses, rules)
  if (refusal !== undefined) throw explainWrongUrl(`must not lead to an address that is ${refusal}`)
  if (addresses.length > 0) return { url, warnings: [] }
  return { url, warnings: [{ code: 'host-not-found', detail: `${host} could not be found; check how it is spelt` }] }
}

function parse(text: string, rules: AddressRules): URL {
  try {
    return parseReceiverUrl(text, rules)
  } catch (error) {
    if (!(error instanceof ReceiverUrlError)) throw error
    throw explainWrongUrl(error.message)
  }
}

function explainWrongUrl(message: string): RequestProblem {
  return explainInvalidRequest([{ pointer: '/body/url', message }])
}
