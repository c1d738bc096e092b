import type { PromiseSection } from '../proven-promise.ts'

const parity = ['server/metadata/parity.test.ts', 'weather is served, byte for byte, as xpublish serves it'] as const
const pages = [
  'server/metadata/dataset-pages.test.ts',
  'weather: pages show the dimensions, variables and attributes that xarray has',
] as const

/** The metadata of repositories, by the specification. */
export const metadata: PromiseSection = {
  title: 'Metadata',
  promises: [
    {
      promise: 'all addresses are below `{base_url}/services/{deployment}/{org}/_meta` and answer `GET`',
      test: ['server/every-route.test.ts', 'every address of the specification answers with its kind of content'],
      mutation: ['contract/dsl.ts', '/services/:deployment/:org/_meta', '/services/:deployment/:org/meta'],
    },
    {
      promise: '`{base_url}` ends in `/v1`',
      test: [
        'server/main/configuration/load-config.test.ts',
        'an invalid setting is refused with its key and the expected value',
      ],
      mutation: ['server/main/configuration/schema.ts', "url.endsWith('/v1')", "url.startsWith('http')"],
    },
    {
      promise: 'no chunk is read: an answer needs the refs and one snapshot',
      test: ['server/metadata/round-trips.test.ts', 'a directory'],
      mutation: [
        'storage/icechunk/repository/object-reader.ts',
        'const object = await this.find(key, signal)',
        'await this.find(`chunks/${id}`, signal); const object = await this.find(key, signal)',
      ],
    },
    {
      promise: '`/discovery` lists the repositories that the caller may read',
      test: ['server/metadata/discovery.test.ts', 'a key that is limited to repositories sees no others'],
      mutation: [
        'server/metadata/discovery-routes.ts',
        'names.filter((name) => mayRead(request.apiKey, name))',
        'names',
      ],
    },
    {
      promise: 'for callers of a deployment, repositories that it does not serve do not exist',
      test: [
        'server/metadata/served-repositories.test.ts',
        'what is not served is answered as if it did not exist, even while other deployments have it cached',
      ],
      mutation: [
        'server/catalog/served-catalog.ts',
        'return this.serves(name) ? this.#catalog.find(name, makeSignal) : undefined',
        'return this.#catalog.find(name, makeSignal)',
      ],
    },
    {
      promise: '`/discovery/{repo}` has `branches` and `tags`',
      test: ['server/metadata/discovery.test.ts', 'discovery lists refs and datasets as official Icechunk does'],
      mutation: ['server/metadata/discovery-routes.ts', 'tags: refs.tags.keys()', 'tags: refs.branches.keys()'],
    },
    {
      promise: '`{ref}` is the name of a branch or of a tag',
      test: [
        'server/metadata/discovery.test.ts',
        'every branch and tag that is listed is served, whatever characters its name has',
      ],
      mutation: ['storage/icechunk/format/repo-object.ts', "findRef('tags', name)", "findRef('branches', name)"],
    },
    {
      promise: '`/discovery/{repo}/{ref}` lists the paths of the datasets, with slashes between nested groups',
      test: ['server/metadata/discovery.test.ts', 'discovery lists refs and datasets as official Icechunk does'],
      mutation: [
        'server/reading/answer-question.ts',
        "return below === '' ? paths",
        "return below === '' ? paths.map((path) => path.replace('/', '.'))",
      ],
    },
    {
      promise: 'a group is a dataset if it contains at least one array',
      test: [
        'server/metadata/group-names.test.ts',
        'a group is a dataset if it holds an array, and not for the arrays of groups below it',
      ],
      mutation: [
        'server/reading/answer-question.ts',
        'snapshot.nodes.listParentsOfArrays()',
        "[...snapshot.nodes].flatMap(({ path, kind }) => (kind === 'group' ? [path] : []))",
      ],
    },
    {
      promise: '`?group=` restricts the list to a sub-group',
      test: ['server/metadata/discovery.test.ts', '?group= restricts the list to a group and what is below it'],
      mutation: ['server/reading/answer-question.ts', 'path === below || ', "path === '' || "],
    },
    {
      promise: '`info` has the same `dimensions`, `variables` and `global_attributes` as xpublish',
      test: parity,
      mutation: [
        'server/reading/views.ts',
        "global_attributes: omit(attributes, '_xpublish_id')",
        'global_attributes: new Map()',
      ],
    },
    {
      promise: '`keys` has the names of all variables, including coordinates',
      test: parity,
      mutation: [
        'server/reading/views.ts',
        'return variables.map(({ name }) => name)',
        'return variables.filter(({ isCoordinate }) => !isCoordinate).map(({ name }) => name)',
      ],
    },
    {
      promise: "`dict` is xarray's dictionary of the dataset without data",
      test: parity,
      mutation: ['server/reading/views.ts', '{ dims: dimensions, attrs', '{ dims: [], attrs'],
    },
    {
      promise: '`{group}` in the address may be nested',
      test: ['server/metadata/datasets.test.ts', 'a nested group may be sent raw or with %2F'],
      mutation: ['server/http/rewrite-url.ts', "join('%2F')", "join('/')"],
    },
    {
      promise: 'the page of a dataset shows the same dimensions and variables as xarray',
      test: pages,
      mutation: [
        'server/pages/dataset/variable-list.ts',
        '{ typeText: type.text, shape,',
        '{ typeText: type.name, shape: [],',
      ],
    },
    {
      promise: 'the page of a dataset shows the same attributes as xarray',
      test: pages,
      mutation: ['server/pages/attribute-list.ts', '<dd>${showValue(value)}</dd>', '<dd></dd>'],
    },
    {
      promise: 'the sections of the page have the same order as in xarray',
      test: ['server/pages/dataset/dataset-page.test.ts', 'sections stand in the order of xarray, groups below them'],
      mutation: ['server/pages/dataset/dataset-page.ts', '${attributeSection(content.dataset.attributes, true)}', ''],
    },
    {
      promise: '`/history/{repo}/{ref}` has the same commits, messages and metadata as official Icechunk',
      test: [
        'server/metadata/history/commits.test.ts',
        'histories are those of official Icechunk, the metadata with the digits of its numbers',
      ],
      mutation: ['server/metadata/history/history-routes.ts', '    metadata,\n  }', '    metadata: new Map(),\n  }'],
    },
    {
      promise: 'a history stops before `until`, such as the previous head of a notification',
      test: [
        'client/history.test.ts',
        'weather: the commits that a notification leaves out are iterated back to its previous head',
      ],
      mutation: [
        'storage/icechunk/format/repo-object.ts',
        "if (untilFound) return 'stop'",
        "if (limit === 0) return 'stop'",
      ],
    },
    {
      promise: '`/repositories/{repo}` has the same status, metadata and feature flags as official Icechunk',
      test: [
        'server/metadata/history/repository.test.ts',
        'status, metadata and feature flags are those of official Icechunk',
      ],
      mutation: ['server/metadata/history/summarize.ts', 'enabled: isEnabled', 'enabled: !isEnabled'],
    },
    {
      promise: '`/operations/{repo}` has the same operations log as official Icechunk',
      test: [
        'server/metadata/history/repository.test.ts',
        'the operations log is that of official Icechunk, in pages of any size',
      ],
      mutation: [
        'server/metadata/history/operations.ts',
        'previous_snapshot_id: previousSnapshotId',
        'previous_snapshot_id: snapshotId',
      ],
    },
    {
      promise: '`/docs` is interactive',
      test: ['browser/documentation.long.test.ts', 'an operation can be tried out in docs'],
      mutation: ['server/metadata/documentation/redoc-page.ts', "connect-src 'self'", "connect-src 'none'"],
    },
    {
      promise: '`/redoc` documents the same routes',
      test: [
        'browser/documentation.long.test.ts',
        'redoc of a private deployment shows its routes, also below a path of a proxy',
      ],
      mutation: ['server/metadata/documentation/redoc-page.ts', 'data-openapi="${openapi}"', 'data-openapi="/"'],
    },
    {
      promise:
        '`/openapi.json` and its pages list all routes, without the path parameters that the deployment determines',
      test: [
        'server/metadata/documentation/openapi-document.test.ts',
        'the document of a deployment has every route, and of the parameters in paths those that are left',
      ],
      mutation: [
        'server/metadata/documentation/openapi/openapi-document.ts',
        '!(deployment && isOfDeployment(parameter))',
        'true',
      ],
    },
    {
      promise: 'the example for Python returns the schema of a dataset, or raises the problem',
      test: [
        'generators/python.long.test.ts',
        'the wrapper for Python returns the schema of a dataset, or says why not',
      ],
      mutation: ['python/floe.py', 'token=api_key', 'token=org'],
    },
  ],
}
