// Decides to which addresses Floe may connect when a stranger chose the host. The rules check the addresses that a name
// resolves to, never the name itself.
import { BlockList, isIP } from 'node:net'
import {
  globalIpv6Networks,
  type SpecialNetwork,
  specialIpv4Networks,
  specialIpv6Networks,
} from './special-networks.ts'

/** Returns why Floe must not connect to an address, such as "loopback (RFC 1122)"; undefined when it may. */
export type AddressRules = (address: string) => string | undefined

/** The text is not a network in CIDR form. */
export class NetworkError extends Error {
  override name = 'NetworkError'

  constructor(network: string) {
    super(`${JSON.stringify(network)} is not a network such as 10.0.0.0/8 or fd00::/8`)
  }
}

type Network = { readonly family: 'ipv4' | 'ipv6'; readonly contains: (address: string) => boolean }

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
    if (allowed.some((network) => network.family === family && network.contains(address))) return undefined
    const special = specialNetworks[family].find(({ network }) => network.contains(address))
    if (special !== undefined) return special.name
    return family === 'ipv4' || globalIpv6.some((network) => network.contains(address))
      ? undefined
      : 'reserved (RFC 4291)'
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
  return { family, contains: (address) => list.check(address, family) }
}

const parseNamed = ([network, name]: SpecialNetwork) => ({ network: parseNetwork(network), name })
const specialNetworks = { ipv4: specialIpv4Networks.map(parseNamed), ipv6: specialIpv6Networks.map(parseNamed) }
const globalIpv6 = globalIpv6Networks.map(parseNetwork)

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

/** The addresses to which Floe may connect. None when the host is refused; `refusal` then says why. */
type AddressCheck = { readonly allowed: readonly string[]; readonly refusal: string | undefined }

/**
 * Checks the addresses of a host. A single refused address refuses the whole host; otherwise chance would decide
 * whether the connection is allowed. Names of this machine are an exception: they resolve to 127.0.0.1 and ::1, and one
 * of the two may be allowed alone. A refusal does not contain the address, because it could reveal a network that the
 * reader of the message cannot see.
 */
export function checkAddresses(host: string, addresses: readonly string[], rules: AddressRules): AddressCheck {
  const refusal = addresses.map(rules).find((reason) => reason !== undefined)
  if (refusal === undefined) return { allowed: addresses, refusal }
  const allowed = addresses.filter((address) => rules(address) === undefined)
  if (isLocalName(host) && allowed.length > 0) return { allowed, refusal: undefined }
  return { allowed: [], refusal }
}
