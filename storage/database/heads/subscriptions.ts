import type { Database } from '../open-database.ts'
import { defaultFilter, parseEvents, parsePatterns } from '../receivers/receivers.ts'
import { combineSelections, mainAlone, readSelection, selectRefs, type WatchedSelection } from './selection.ts'

/** What the receivers of repositories and the streams of organisations select. */
export type Subscriptions = {
  /** By id; only repositories with receivers. */
  readonly repositories: ReadonlyMap<string, RepositorySubscription>
  /** By organisation; only those with streams that select more than `main`. */
  readonly organisations: ReadonlyMap<string, WatchedSelection>
}

export type RepositorySubscription = {
  readonly selection: WatchedSelection
  /** Whether one of its receivers is enabled. */
  readonly isEnabled: boolean
}

/** Lists what all receivers and streams select. Disabled receivers count, because their deliveries are held. */
export async function listSubscriptions(db: Database, now: Date): Promise<Subscriptions> {
  const rows = await db
    .selectFrom('receivers')
    .select((eb) => ['repo_id', 'events', 'branches', eb.fn.max('is_enabled').as('isEnabled')])
    .groupBy(['repo_id', 'events', 'branches'])
    .execute()
  const streams = await db
    .selectFrom('stream_selections')
    .select(['org', 'selection'])
    .where('wanted_until', '>', now.getTime())
    .execute()
  const repositories = new Map<string, RepositorySubscription>()
  for (const { repo_id, isEnabled, ...row } of rows) {
    const own = readRow(row)
    const before = repositories.get(repo_id)
    const selection = before === undefined ? own : combineSelections([before.selection, own])
    repositories.set(repo_id, { selection, isEnabled: isEnabled === 1 || before?.isEnabled === true })
  }
  const organisations = new Map<string, WatchedSelection>()
  for (const { org, selection } of streams) {
    organisations.set(org, combineSelections([organisations.get(org) ?? mainAlone, readSelection(selection)]))
  }
  return { repositories, organisations }
}

/** Reads what is selected of one repository now. */
export async function findSelection(
  db: Database,
  { org, repoId }: { readonly org: string; readonly repoId: string },
  now: Date,
): Promise<WatchedSelection> {
  const rows = await db.selectFrom('receivers').select(['events', 'branches']).where('repo_id', '=', repoId).execute()
  const streams = await db
    .selectFrom('stream_selections')
    .select('selection')
    .where('org', '=', org)
    .where('wanted_until', '>', now.getTime())
    .execute()
  return combineSelections([...rows.map(readRow), ...streams.map(({ selection }) => readSelection(selection))])
}

function readRow(row: typeof defaultColumns): WatchedSelection {
  return isDefault(row)
    ? mainAlone
    : selectRefs({ events: parseEvents(row.events), branches: parsePatterns(row.branches) })
}

const defaultColumns = {
  events: JSON.stringify(defaultFilter.events),
  branches: JSON.stringify(defaultFilter.branches),
}

function isDefault({ events, branches }: typeof defaultColumns): boolean {
  return events === defaultColumns.events && branches === defaultColumns.branches
}
