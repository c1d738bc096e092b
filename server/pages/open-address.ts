// One address that opens a repository with Icechunk, wherever it is stored: Floe answers it with a redirect, which the
// `redirect_storage` of Icechunk follows. Source of the forms that it follows: tried with Icechunk 2.3.0.
import type { PublishedStorage } from '@floe/contract'
import { buildAddress, metaPrefix } from '@floe/contract/constants'
import type { PageSubject } from './page-subject.ts'

/** Where Icechunk finds the repository, or why no redirect can lead there. */
type RedirectTarget =
  { readonly location: string; readonly refusal: null } | { readonly location: null; readonly refusal: string }

/** Characters that mean the same in an address and in the name of an object. */
const plainPath = /^[\w.~/-]*$/

/**
 * Finds where a redirect leads. Such an address has no credentials, so it only leads to what anyone may read.
 *
 * @param published undefined if the operator does not publish where the repository is stored
 */
export function findRedirectTarget(published: PublishedStorage | undefined): RedirectTarget {
  if (published === undefined) return refuse('The operator does not publish where the repository is stored')
  if (published.storage === 'azure') return refuse('A redirect cannot lead to Azure: use icechunk.azure_storage')
  if (published.storage === 'http') return leadTo(published.url.replace(':', '+icechunk:'))
  const { storage, bucket, prefix, anonymous } = published
  const instead = `use icechunk.${storage}_storage`
  if (!anonymous) return refuse(`Its store can only be read with credentials: ${instead}`)
  if (!plainPath.test(prefix)) return refuse(`An address cannot have the prefix ${prefix}: ${instead}`)
  if (storage === 'gcs') return leadTo(`gs://${bucket}/${prefix}`)
  if (published.endpoint !== null) return refuse(`A redirect cannot name an S3 service other than Amazon's: ${instead}`)
  if (published.region === null) return refuse(`The operator does not publish the region of the bucket: ${instead}`)
  return leadTo(`s3://${bucket}/${prefix}?region=${encodeURIComponent(published.region)}`)
}

function leadTo(location: string): RedirectTarget {
  return { location, refusal: null }
}

function refuse(refusal: string): RedirectTarget {
  return { location: null, refusal }
}

/** The address of a repository for `redirect_storage`. */
export function writeOpenAddress(
  baseUrl: string,
  names: { readonly deployment: string; readonly org: string; readonly repo: string },
): string {
  return buildAddress(baseUrl, `${metaPrefix}/open/:repo`, names)
}

type OpenedRepository = Pick<PageSubject, 'deployment' | 'repository' | 'published'>

/** The address of Floe that opens the repository, on a private deployment with a key; null if there is none. */
export function findOpenAddress({ deployment, repository: repo, published }: OpenedRepository): string | null {
  if (findRedirectTarget(published ?? undefined).location === null) return null
  return writeOpenAddress(deployment.baseUrl, { deployment: deployment.name, org: deployment.org, repo })
}

/** The same if nobody needs a key. */
export function findPublicAddress(opened: OpenedRepository): string | null {
  return opened.deployment.isPublic ? findOpenAddress(opened) : null
}
