// Whether a host may be sent to, by all the addresses that its name leads to.
import { type AddressRules, allowance } from './address-rules.ts'

/** Names that mean the machine itself, by RFC 6761 and by the hosts files of Linux distributions. */
const localName = /^(?:.*\.)?(?:localhost|localhost\.localdomain|localhost[46]|ip6-localhost|ip6-loopback)$/

/** Whether a host is a name of the machine that Floe runs on. */
export function isLocalName(host: string): boolean {
  return localName.test(host)
}

/** The addresses that may be connected to, or why the host is refused. */
export type Judgement =
  | { readonly allowed: readonly string[]; readonly refusal?: undefined }
  | { readonly allowed?: undefined; readonly refusal: string }

/**
 * Judges the addresses of a host. One refused address refuses the host, because which of several is connected to must not be left to
 * chance. Names of this machine are the exception: they lead to 127.0.0.1 and ::1 alike, so the refused one is left out while the other
 * is allowed. A refusal does not name the address, which could tell of a network that its reader cannot see.
 */
export function judgeHost(host: string, addresses: readonly string[], rules: AddressRules): Judgement {
  const refusal = addresses.map(rules).find((one) => one !== undefined)
  if (refusal === undefined) return { allowed: addresses }
  const allowed = addresses.filter((address) => rules(address) === undefined)
  return isLocalName(host) && allowed.length > 0 ? { allowed } : { refusal: `${refusal}${allowance}` }
}

/** Whether a name of this machine may be saved: one of the addresses that it stands for is allowed. */
export function allowsLocalNames(rules: AddressRules): boolean {
  return ['127.0.0.1', '::1'].some((address) => rules(address) === undefined)
}
