import type { PromiseSection } from '../proven-promise.ts'

const parseConditions = 'server/search/match/parse-conditions.ts'

/** The search over all repositories. */
export const search: PromiseSection = {
  title: 'Search',
  promises: {
    'of the datasets that xarray opens, a search finds those whose `dict` has a value, and no others': [
      'server/search/describe/describe-variable.ts',
      "addValue(place, 'units'",
      "addValue(place, 'dtype'",
    ],
    'what a caller may not read changes neither the answer of a search nor what it reads': [
      'storage/records/database/search/read-shards.ts',
      '.$if(repos !== null,',
      '.$if(false,',
    ],
    'beginnings are completed among what a caller can see': [
      'server/search/find/read-places.ts',
      'readCompletions(db, ids,',
      'readCompletions(db, [],',
    ],
    'a search does not hold up the event loop, however many variables its results have': [
      'server/search/searcher.ts',
      "if (databaseFile(this.#db.url) === ':memory:')",
      'if (true)',
    ],
    'a search that waits or works too long is refused in time': [
      'server/search/searcher.ts',
      'AbortSignal.any([signal, deadline.signal])',
      'AbortSignal.any([signal])',
    ],
    'a key that is limited to repositories searches only those, also in counts': [
      'server/metadata/search-routes.ts',
      'return covered.filter((name) => served.serves(name))',
      'return null',
    ],
    'the index follows commits, and repositories that are renamed or removed': [
      'server/search/index/index-review.ts',
      '=> !isGone',
      '=> isGone',
    ],
    'a head is indexed although the snapshot that the index has is gone': [
      'server/search/index/plan-updates.ts',
      'if (toReadingProblem(error) === undefined) throw error',
      'throw error',
    ],
    'however many organisations have slow stores, they do not delay the index of the others': [
      'server/search/index/search-indexer.ts',
      'slow.length < maxSlow',
      'true',
    ],
    'a head that moves back while it is indexed is indexed again, also when the process was killed': [
      'storage/records/database/search/index-heads.ts',
      "set({ indexed_snapshot_id: ''",
      "set({ indexed_snapshot_id: 'A'",
    ],
    'names are found by their parts, regardless of case and accents': [
      'server/search/form/words.ts',
      "normalize('NFKD')",
      "normalize('NFC')",
    ],
    'a box in projected coordinates is not taken for one in degrees': [
      'server/self-description/projection/reference-system.ts',
      'if (geographic.has(code)) return',
      'if (true) return',
    ],
    'a box in a projected system is that of PROJ, around poles and over the 180th meridian': [
      'server/self-description/projection/project-footprint.ts',
      '[south, north, ...poles]',
      '[south, north]',
    ],
    'no box is known of an area whose reference system is not known, or that has no place in it': [
      'server/self-description/projection/project-footprint.ts',
      '!isOneToOne(area, projection, turn)',
      'false',
    ],
    'the feed of a search has the datasets that match by their last change, with an entry for each change': [
      'server/search/page/search-feed.ts',
      '#changed-${at}',
      '#changed',
    ],
    'any text is a valid query, and a malformed parameter is named': [parseConditions, "refuse('bbox'", "refuse('box'"],
  },
}
