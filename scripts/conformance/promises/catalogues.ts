import type { PromiseSection } from '../proven-promise.ts'

/** The documents for the catalogues of others. */
export const catalogues: PromiseSection = {
  title: 'Catalogues of others',
  promises: {
    'what a caller may not read does not exist in the catalogues of others': [
      'server/metadata/catalogues/list-readable.ts',
      'filterReadable(apiKey, names)',
      'names',
    ],
    'a key gets the sitemaps of the repositories that it covers, and no others': [
      'server/metadata/catalogues/catalogue-routes.ts',
      'requireRepoAccess(request.apiKey, repo)',
      '',
    ],
    'a collection of STAC has the extent that attributes state, and says if they state none': [
      'server/pages/catalogues/stac-collection.ts',
      'bbox === null ? [noBox]',
      'bbox !== null ? [noBox]',
    ],
  },
}
