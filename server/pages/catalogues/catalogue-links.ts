// Links from pages to the documents for the catalogues of others. Pages of private deployments have none, because such
// catalogues cannot read them.
import { html, type Html } from '../html.ts'
import type { Alternate } from '../layout.ts'
import type { PageLinks } from '../page-links.ts'
import type { PageSubject, ShownDeployment } from '../page-subject.ts'

const json = 'application/json'
const jsonLd = 'application/ld+json'

/** Links to the catalogs of a deployment. */
export function linkDeploymentCatalogues({ isPublic }: ShownDeployment, links: PageLinks): readonly Alternate[] {
  if (!isPublic) return []
  return [
    { text: 'STAC', type: json, href: links.stac },
    { text: 'DCAT', type: jsonLd, href: links.dcat() },
  ]
}

/** Links to the catalogs of a repository, which have the datasets of `main`. */
export function linkRepositoryCatalogues(
  { isPublic }: ShownDeployment,
  repository: string,
  links: PageLinks,
): readonly Alternate[] {
  if (!isPublic) return []
  return [
    { text: 'STAC', type: json, href: links.stacRepository(repository) },
    { text: 'DCAT', type: jsonLd, href: links.dcat(repository) },
  ]
}

/** Links to the descriptions of a dataset. DCAT has it in the catalog of its repository. */
export function linkDatasetCatalogues(
  { deployment, repository, ref }: PageSubject,
  group: string,
  links: PageLinks,
): readonly Alternate[] {
  if (!deployment.isPublic) return []
  return [
    { text: 'STAC', type: json, href: links.stacDataset(repository, ref.name, group) },
    { text: 'Croissant', type: jsonLd, href: links.croissant(repository, ref.name, group) },
  ]
}

/** The same links beside the heading of a page. */
export function catalogueViews(catalogues: readonly Alternate[]): Html | false {
  return (
    catalogues.length > 0 &&
    html`<span>Catalogues:</span> ${catalogues.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}`
  )
}
