// Decides which addresses a receiver may have. The rules judge the addresses that a name leads to, never the name.
import { BlockList, isIP } from 'node:net'
import {
  globalIpv6Networks,
  type SpecialNetwork,
  specialIpv4Networks,
  specialIpv6Networks,
} from './special-networks.ts'

/** Returns why an address must not be connected to, such as "loopback (RFC 1122)"; undefined when it may be. */
export type AddressRules = (address: string) => string | undefined

/** The end of every refusal of an address, which tells an operator what to do. */
export const allowance = ', unless the setting notifications.allowPrivateNetworks holds it'

/** The text is not a network in CIDR form. */
export class NetworkError extends Error {
  override name = 'NetworkError'

  constructor(network: string) {
    super(`${JSON.stringify(network)} is not a network such as 10.0.0.0/8 or fd00::/8`)
  }
}

type Network = { readonly family: 'ipv4' | 'ipv6'; readonly holds: (address: string) => boolean }

/**
 * Makes rules that refuse every address that is not an ordinary public one, except those in the allowed networks.
 *
 * @param allowedNetworks in CIDR form; an IPv4 network does not allow its IPv4-mapped, NAT64 or 6to4 forms
 * @throws {@link NetworkError}
 */
export function makeAddressRules(allowedNetworks: readonly string[]): AddressRules {
  const allowed = allowedNetworks.map(parseNetwork)
  return (address) => {
    const family = detectFamily(address)
    if (family === undefined) return 'not an IP address'
    if (allowed.some((network) => network.family === family && network.holds(address))) return undefined
    return family === 'ipv4' ? findName(ipv4, address) : refuseIpv6(address)
  }
}

/**
 * Reads a network in CIDR form.
 *
 * @throws {@link NetworkError}
 */
export function parseNetwork(text: string): Network {
  const [, address = '', prefix] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = detectFamily(address)
  if (family === undefined || Number(prefix) > (family === 'ipv4' ? 32 : 128)) throw new NetworkError(text)
  // Each network has its own list, because a list of IPv4 networks also matches IPv4-mapped IPv6 addresses.
  const list = new BlockList()
  list.addSubnet(address, Number(prefix), family)
  return { family, holds: (address) => list.check(address, family) }
}

type NamedNetwork = { readonly network: Network; readonly name: string }

const parseNamed = ([network, name]: SpecialNetwork): NamedNetwork => ({ network: parseNetwork(network), name })
const ipv4 = specialIpv4Networks.map(parseNamed)
const ipv6 = specialIpv6Networks.map(parseNamed)
const globalIpv6 = globalIpv6Networks.map(parseNetwork)

function refuseIpv6(address: string): string | undefined {
  const name = findName(ipv6, address)
  if (name !== undefined) return name
  return globalIpv6.some((network) => network.holds(address)) ? undefined : 'reserved (RFC 4291)'
}

function findName(networks: readonly NamedNetwork[], address: string): string | undefined {
  return networks.find(({ network }) => network.holds(address))?.name
}

function detectFamily(address: string): 'ipv4' | 'ipv6' | undefined {
  // Public addresses have no zone (`fe80::1%eth0`), and BlockList cannot parse zones.
  const version = address.includes('%') ? 0 : isIP(address)
  return version === 4 ? 'ipv4' : version === 6 ? 'ipv6' : undefined
}

/** Names of the machine itself, from RFC 6761 and the hosts files of Linux distributions. */
const localName = /^(?:.*\.)?(?:localhost|localhost\.localdomain|localhost[46]|ip6-localhost|ip6-loopback)$/

export function isLocalName(host: string): boolean {
  return localName.test(host)
}

/** The addresses that may be connected to, or why the host is refused. */
export type Judgement =
  | { readonly allowed: readonly string[]; readonly refusal?: undefined }
  | { readonly allowed?: undefined; readonly refusal: string }

/**
 * Judges the addresses of a host. One refused address refuses the host; otherwise, chance would decide whether the connection is allowed.
 * Names of this machine are an exception: they lead to 127.0.0.1 and ::1, and one of the two may be allowed alone. A refusal does not name
 * the address, because it could reveal a network that its reader cannot see.
 */
export function judgeHost(host: string, addresses: readonly string[], rules: AddressRules): Judgement {
  const refusal = addresses.map(rules).find((one) => one !== undefined)
  if (refusal === undefined) return { allowed: addresses }
  const allowed = addresses.filter((address) => rules(address) === undefined)
  return isLocalName(host) && allowed.length > 0 ? { allowed } : { refusal: `${refusal}${allowance}` }
}
