/** Stands for an address that is not shown, because it is no URL and could contain credentials. */
const hiddenAddress = '(not shown)'

/** The beginning of locations below a container, which is named in the configuration: `vcc://NAME/...`. */
const relativePrefix = 'vcc://'

/** What credentials are written with: user information, a query, or a fragment. */
const secretMarks = /[@?#]/

/** An address with a host, in the form in which its parts are found in the text. */
const withHost = /^[a-z][a-z0-9+.-]*:\/\/[^/]/i

const userInformation = /^([^:]*:\/\/)[^/]*@/

/**
 * Makes the address of a file from the location of a chunk. It has no credentials: user information, query and fragment
 * are left out.
 *
 * @param containers the prefixes of the repository's containers, by name. A location below another one stays relative
 */
export function showAddress(location: string, containers: ReadonlyMap<string, string>): string {
  return hideSecrets(resolve(location, containers))
}

function resolve(location: string, containers: ReadonlyMap<string, string>): string {
  if (!location.startsWith(relativePrefix)) return location
  const end = location.indexOf('/', relativePrefix.length)
  const prefix = end === -1 ? undefined : containers.get(location.slice(relativePrefix.length, end))
  return prefix === undefined ? location : prefix + location.slice(end + 1)
}

function hideSecrets(address: string): string {
  if (!secretMarks.test(address) || address.startsWith('file:///')) return address
  const url = withHost.test(address) ? URL.parse(address) : null
  if (url === null) return hiddenAddress
  const path = address.slice(0, address.search(/[?#]|$/))
  return url.username + url.password === '' ? path : path.replace(userInformation, '$1')
}
