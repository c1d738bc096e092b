import { matchesSome } from '../../globs.ts'
import type { Database } from '../open-database.ts'
import { defaultFilter, parseEvents, parsePatterns } from '../receivers/receivers.ts'
import { combineSelections, mainAlone, readSelection, selectRefs, type WatchedSelection } from './selection.ts'

/** What all receivers and streams select. Disabled receivers count, because their deliveries are held. */
export type Subscriptions = {
  /** What the receivers of a repository select, by its id. */
  readonly repositories: ReadonlyMap<string, readonly Subscription[]>
  /** What the receivers and streams of an organisation select, by its name. */
  readonly organisations: ReadonlyMap<string, readonly Subscription[]>
  /** Of a repository without receivers. */
  readonly others: Pick<Subscription, 'selection' | 'isEnabled'>
}

/** What a receiver or a stream selects; or all those of one repository together. */
export type Subscription = {
  readonly selection: WatchedSelection
  /** Whether it is an enabled receiver. */
  readonly isEnabled: boolean
  /** Patterns of repositories; null for all. */
  readonly repos: readonly string[] | null
}

type Repository = { readonly id: string; readonly org: string; readonly name: string }

/** @param always what is watched of every repository besides `main` */
export async function listSubscriptions(db: Database, always: WatchedSelection, now: Date): Promise<Subscriptions> {
  const receivers = await selectReceivers(db).execute()
  const streams = await selectStreams(db, now).execute()
  const [ofRepositories, ofOrganisations] = [new Map<string, Subscription[]>(), new Map<string, Subscription[]>()]
  for (const row of receivers) {
    if (row.repo_id === null) add(ofOrganisations, row.org, readReceiver(row))
    else add(ofRepositories, row.repo_id, readReceiver(row))
  }
  for (const { org, selection } of streams) add(ofOrganisations, org, readStream(selection))
  const others = { selection: always, isEnabled: false }
  return { repositories: ofRepositories, organisations: ofOrganisations, others }
}

/** Reads what is selected of one repository now, in addition to what is always watched. */
export async function findSelection(
  db: Database,
  repository: Repository,
  always: WatchedSelection,
  now: Date,
): Promise<WatchedSelection> {
  const { id, org } = repository
  const receivers = await selectReceivers(db)
    .where('org', '=', org)
    .where((eb) => eb.or([eb('repo_id', 'is', null), eb('repo_id', '=', id)]))
    .execute()
  const streams = await selectStreams(db, now).where('org', '=', org).execute()
  const all = [...receivers.map(readReceiver), ...streams.map(({ selection }) => readStream(selection))]
  return combine(repository, all, always).selection
}

/** Combines what is selected of a repository. */
export function findSubscription(
  { repositories, organisations, others }: Subscriptions,
  repository: Repository,
): Pick<Subscription, 'selection' | 'isEnabled'> {
  const own = repositories.get(repository.id)
  const ofOrg = organisations.get(repository.org)
  return own === undefined && ofOrg === undefined
    ? others
    : combine(repository, [...(own ?? []), ...(ofOrg ?? [])], others.selection)
}

function combine({ name }: Repository, all: readonly Subscription[], always: WatchedSelection) {
  const fitting = all.filter(({ repos }) => repos === null || matchesSome(repos, name))
  return {
    selection: combineSelections([always, ...fitting.map(({ selection }) => selection)]),
    isEnabled: fitting.some(({ isEnabled }) => isEnabled),
  }
}

function add(lists: Map<string, Subscription[]>, key: string, one: Subscription): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

function selectReceivers(db: Database) {
  return db
    .selectFrom('receivers')
    .select((eb) => ['org', 'repo_id', 'repos', 'events', 'branches', eb.fn.max('is_enabled').as('is_enabled')])
    .groupBy(['org', 'repo_id', 'repos', 'events', 'branches'])
}

function selectStreams(db: Database, now: Date) {
  return db.selectFrom('stream_selections').select(['org', 'selection']).where('wanted_until', '>', now.getTime())
}

type ReceiverRow = Awaited<ReturnType<ReturnType<typeof selectReceivers>['executeTakeFirstOrThrow']>>

function readReceiver({ repos, events, branches, is_enabled }: ReceiverRow): Subscription {
  const isDefault = events === defaultEvents && branches === defaultBranches
  return {
    selection: isDefault ? mainAlone : selectRefs({ events: parseEvents(events), branches: parsePatterns(branches) }),
    isEnabled: is_enabled === 1,
    repos: repos === null ? null : parsePatterns(repos),
  }
}

const defaultEvents = JSON.stringify(defaultFilter.events)
const defaultBranches = JSON.stringify(defaultFilter.branches)

function readStream(text: string): Subscription {
  return { selection: readSelection(text), isEnabled: false, repos: null }
}
