/** Leaves the query of an address out. Queries can hold what callers should not have sent. */
export function dropQuery(url: string): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}
