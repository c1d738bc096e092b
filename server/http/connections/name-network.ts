import { isIPv6 } from 'node:net'

/**
 * Names the network that a caller is counted by: the /64 network of an IPv6 address, because one caller usually has all
 * of it, or an IPv4 address.
 */
export function nameNetwork(address: string): string {
  if (!isIPv6(address)) return address
  // A URL spells an address in one way: in lower case and without leading zeros. It cannot have a zone (`%eth0`).
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const [start = [], end = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''))
  const groups = [...start, ...Array<string>(8 - start.length - end.length).fill('0'), ...end]
  // An IPv4 address, as a socket for both versions has it.
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff') return groups.slice(6).map(spellBytes).join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Spells two bytes of an IPv4 address. */
function spellBytes(group: string): string {
  const bytes = Number.parseInt(group, 16)
  return `${bytes >> 8}.${bytes & 0xff}`
}
