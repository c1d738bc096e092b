import type { PromiseSection } from '../proven-promise.ts'

const overHttp = 'server/metadata/search/search.test.ts'
const inDatabase = 'storage/database/search/search-datasets.test.ts'
const words = 'server/reading/search/words.test.ts'

/** The search over all repositories. */
export const search: PromiseSection = {
  title: 'Search',
  promises: [
    {
      promise: 'a search finds the datasets whose `dict` has a value, and no others',
      test: [overHttp, 'searches find the values that dict has, in every repository'],
      mutation: [
        'server/reading/search/describe-dataset.ts',
        'units: listValues(found.map(({ units }) => units))',
        'units: listValues(found.map(({ long_name }) => long_name))',
      ],
    },
    {
      promise: 'both databases find the same datasets, in the same order',
      test: [inDatabase, 'SQLite: 500 random searches find what a plain scan finds, in the same order'],
      mutation: ['storage/database/search/search-datasets.ts', '[-360, 0, 360].map(', '[0, 360].map('],
    },
    {
      promise: 'a key for single repositories searches these alone, in counts too',
      test: [overHttp, 'a key of one repository searches this one, also in counts'],
      mutation: ['server/metadata/search/parse-search.ts', 'repos: apiKey?.repos ?? null', 'repos: null'],
    },
    {
      promise: 'the index follows commits, and repositories that are renamed or removed',
      test: [overHttp, 'the index follows a repository that is committed to, renamed and removed'],
      mutation: [
        'server/metadata/search/search-indexer.ts',
        '!isGone && !known.has(name)',
        'isGone && !known.has(name)',
      ],
    },
    {
      promise: 'a head that moves back while it is indexed is indexed again, also when the process was killed',
      test: [inDatabase, 'SQLite: a head that moves back while it is indexed is indexed again'],
      mutation: [
        'storage/database/search/index-datasets.ts',
        "set({ indexed_snapshot_id: '' })",
        "set({ indexed_snapshot_id: 'A' })",
      ],
    },
    {
      promise: 'names are found whole and by their parts, without case and accents',
      test: [words, 'names are kept whole and split at underscores and humps'],
      mutation: ['server/reading/search/words.ts', 'words.add(whole)', 'words.delete(whole)'],
    },
    {
      promise: 'no text of a query is an error, and a malformed parameter is named',
      test: [overHttp, 'malformed queries are refused by name, and any words are safe'],
      mutation: ['server/metadata/search/parse-search.ts', "refuse('bbox'", "refuse('box'"],
    },
  ],
}
