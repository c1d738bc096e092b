// Decides what a receiver's URL may look like when it is saved. The addresses behind its name are judged when we connect.
import { isIP } from 'node:net'
import { type AddressRules, allowance } from './address-rules.ts'
import { allowsLocalNames, isLocalName } from './judge-host.ts'

/** The rules of a receiver's URL. */
export type ReceiverUrlRule =
  'malformed' | 'too-long' | 'not-https' | 'credentials' | 'unusual-host' | 'local-name' | 'refused-address'

/** The URL breaks a rule. The message is for the person who typed it, and does not repeat the URL, which may hold a secret. */
export class ReceiverUrlError extends Error {
  override name = 'ReceiverUrlError'
  readonly rule: ReceiverUrlRule

  constructor(rule: ReceiverUrlRule, message: string) {
    super(message)
    this.rule = rule
  }
}

const maxLength = 2_048

/**
 * Parses the URL of a receiver and normalises it as the WHATWG URL standard says.
 *
 * @param rules for hosts that are written as addresses or name this machine
 * @throws {@link ReceiverUrlError}
 */
export function parseReceiverUrl(text: string, rules: AddressRules): URL {
  const refuse = (rule: ReceiverUrlRule, message: string) => new ReceiverUrlError(rule, message)
  if (text.length > maxLength) throw refuse('too-long', `must have at most ${maxLength} characters`)
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) {
    throw refuse('malformed', 'is not a URL; one such as https://example.org/hook is expected')
  }
  const url = new URL(text)
  if (url.protocol !== 'https:') throw refuse('not-https', 'must start with https://')
  const written = /^https:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (written === undefined) throw refuse('malformed', 'must start with https:// and a host')
  if (written.includes('@')) throw refuse('credentials', 'must not hold a user name or a password')
  const host = readHost(url)
  if (!isWrittenPlainly(written.replace(/:\d*$/, ''), url.hostname)) {
    throw refuse('unusual-host', `must name its host in the usual form: ${url.hostname.replace(/\.+$/, '')}`)
  }
  if (isLocalName(host) && !allowsLocalNames(rules)) {
    throw refuse('local-name', `must not name the machine that Floe runs on${allowance}, as 127.0.0.1/32 or ::1/128`)
  }
  const refusal = isIP(host) === 0 ? undefined : rules(host)
  if (refusal !== undefined)
    throw refuse('refused-address', `must not lead to an address that is ${refusal}${allowance}`)
  return url
}

/** Returns the host in the form that node:net takes: an IPv6 address without brackets. */
export function readHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * Returns whether a host is written the way that URL parsers read it. This refuses disguises: IPv4 addresses as numbers (`2130706433`,
 * `0x7f.1`, `0177.0.0.1`), circled and full-width characters, percent-encoding and a trailing dot. International names are fine.
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
