import type { PromiseSection } from '../proven-promise.ts'

/** The documents for the catalogues of others. */
export const catalogues: PromiseSection = {
  title: 'Catalogues of others',
  promises: {
    'what a caller may not read does not exist in the catalogues of others': [
      'server/metadata/catalogues/stac-routes.ts',
      '=> mayRead(',
      '=> true || mayRead(',
    ],
    'a collection of STAC has the extent that attributes state, and says if they state none': [
      'server/pages/catalogues/stac-collection.ts',
      "bbox === null ? ['The",
      "bbox !== null ? ['The",
    ],
  },
}
