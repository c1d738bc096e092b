// The domains in which short host names are looked up. Source: resolv.conf(5).

/** Which names to look up for a host. */
type SearchRules = {
  /** Domains that are appended to a name. */
  readonly domains: readonly string[]
  /** A name with at least this many dots is first looked up as it is. */
  readonly minDots: number
}

/** Limits of the resolver of glibc, except that it takes more domains since version 2.26. */
const limits = { domains: 32, minDots: 15 }

/** Reads `search` and `domain`, where the last line counts, and `options ndots:N`. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = []
  let minDots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...values] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search') domains = values
    else if (keyword === 'domain') domains = values.slice(0, 1)
    else if (keyword === 'options') {
      const [, dots] = values.map((value) => /^ndots:(\d{1,9})$/.exec(value)).findLast((match) => match !== null) ?? []
      if (dots !== undefined) minDots = Math.min(Number(dots), limits.minDots)
    }
  }
  const named = domains.map((domain) => domain.replace(/^\.|\.$/g, '')).filter((domain) => domain !== '')
  return { domains: named.slice(0, limits.domains), minDots }
}

/** Lists the names of a host in the order in which they are looked up. A dot at its end means that it is complete. */
export function listSearchedNames(host: string, { domains, minDots }: SearchRules): readonly string[] {
  if (host.endsWith('.')) return [host]
  const longer = domains.map((domain) => `${host}.${domain}`)
  return host.split('.').length > minDots ? [host, ...longer] : [...longer, host]
}
