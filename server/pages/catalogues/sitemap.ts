// Sitemaps of a deployment, in the form of sitemaps.org, version 0.9. An address has to be below the folder of its
// sitemap, so all sitemaps have the address of the index, with a query.
import type { PageSubject } from '../page-subject.ts'
import { html, type Html } from '../html.ts'
import { PageBudget, renderWithin } from '../page-budget.ts'
import type { PageLinks } from '../page-links.ts'

/** Maximum number of entries, by the format. */
const maxEntries = 50_000

/** Maximum size in bytes. The format allows 50 MB, an answer less. */
const maxBytes = 30_000_000

/** Longest address, in characters. */
const maxAddressLength = 2_047

/**
 * The index of the sitemaps of repositories. Those beyond the limits of the format are left out.
 *
 * @param links absolute
 */
export function sitemapIndex(names: readonly string[], links: PageLinks): string {
  return write('sitemapindex', names.map(links.sitemap), (address) => html`<sitemap><loc>${address}</loc></sitemap>`)
}

type RepositoryPages = {
  readonly repo: string
  readonly ref: PageSubject['ref']
  readonly lastModified: Date
  /** Paths of the groups with arrays. */
  readonly groups: readonly string[]
}

/** The sitemap of a repository: its page, and those of its datasets. */
export function sitemap({ repo, ref, lastModified, groups }: RepositoryPages, links: PageLinks): string {
  const addresses = [links.repository(repo), ...groups.map((group) => links.dataset(repo, ref.name, group))]
  const time = lastModified.toISOString()
  return write('urlset', addresses, (address) => html`<url><loc>${address}</loc><lastmod>${time}</lastmod></url>`)
}

function write(
  element: 'sitemapindex' | 'urlset',
  addresses: readonly string[],
  writeEntry: (address: string) => Html,
): string {
  const listed = addresses.filter((address) => address.length <= maxAddressLength).slice(0, maxEntries)
  const { rendered } = renderWithin(new PageBudget(maxBytes), listed, writeEntry)
  const entries = rendered.join('\n')
  return (
    `<?xml version="1.0" encoding="utf-8"?>\n` +
    `<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries}\n</${element}>\n`
  )
}
