// Decides which URLs a receiver may have. The addresses of its host are checked again at each connection.
import { isIP } from 'node:net'
import type { Warning } from '@floe/contract'
import {
  type AddressRules,
  checkAddresses,
  findAddresses,
  isLocalName,
  readHost,
  type ResolveHost,
} from '@floe/storage/addresses'
import { explainInvalidRequest } from '../../problems/validation-problem.ts'
import { findProxy, type ReceiverProxy } from './receiver-proxy.ts'

/**
 * The URL breaks a rule. The message is for the person who typed the URL, and does not repeat it, because it may
 * contain a secret.
 */
export class ReceiverUrlError extends Error {
  override name = 'ReceiverUrlError'
}

const maxLength = 2_048

/** The end of every message that refuses an address. It says how an operator can allow it. */
export const allowance = ', unless the setting notifications.allowPrivateNetworks holds it'

/** The end of every message that refuses `http` to this machine. */
export const httpAllowance = ', unless the setting notifications.allowHttpLoopback is true'

const useHeader = 'a webhook can send them in a header "Authorization" of its own'

/** Hosts that are always this machine. Other names can lead to it today, and to another machine tomorrow. */
const thisMachine = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

/** Whether a URL leads to this machine without encryption. */
export function isHttpLoopback(url: URL): boolean {
  return url.protocol === 'http:' && thisMachine.test(readHost(url))
}

/**
 * Parses the URL of a receiver and normalises it as the WHATWG URL standard says.
 *
 * @param rules for hosts that are written as addresses or name this machine
 * @param allowHttpLoopback whether `http` to this machine is accepted, whatever the rules
 * @throws {@link ReceiverUrlError}
 */
export function parseReceiverUrl(text: string, rules: AddressRules, allowHttpLoopback: boolean): URL {
  if (text.length > maxLength) throw new ReceiverUrlError(`must have at most ${maxLength} characters`)
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) {
    throw new ReceiverUrlError('is not a URL; one such as https://example.org/hook is expected')
  }
  const url = new URL(text)
  const isPlain = isHttpLoopback(url)
  if (url.protocol !== 'https:' && !(isPlain && allowHttpLoopback)) {
    throw new ReceiverUrlError(`must start with https://${isPlain ? httpAllowance : ''}`)
  }
  const written = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (written === undefined) throw new ReceiverUrlError('must start with https:// and a host')
  if (written.includes('@')) throw new ReceiverUrlError(`must not hold a user name or a password; ${useHeader}`)
  const host = readHost(url)
  if (!isWrittenPlainly(written.replace(/:\d*$/, ''), url.hostname)) {
    throw new ReceiverUrlError(`must name its host in the usual form: ${url.hostname.replace(/\.+$/, '')}`)
  }
  if (isPlain) return url
  // Such a name is accepted when one of its two addresses is allowed.
  if (isLocalName(host) && ['127.0.0.1', '::1'].every((address) => rules(address) !== undefined)) {
    throw new ReceiverUrlError(`must not name the machine that Floe runs on${allowance}, as 127.0.0.1/32 or ::1/128`)
  }
  const refusal = isIP(host) === 0 ? undefined : rules(host)
  if (refusal !== undefined) throw new ReceiverUrlError(`must not lead to an address that is ${refusal}${allowance}`)
  return url
}

/**
 * Whether a host is written in the form that URL parsers return. This refuses disguises: IPv4 addresses as numbers
 * (`2130706433`, `0x7f.1`, `0177.0.0.1`), circled and full-width characters, percent-encoding and a trailing dot.
 * International names are allowed.
 */
function isWrittenPlainly(written: string, read: string): boolean {
  if (read.endsWith('.')) return false
  if (read.startsWith('[')) return true
  const labels = read.split('.')
  const writtenLabels = written.toLowerCase().split('.')
  return (
    labels.length === writtenLabels.length &&
    labels.every((label, index) => label === writtenLabels[index] || isInternational(writtenLabels[index], label))
  )
}

function isInternational(written: string | undefined, read: string): boolean {
  return written !== undefined && /[^\p{ASCII}]/u.test(written) && read.startsWith('xn--')
}

export type HostCheck = {
  readonly rules: AddressRules
  readonly allowHttpLoopback: boolean
  readonly resolveHost: ResolveHost
  /** It may know names that have no address here. */
  readonly proxy?: ReceiverProxy | undefined
}

/** A URL that can be saved. */
export type CheckedUrl = { readonly url: URL; readonly warnings: Warning[] }

/** The look-up of a host may take this long, in milliseconds. */
const lookUpTimeoutMs = 2_000

/**
 * Checks the `url` of a body. An unknown host is only a warning, because its DNS record may not have spread yet. A host
 * that leads to a refused address is an error, because every delivery would be refused.
 *
 * @throws RequestProblem `invalid-request`
 */
export async function checkReceiverUrl(text: string, check: HostCheck): Promise<CheckedUrl> {
  const { rules, allowHttpLoopback, resolveHost, proxy } = check
  try {
    const url = parseReceiverUrl(text, rules, allowHttpLoopback)
    const host = readHost(url)
    if (isIP(host) !== 0 || isHttpLoopback(url)) return { url, warnings: [] }
    const addresses = await findAddresses(resolveHost(host, AbortSignal.timeout(lookUpTimeoutMs)))
    const { refusal } = checkAddresses(host, addresses, rules)
    if (refusal !== undefined) throw new ReceiverUrlError(`must not lead to an address that is ${refusal}${allowance}`)
    if (addresses.length > 0 || findProxy(proxy, url)) return { url, warnings: [] }
    return { url, warnings: [{ code: 'host-not-found', detail: `${host} could not be found; check how it is spelt` }] }
  } catch (error) {
    if (!(error instanceof ReceiverUrlError)) throw error
    throw explainInvalidRequest([{ pointer: '/body/url', message: error.message }])
  }
}
