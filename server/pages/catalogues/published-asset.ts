// Where a published repository is, in the forms of catalogues.
import type { PublishedStorage } from '@floe/contract'

/** Media type of a repository, as publishers of STAC write it. */
export const icechunkType = 'application/vnd.zarr+icechunk'

/** The address of a repository. */
export function locatePublished(published: PublishedStorage): string {
  switch (published.storage) {
    case 's3':
      return `s3://${published.bucket}/${published.prefix}`
    case 'gcs':
      return `gs://${published.bucket}/${published.prefix}`
    case 'azure':
      return `az://${published.container}/${published.prefix}`
    case 'http':
      return published.url
  }
}

/**
 * The address of a group: that of the repository for the root group, else a pipeline of addresses, in the form of the
 * best practices of STAC for Zarr and of ZEP 8.
 */
export function locateGroup(published: PublishedStorage, version: string, group: string): string {
  const location = locatePublished(published)
  if (group === '') return location
  const path = group.split('/').map(encodeURIComponent).join('/')
  return `${location.replace(/\/?$/, '/')}|icechunk://${version}/${path}/|zarr3`
}
