// Answers a search from the index.
import {
  type FoundDataset,
  type FoundVariable,
  type SearchAnswer,
  type SearchFacet,
  searchFacets,
  searchLimits,
} from '@floe/contract'
import {
  countFacets,
  countWithoutExtent,
  type Database,
  type FoundRow,
  prepareSearch,
  readIndexState,
  type Search,
  searchDatasets,
  type SearchPlace,
} from '@floe/storage/database'
import { readContent } from '../../reading/search/describe-dataset.ts'
import { addWords } from '../../reading/search/words.ts'
import { writePlace } from './parse-search.ts'

/** Variables of a result that are compared with the query; others count as unmatched. */
const maxCompared = 2_000

type Finding = {
  readonly search: Search
  /** Patterns of the branches that are indexed besides `main`. */
  readonly branches: readonly string[]
  readonly after: SearchPlace | null
  readonly limit: number
  readonly facets: readonly SearchFacet[]
  /** The address of the page of a dataset. */
  readonly address: (repo: string, branch: string, group: string) => string
}

/** Finds a page of datasets. */
export async function findDatasets(
  db: Database,
  { search, branches, after, limit, facets, address }: Finding,
): Promise<SearchAnswer> {
  const { total: maxRanked } = searchLimits
  const prepared = await prepareSearch(db, search)
  const hasExtent = search.bbox !== null || search.time !== null
  const facetDatasets = facets.length > 0 ? searchLimits.facetDatasets : 0
  const [page, withoutExtent, index] = await Promise.all([
    prepared
      ? searchDatasets(db, prepared, { after, limit: limit + 1, maxRanked, facetDatasets })
      : { rows: [], total: 0, facets: '' },
    prepared && hasExtent ? countWithoutExtent(db, prepared, maxRanked) : 0,
    readIndexState(db, { ...search, branches }),
  ])
  const counts = await countFacets(db, page.facets, facets, searchLimits.facetValues)
  const shown = page.rows.slice(0, limit)
  const last = shown.at(-1)
  const found = searchFacets.filter((facet) => facets.includes(facet))
  const matches = makeVariableMatch(search)
  return {
    results: shown.map((row) => showDataset(row, matches, address)),
    facets: Object.fromEntries(found.map((facet) => [facet, [...(counts.get(facet) ?? [])]])),
    total: Math.min(page.total, maxRanked),
    total_is_exact: page.total <= maxRanked,
    without_extent: hasExtent ? Math.min(withoutExtent, maxRanked) : null,
    next: page.rows.length > limit && last !== undefined ? writePlace(last) : null,
    index: { ...index, oldest: index.oldest?.toISOString() ?? null },
  }
}

function showDataset(row: FoundRow, matches: VariableMatch, address: Finding['address']): FoundDataset {
  const { repo, branch, path, west, south, east, north, startsAt, endsAt } = row
  const { title, summary, refusal, dimensions, variables } = readContent(row.content)
  const compared = variables.map((variable, index) => ({
    ...variable,
    dimensions: [...variable.dimensions],
    matched: index < maxCompared && matches(variable),
  }))
  const ordered = [...compared.filter(({ matched }) => matched), ...compared.filter(({ matched }) => !matched)]
  const isStated = west !== null && south !== null && east !== null && north !== null
  return {
    repo,
    branch,
    snapshot_id: row.snapshotId,
    group: path,
    title,
    summary,
    dimensions: Object.fromEntries(dimensions),
    extent: {
      bbox: isStated ? [west, south, east > 180 && west >= -180 && west <= 180 ? east - 360 : east, north] : null,
      start: startsAt === null ? null : new Date(startsAt).toISOString(),
      end: endsAt === null ? null : new Date(endsAt).toISOString(),
    },
    variables: ordered.slice(0, searchLimits.variables),
    variable_count: variables.length,
    refusal,
    href: address(repo, branch, path),
  }
}

type VariableMatch = (variable: Omit<FoundVariable, 'matched'>) => boolean

/** Makes a function that tells whether a variable has a word or a value that was asked for. */
function makeVariableMatch({ words, values }: Search): VariableMatch {
  const wanted = new Map(values.map(({ kind, values }) => [kind, new Set(values)]))
  const hasWord = makeWordMatch(words)
  return ({ name, standard_name, long_name, units, type, dimensions }) => {
    const has = (kind: Search['values'][number]['kind'], value: string | null) =>
      value !== null && wanted.get(kind)?.has(value) === true
    if (has('variable', name) || has('standard_name', standard_name) || has('units', units)) return true
    if (has('dtype', type) || dimensions.some((dimension) => has('dimension', dimension))) return true
    return [name, standard_name, long_name, units].some((text) => text !== null && hasWord(text))
  }
}

/** Makes a function that tells whether a text has one of the words. It remembers the texts, because many variables have the same. */
function makeWordMatch(words: Search['words']): (text: string) => boolean {
  const known = new Map<string, boolean>()
  const find = (text: string): boolean => {
    const own = new Set<string>()
    addWords(own, text)
    return words.some(({ value, isBeginning }) =>
      isBeginning ? [...own].some((word) => word.startsWith(value)) : own.has(value),
    )
  }
  return (text) => {
    const has = known.get(text) ?? find(text)
    known.set(text, has)
    return has
  }
}
