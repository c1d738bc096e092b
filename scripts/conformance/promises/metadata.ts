import type { PromiseSection } from '../proven-promise.ts'

const discovery = 'server/metadata/discovery-routes.ts'
const datasetList = 'server/reading/datasets/list-datasets.ts'
const redoc = 'server/metadata/documentation/redoc-page.ts'
const repoObject = 'storage/repositories/icechunk/format/repository/repo-object.ts'
const views = 'server/reading/datasets/views.ts'

/** The metadata of repositories, by the specification. */
export const metadata: PromiseSection = {
  title: 'Metadata',
  promises: {
    'all addresses are below `{base_url}/services/{deployment}/{org}/_meta` and answer `GET`': [
      'contract/http/paths.ts',
      '/_meta',
      '/meta',
    ],
    '`{base_url}` ends in `/v1`': ['server/main/configuration/schema.ts', "'/v1'", "''"],
    'no chunk is read: an answer needs the refs and one snapshot': [
      'storage/repositories/icechunk/repository/object-reader.ts',
      'const object =',
      "await this.read('chunks/0', signal); const object =",
    ],
    '`/discovery` lists the repositories that the caller may read': [
      discovery,
      'filterReadable(request.caller, names)',
      'names',
    ],
    'repositories that a deployment does not serve do not exist for its callers': [
      'server/catalog/served-catalog.ts',
      'this.isWhole ||',
      'true ||',
    ],
    '`/discovery/{repo}` has `branches` and `tags`': [discovery, 'refs.tags', 'refs.branches'],
    '`{ref}` is the name of a branch or of a tag': [repoObject, "'tags', name", "'branches', name"],
    '`/discovery/{repo}/{ref}` lists the paths of the datasets, with slashes between nested groups': [
      datasetList,
      '? paths :',
      "? paths.map((path) => path.replace('/', '.')) :",
    ],
    'a group is a dataset if it contains at least one array': [
      'storage/repositories/icechunk/format/snapshot/node-list.ts',
      '!this.#isArray(index)',
      'false',
    ],
    '`?group=` restricts the list to a sub-group': [datasetList, '=== group ||', "=== '' ||"],
    '`info` has the same `dimensions`, `variables` and `global_attributes` as xpublish': [
      views,
      'global_attributes: ',
      'global_attributes: new Map() || ',
    ],
    '`keys` has the names of all variables, including coordinates': [views, '=> name)', '=> name).slice(1)'],
    "`dict` is xarray's dictionary of the dataset without data": [views, '{ dims: ', '{ dims: [] || '],
    '`{group}` in the address may be nested': ['server/http/rewrite-url.ts', "'%2F'", "'/'"],
    'the page of a dataset shows the same dimensions and variables as xarray': [
      'server/pages/dataset/variable-list.ts',
      'typeText: ',
      "typeText: '' && ",
    ],
    'the page of a dataset shows the same attributes as xarray': [
      'server/pages/parts/attribute-list.ts',
      '<dd>${',
      "<dd>${'' && ",
    ],
    'the sections of the page have the same order as in xarray': [
      'server/pages/dataset/dataset-page.ts',
      '`${variableSections(',
      '`${groups} ${variableSections(',
    ],
    '`/completeness` counts the written chunks of each array as official Icechunk reads them': [
      'storage/repositories/icechunk/format/snapshot/manifest-refs.ts',
      "if (end > (grid[axis] ?? 0)) return 'outside_grid'",
      "if (end > (grid[axis] ?? 0) && false) return 'outside_grid'",
    ],
    '`/completeness?bytes=true` adds up the bytes of native, inline and virtual chunks': [
      'server/reading/completeness/stored-bytes.ts',
      "const kinds = ['native', 'inline', 'virtual'] as const",
      "const kinds = ['native', 'virtual'] as const",
    ],
    'the id of a snapshot in an address names this snapshot, also if a branch or tag has that name': [
      repoObject,
      'if (id !== undefined && decoder',
      'if (id !== undefined && false && decoder',
    ],
    'a ref at a time is the last snapshot at or before it, as `as_of` of official Icechunk finds it': [
      repoObject,
      '<= microseconds',
      '< microseconds',
    ],
    '`/history/{repo}/{ref}` has the same commits, messages and metadata as official Icechunk': [
      'server/metadata/history/history-routes.ts',
      'commit_message: ',
      "commit_message: '' && ",
    ],
    '`/history/{repo}/{ref}?path=` lists the commits whose diff with their parent has a path that matches': [
      'server/metadata/history/keep-changes.ts',
      'found.count > 0',
      'found.count > 1',
    ],
    '`/sources` lists the repositories whose configuration declares containers at, below or around an address': [
      'server/metadata/list-sources.ts',
      'other.startsWith(one)',
      'false',
    ],
    'pages of events hold each event of a caller once and in order': [
      'server/metadata/events/event-page.ts',
      'writePosition(read.through, scope)',
      'writePosition(after, scope)',
    ],
    'zarr-python reads every tree through the stored documents as it does through official Icechunk': [
      'server/reading/datasets/consolidate-documents.ts',
      '[...own, [member, consolidated]]',
      '[[member, consolidated]]',
    ],
    'official Icechunk opens a repository by the one address that Floe answers with a redirect': [
      'server/pages/open-address.ts',
      "'+icechunk:'",
      "':'",
    ],
    'who must not see where a repository is stored learns nothing of its containers': [
      'server/metadata/list-sources.ts',
      '=> seesStorage(',
      '=> true || seesStorage(',
    ],
    '`/chunk-sources` lists the files in which official Icechunk finds virtual chunks': [
      'storage/repositories/icechunk/format/manifest/show-address.ts',
      'location.slice(end + 1)',
      'location.slice(end)',
    ],
    'who must not see where a repository is stored does not learn in which files its chunks are': [
      'server/metadata/answering/question-routes.ts',
      '!seesStorage(',
      'false && !seesStorage(',
    ],
    'BibTeX of a hostile attribute is one entry whose braces balance, without a command of its author': [
      'server/self-description/write-citation.ts',
      'bibtexEscapes[character] ?? character',
      'character',
    ],
    'a history stops before `until`, such as the previous head of a notification': [
      repoObject,
      '(untilFound)',
      '(false)',
    ],
    '`/repositories/{repo}` has the same status, metadata and feature flags as official Icechunk': [
      'server/metadata/history/summarize.ts',
      'enabled: ',
      'enabled: !',
    ],
    '`/operations/{repo}` has the same operations log as official Icechunk': [
      'server/metadata/history/operations.ts',
      'previous_snapshot_id: ',
      "previous_snapshot_id: '' && ",
    ],
    '`/docs` is interactive': [
      'server/metadata/documentation/api-views.ts',
      "connect-src 'self'",
      "connect-src 'none'",
    ],
    '`/redoc` documents the same routes': [redoc, 'data-openapi="', 'data-openapi="x'],
    '`/openapi.json` and its pages list all routes, without the path parameters that the deployment determines': [
      'server/metadata/documentation/openapi/describe-deployment.ts',
      '!isName(',
      'true || !isName(',
    ],
    'the Python package asks for what the service answers, and raises its problems': [
      'python/floe_client/query.py',
      '"true" if value is True else ',
      '',
    ],
  },
}
