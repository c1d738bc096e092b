// Networks without public servers, from IANA's IPv4 and IPv6 Special-Purpose Address Registries and multicast
// registries. The lists include networks that IANA calls globally reachable (AS112, AMT, anycast relays), because no
// public web server has such an address.

/** A network in CIDR form and its name in messages. */
export type SpecialNetwork = readonly [network: string, name: string]

export const specialIpv4Networks: readonly SpecialNetwork[] = [
  ['0.0.0.0/8', 'unspecified (RFC 791)'],
  ['10.0.0.0/8', 'private (RFC 1918)'],
  ['100.64.0.0/10', 'shared by carrier-grade NAT (RFC 6598)'],
  ['127.0.0.0/8', 'loopback (RFC 1122)'],
  ['168.63.129.16/32', 'the metadata service of Azure'],
  ['169.254.0.0/16', 'link-local, where clouds serve metadata (RFC 3927)'],
  ['172.16.0.0/12', 'private (RFC 1918)'],
  ['192.0.0.0/24', 'for protocol assignments (RFC 6890)'],
  ['192.0.2.0/24', 'for documentation (RFC 5737)'],
  ['192.31.196.0/24', 'AS112 (RFC 7535)'],
  ['192.52.193.0/24', 'AMT (RFC 7450)'],
  ['192.88.99.0/24', '6to4 relay anycast (RFC 7526)'],
  ['192.168.0.0/16', 'private (RFC 1918)'],
  ['192.175.48.0/24', 'AS112 (RFC 7534)'],
  ['198.18.0.0/15', 'for benchmarking (RFC 2544)'],
  ['198.51.100.0/24', 'for documentation (RFC 5737)'],
  ['203.0.113.0/24', 'for documentation (RFC 5737)'],
  ['224.0.0.0/4', 'multicast (RFC 5771)'],
  ['255.255.255.255/32', 'broadcast (RFC 919)'],
  ['240.0.0.0/4', 'reserved (RFC 1112)'],
]

/** The networks of public IPv6 addresses, and of NAT64 of IPv4. All other IPv6 networks are reserved or special. */
export const globalIpv6Networks: readonly string[] = ['2000::/3', '64:ff9b::/96']

/** Includes the IPv6 networks through which special IPv4 networks can be reached. */
export const specialIpv6Networks: readonly SpecialNetwork[] = [
  ['::/128', 'unspecified (RFC 4291)'],
  ['::1/128', 'loopback (RFC 4291)'],
  ['::/96', 'IPv4-compatible (RFC 4291)'],
  ['::ffff:0.0.0.0/96', 'IPv4-mapped (RFC 4291)'],
  ['::ffff:0:0:0/96', 'IPv4-translated (RFC 2765)'],
  ['64:ff9b:1::/48', 'NAT64 of a local network (RFC 8215)'],
  ['100::/63', 'discarded (RFC 6666, RFC 9780)'],
  ['2001::/32', 'a Teredo tunnel (RFC 4380)'],
  ['2001::/23', 'for protocol assignments (RFC 2928)'],
  ['2001:db8::/32', 'for documentation (RFC 3849)'],
  ['2620:4f:8000::/48', 'AS112 (RFC 7534)'],
  ['3fff::/20', 'for documentation (RFC 9637)'],
  ['5f00::/16', 'a segment routing identifier (RFC 9602)'],
  ['fc00::/7', 'private: unique local (RFC 4193)'],
  ['fe80::/10', 'link-local (RFC 4291)'],
  ['fec0::/10', 'private: site-local (RFC 3879)'],
  ['ff00::/8', 'multicast (RFC 4291)'],
  ...specialIpv4Networks.flatMap(embedInIpv6),
]

/** Returns the IPv6 networks that translate or tunnel to an IPv4 network: NAT64 (RFC 6052), 6to4 (RFC 3056). */
function embedInIpv6([network, name]: SpecialNetwork): SpecialNetwork[] {
  const [address = '', prefix] = network.split('/')
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(':')
  return [
    [`64:ff9b::${groups}/${96 + Number(prefix)}`, `NAT64 of an address that is ${name}`],
    [`2002:${groups}::/${16 + Number(prefix)}`, `6to4 of an address that is ${name}`],
  ]
}
