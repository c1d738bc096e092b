// Which branches and tags receivers, streams and expectations want Floe to follow.
import type { EventFilter } from '@floe/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { makeFilterReader } from '../../event-filter.ts'
import { matchesAll, matchesSome } from '../../../globs.ts'
import { isOneOf } from '../engine/engine.ts'
import type { Database } from '../open-database.ts'
import { parsePatterns } from '../receivers/receivers.ts'
import { combineSelections, mainAlone, readSelection, type RefSelection, selectRefs } from './ref-selection.ts'
import type { RecordedRepository } from '../repositories.ts'

/**
 * What all receivers, streams and expectations select. Disabled receivers count, because their deliveries are held.
 */
export type WantedSelections = {
  /** What the receivers and expectations of a repository select, by its id. */
  readonly repositories: ReadonlyMap<string, readonly ScopedSelection[]>
  /** What the receivers, streams and expectations of an organisation select, by its name. */
  readonly organisations: ReadonlyMap<string, readonly ScopedSelection[]>
  /** What is followed in every repository. */
  readonly everywhere: WantedSelection
}

/** What receivers, streams and expectations select of a repository. */
export type WantedSelection = {
  readonly selection: RefSelection
  /** Whether an enabled receiver or an expectation needs to know soon what is committed. */
  readonly isFollowed: boolean
  /**
   * What is judged: the expectations with their versions, and the number of remarks that may decide about them, as one
   * text that changes with each; empty without any.
   */
  readonly judgedKey: string
}

/** What a receiver, a stream or an expectation selects, and in which repositories. */
type ScopedSelection = WantedSelection & {
  /** Patterns of names; null for all. */
  readonly repos: readonly string[] | null
  /** If not null, only those with these names. */
  readonly names: readonly string[] | null
}

const nothing: WantedSelection = { selection: mainAlone, isFollowed: false, judgedKey: '' }

/**
 * Lists what is selected now, of all repositories or of these. The lists are equal if the same is selected.
 *
 * @param always what is followed in every repository besides `main`
 */
export async function listWantedSelections(
  db: Database,
  always: RefSelection,
  now: Date,
  concerned?: readonly RecordedRepository[],
): Promise<WantedSelections> {
  const receivers = await selectReceivers(db, concerned).execute()
  const streams = await db
    .selectFrom('stream_selections')
    .select(['org', 'repos', 'names', 'selection'])
    .where('wanted_until', '>', now.getTime())
    .$if(concerned !== undefined, (query) => query.where(isOneOf(db, 'org', listOrgs(concerned))))
    .orderBy('id')
    .execute()
  const expectations = await selectExpectations(db, concerned).execute()
  const remarked = await db
    .selectFrom('repositories')
    .select(['id', 'remarks'])
    .where('remarks', '>', 0)
    .$if(concerned !== undefined, (query) => query.where(isOneOf(db, 'id', listIds(concerned))))
    .orderBy('id')
    .execute()
  const repositories = new Map<string, ScopedSelection[]>()
  const organisations = new Map<string, ScopedSelection[]>()
  const read = makeFilterReader()
  const scoped = [
    ...receivers.map((row) => ({ ...row, selection: selectOfReceiver(read(row.filter), row) })),
    ...expectations.map((row) => ({ ...row, selection: selectOfExpectation(row) })),
  ]
  for (const { org, repo_id: repoId, selection } of scoped) {
    if (repoId === null) add(organisations, org, selection)
    else add(repositories, repoId, selection)
  }
  for (const { id, remarks } of remarked)
    add(repositories, id, { ...nothing, judgedKey: `${remarks} remarks;`, repos: null, names: null })
  for (const { org, repos, names, selection } of streams) {
    add(organisations, org, {
      selection: readSelection(selection),
      // Otherwise, callers without a key could make Floe poll a hundred thousand repositories often.
      isFollowed: false,
      judgedKey: '',
      repos: parsePatterns(repos),
      names: names === null ? null : parsePatterns(names),
    })
  }
  const everywhere = { ...nothing, selection: always }
  return { repositories, organisations, everywhere }
}

/** What is selected in the repositories of an organisation. */
type OrganisationSelections = {
  /** Selections that do not cover every repository. */
  readonly partial: readonly ScopedSelection[]
  /** Joined selections, by the places in `partial` of the selections that were joined. */
  readonly combined: Map<string, WantedSelection>
}

/**
 * By the list of an organisation. Most repositories share a selection: it would take long to combine, and much memory,
 * where an organisation has many receivers.
 */
const known = new WeakMap<readonly ScopedSelection[], OrganisationSelections>()

/** Combines what is selected of a repository. */
export function findWantedSelection(
  { repositories, organisations, everywhere }: WantedSelections,
  { id, org, name }: RecordedRepository,
): WantedSelection {
  const ofRepository = repositories.get(id)
  const ofOrganisation = organisations.get(org)
  if (ofRepository === undefined && ofOrganisation === undefined) return everywhere
  const isMatching = ({ repos, names }: ScopedSelection) =>
    (repos === null || matchesSome(repos, name)) && (names === null || names.includes(name))
  if (ofRepository !== undefined || ofOrganisation === undefined)
    return combine(everywhere, [...(ofRepository ?? []), ...(ofOrganisation ?? [])].filter(isMatching))
  const { partial, combined } = findOrganisation(ofOrganisation)
  const places = partial.flatMap((scoped, place) => (isMatching(scoped) ? [place] : [])).join()
  const wanted = combined.get(places) ?? combine(everywhere, ofOrganisation.filter(isMatching))
  combined.set(places, wanted)
  return wanted
}

function findOrganisation(list: readonly ScopedSelection[]): OrganisationSelections {
  const organisation = known.get(list) ?? {
    partial: list.filter(({ repos, names }) => (repos !== null && !repos.some(matchesAll)) || names !== null),
    combined: new Map<string, WantedSelection>(),
  }
  known.set(list, organisation)
  return organisation
}

function combine(everywhere: WantedSelection, matching: readonly ScopedSelection[]): WantedSelection {
  return {
    selection: combineSelections([everywhere.selection, ...matching.map(({ selection }) => selection)]),
    isFollowed: matching.some(({ isFollowed }) => isFollowed),
    judgedKey: matching.map(({ judgedKey }) => judgedKey).join(''),
  }
}

function add(lists: Map<string, ScopedSelection[]>, key: string, selection: ScopedSelection): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [selection])
  else list.push(selection)
}

/** Selects each filter of receivers once, because many receivers can have the same. */
function selectReceivers(db: Database, concerned: readonly RecordedRepository[] | undefined) {
  return db
    .selectFrom('receivers')
    .select((eb) => ['org', 'repo_id', 'filter', eb.fn.max('is_enabled').as('is_enabled')])
    .where(concerns(db, concerned))
    .groupBy(['org', 'repo_id', 'filter'])
    .orderBy('org')
    .orderBy('repo_id')
    .orderBy('filter')
}

function selectExpectations(db: Database, concerned: readonly RecordedRepository[] | undefined) {
  return db
    .selectFrom('expectations')
    .select(['id', 'org', 'repo_id', 'repos', 'branch', 'version'])
    .where(concerns(db, concerned))
    .orderBy('created_at')
    .orderBy('id')
}

/** Whether a row is about one of these repositories, or about their organisation. */
function concerns(db: Database, concerned: readonly RecordedRepository[] | undefined): RawBuilder<SqlBool> {
  if (concerned === undefined) return sql`true`
  const ids = isOneOf(db, 'repo_id', listIds(concerned))
  return sql`(${isOneOf(db, 'org', listOrgs(concerned))} and (repo_id is null or ${ids}))`
}

function listIds(repositories: readonly RecordedRepository[] = []): readonly string[] {
  return repositories.map(({ id }) => id)
}

function listOrgs(repositories: readonly RecordedRepository[] = []): readonly string[] {
  return [...new Set(repositories.map(({ org }) => org))]
}

type ReceiverRow = Awaited<ReturnType<ReturnType<typeof selectReceivers>['executeTakeFirstOrThrow']>>

function selectOfReceiver(filter: EventFilter, { is_enabled }: ReceiverRow): ScopedSelection {
  return {
    selection: selectRefs(filter),
    isFollowed: is_enabled === 1,
    judgedKey: '',
    repos: filter.repos,
    names: null,
  }
}

type ExpectationRow = Awaited<ReturnType<ReturnType<typeof selectExpectations>['executeTakeFirstOrThrow']>>

function selectOfExpectation({ id, repos, branch, version }: ExpectationRow): ScopedSelection {
  return {
    selection: selectRefs({ events: [], branches: [branch] }),
    isFollowed: true,
    judgedKey: `${id} ${version};`,
    repos: repos === null ? null : parsePatterns(repos),
    names: null,
  }
}
