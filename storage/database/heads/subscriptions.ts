import { matchesSome } from '../../globs.ts'
import type { Database } from '../open-database.ts'
import { parseEvents, parsePatterns } from '../receivers/receivers.ts'
import { combineSelections, readSelection, selectRefs, type WatchedSelection } from './selection.ts'

/** What all receivers and streams select. Disabled receivers count, because their deliveries are held. */
export type Subscriptions = {
  /** What the receivers of a repository select, by its id. */
  readonly repositories: ReadonlyMap<string, readonly Subscription[]>
  /** What the receivers and streams of an organisation select, by its name. */
  readonly organisations: ReadonlyMap<string, readonly Subscription[]>
  /** Of a repository without receivers. */
  readonly others: RefSubscription
}

/** What receivers and streams select of a repository. */
export type RefSubscription = {
  readonly selection: WatchedSelection
  /** Whether one of them is an enabled receiver. */
  readonly isEnabled: boolean
}

/** What a receiver or a stream selects, and of which repositories: patterns; null for all. */
type Subscription = RefSubscription & { readonly repos: readonly string[] | null }

type Repository = { readonly id: string; readonly org: string; readonly name: string }

/**
 * Lists what is selected now: everywhere, or of one repository.
 *
 * @param always what is watched of every repository besides `main`
 */
export async function listSubscriptions(
  db: Database,
  always: WatchedSelection,
  now: Date,
  one?: Repository,
): Promise<Subscriptions> {
  const receivers = await selectReceivers(db, one).execute()
  const streams = await db
    .selectFrom('stream_selections')
    .select(['org', 'selection'])
    .where('wanted_until', '>', now.getTime())
    .$if(one !== undefined, (query) => query.where('org', '=', one?.org ?? ''))
    .execute()
  const [ofRepositories, ofOrganisations] = [new Map<string, Subscription[]>(), new Map<string, Subscription[]>()]
  for (const row of receivers) {
    if (row.repo_id === null) add(ofOrganisations, row.org, readReceiver(row))
    else add(ofRepositories, row.repo_id, readReceiver(row))
  }
  for (const { org, selection } of streams) {
    add(ofOrganisations, org, { selection: readSelection(selection), isEnabled: false, repos: null })
  }
  const others = { selection: always, isEnabled: false }
  return { repositories: ofRepositories, organisations: ofOrganisations, others }
}

/** Combines what is selected of a repository. */
export function findSubscription(
  { repositories, organisations, others }: Subscriptions,
  { id, org, name }: Repository,
): RefSubscription {
  const own = repositories.get(id)
  const ofOrg = organisations.get(org)
  if (own === undefined && ofOrg === undefined) return others
  const fitting = [...(own ?? []), ...(ofOrg ?? [])].filter(({ repos }) => repos === null || matchesSome(repos, name))
  return {
    selection: combineSelections([others.selection, ...fitting.map(({ selection }) => selection)]),
    isEnabled: fitting.some(({ isEnabled }) => isEnabled),
  }
}

function add(lists: Map<string, Subscription[]>, key: string, one: Subscription): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [one])
  else list.push(one)
}

function selectReceivers(db: Database, one: Repository | undefined) {
  return db
    .selectFrom('receivers')
    .select((eb) => ['org', 'repo_id', 'repos', 'events', 'branches', eb.fn.max('is_enabled').as('is_enabled')])
    .$if(one !== undefined, (query) =>
      query
        .where('org', '=', one?.org ?? '')
        .where((eb) => eb.or([eb('repo_id', 'is', null), eb('repo_id', '=', one?.id ?? '')])),
    )
    .groupBy(['org', 'repo_id', 'repos', 'events', 'branches'])
}

type ReceiverRow = Awaited<ReturnType<ReturnType<typeof selectReceivers>['executeTakeFirstOrThrow']>>

function readReceiver({ repos, events, branches, is_enabled }: ReceiverRow): Subscription {
  return {
    selection: selectRefs({ events: parseEvents(events), branches: parsePatterns(branches) }),
    isEnabled: is_enabled === 1,
    repos: repos === null ? null : parsePatterns(repos),
  }
}
