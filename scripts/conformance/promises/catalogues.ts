import type { PromiseSection } from '../proven-promise.ts'

/** The documents for the catalogues of others. */
export const catalogues: PromiseSection = {
  title: 'Catalogues of others',
  promises: {
    'what a caller may not read does not exist in the catalogues of others': [
      'server/metadata/catalogues/list-readable.ts',
      'filterReadable(caller, names)',
      'names',
    ],
    'a key gets the sitemaps of the repositories that it covers, and no others': [
      'server/metadata/catalogues/catalogue-routes.ts',
      'requireRepoAccess(request.caller, repo)',
      '',
    ],
    'a collection of STAC has the extent that attributes state, and says if they state none': [
      'server/pages/catalogues/stac-collection.ts',
      'bbox === null ? [noBox]',
      'bbox !== null ? [noBox]',
    ],
    'DataHub gets the facts that attributes state, with fields, units, owners, tags and links': [
      'server/pages/catalogues/datahub.ts',
      "isPerson ? 'corpuser' : 'corpGroup'",
      "isPerson ? 'corpGroup' : 'corpuser'",
    ],
    'OpenMetadata gets a container with the facts that attributes state, and a column for each variable': [
      'server/pages/catalogues/openmetadata.ts',
      'columns: variables.map(describeColumn)',
      'columns: []',
    ],
    '`floe export datahub` writes the same about a location and about a service that serves it': [
      'server/main/commands/export/export-datasets.ts',
      'floe.datahub({ repo, ref, group }',
      "floe.datahub({ repo, ref: 'main', group: '' }",
    ],
  },
}
