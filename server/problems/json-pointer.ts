/** Writes the path to a value as a JSON pointer (RFC 6901). */
export function writeJsonPointer(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}
