// Decides whether we may send to a host, by all the addresses that its name leads to.
import { type AddressRules, allowance } from './address-rules.ts'

/** Names of the machine itself, from RFC 6761 and the hosts files of Linux distributions. */
const localName = /^(?:.*\.)?(?:localhost|localhost\.localdomain|localhost[46]|ip6-localhost|ip6-loopback)$/

/** Returns whether a host is a name of the machine that Floe runs on. */
export function isLocalName(host: string): boolean {
  return localName.test(host)
}

/** The addresses that may be connected to, or why the host is refused. */
export type Judgement =
  | { readonly allowed: readonly string[]; readonly refusal?: undefined }
  | { readonly allowed?: undefined; readonly refusal: string }

/**
 * Judges the addresses of a host. One refused address refuses the host; otherwise chance would decide whether we connect to it. Names
 * of this machine are an exception: they lead to both 127.0.0.1 and ::1, so if one of them is allowed, only the other is left out. A
 * refusal does not name the address, because it could reveal a network that its reader cannot see.
 */
export function judgeHost(host: string, addresses: readonly string[], rules: AddressRules): Judgement {
  const refusal = addresses.map(rules).find((one) => one !== undefined)
  if (refusal === undefined) return { allowed: addresses }
  const allowed = addresses.filter((address) => rules(address) === undefined)
  return isLocalName(host) && allowed.length > 0 ? { allowed } : { refusal: `${refusal}${allowance}` }
}

/** Returns whether a name of this machine may be saved: one of its two addresses must be allowed. */
export function allowsLocalNames(rules: AddressRules): boolean {
  return ['127.0.0.1', '::1'].some((address) => rules(address) === undefined)
}
