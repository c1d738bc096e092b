// How names are written into the path of a route. The client has a copy of this file, which imports nothing.

/** The parameters of a path, such as `'org' | 'repo'` of `/v1/orgs/:org/repos/:repo`. */
type ParameterOf<Path extends string> = Path extends `${string}/:${infer Parameter}/${infer Rest}`
  ? Parameter | ParameterOf<`/${Rest}`>
  : Path extends `${string}/:${infer Parameter}`
    ? Parameter
    : never

/** A name for each parameter of a path. */
export type NamesOf<Path extends string> = { readonly [Parameter in ParameterOf<Path>]: string }

/**
 * Writes names into the path of a route. Each is percent-encoded exactly once. Only `group` has several segments; the
 * root group, which is empty, has none. Names without a parameter are ignored.
 *
 * @param path path of a route, or a part of one that begins with a slash
 * @throws TypeError if a name is missing
 */
export function fillPath<Path extends string>(path: Path, names: NamesOf<Path>): string {
  const given: Readonly<Record<string, string | undefined>> = names
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith(':')) return `/${segment}`
    const name = given[segment.slice(1)]
    if (segment === ':group') return name ? `/${name.split('/').map(encodeName).join('/')}` : ''
    if (name === undefined) throw new TypeError(`${segment.slice(1)} is missing`)
    return `/${encodeName(name)}`
  })
  return segments.join('').slice(1)
}

/** Percent-encodes a name, the apostrophe too, so that an address can be quoted with single quotes in a shell. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27')
}
