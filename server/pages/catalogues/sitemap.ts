// Sitemaps of a deployment, in the form of sitemaps.org, version 0.9. An address has to be below the folder of its
// sitemap, so all sitemaps have the address of the index, with a query.
import type { Slices } from '@floe/storage/waiting'
import type { PageSubject } from '../page-subject.ts'
import { html, type Html } from '../html.ts'
import { PageBudget } from '../page-budget.ts'
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
export async function sitemapIndex(names: readonly string[], links: PageLinks, slices: Slices): Promise<string> {
  const entries = new Entries()
  for (const name of names) {
    if (slices.isOver) await slices.next()
    const address = links.sitemap(name)
    entries.add(address, html`<sitemap><loc>${address}</loc></sitemap>`)
    if (entries.areFull) break
  }
  return entries.write('sitemapindex')
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
  const time = lastModified.toISOString()
  const entries = new Entries()
  const add = (address: string) =>
    entries.add(address, html`<url><loc>${address}</loc><lastmod>${time}</lastmod></url>`)
  add(links.repository(repo))
  for (const group of groups) {
    if (entries.areFull) break
    add(links.dataset(repo, ref.name, group))
  }
  return entries.write('urlset')
}

/** The entries of a sitemap, within the limits of the format. */
class Entries {
  readonly #budget = new PageBudget(maxBytes)
  readonly #written: Html[] = []
  #areFull = false

  /** Whether no more entries fit. */
  get areFull(): boolean {
    return this.#areFull
  }

  /** Adds an entry, unless its address is too long. */
  add(address: string, entry: Html): void {
    if (address.length > maxAddressLength) return
    const fits = this.#budget.trySpend(entry)
    if (fits) this.#written.push(entry)
    this.#areFull = !fits || this.#written.length === maxEntries
  }

  write(element: 'sitemapindex' | 'urlset'): string {
    return (
      `<?xml version="1.0" encoding="utf-8"?>\n` +
      `<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${this.#written.join('\n')}\n</${element}>\n`
    )
  }
}
