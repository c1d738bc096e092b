import type { ServiceStatus } from '@floe/contract'
import {
  type Database,
  listAllUnreadable,
  type ListedBranch,
  listNewestStates,
  listReplicas,
  type ListedReplica,
  listTroubledReceivers,
  readIndexLag,
  readQueueState,
  type Receiver,
} from '@floe/storage/database'
import type { Catalog } from '../../catalog/catalog.ts'
import { describeState, showState } from '../../expectations/show-expectation.ts'
import { parseReplicaName } from '../../notifications/host-process.ts'
import type { Notifier } from '../../notifications/notifier.ts'
import manifest from '../../package.json' with { type: 'json' }

/** What the state of the service is read from. */
export type StatusParts = {
  readonly db: Database
  readonly catalogs: ReadonlyMap<string, Pick<Catalog, 'failures'>>
  readonly notifier: Pick<Notifier, 'watcher' | 'replica'>
  readonly search: { readonly enabled: boolean; readonly branches: readonly string[] }
  /** Lists why this process should get no requests now. */
  readonly listProblems: () => Promise<readonly string[]>
  /** Lists the samples of the last hour. */
  readonly listSamples: () => ServiceStatus['samples']
  /** The clock of the database, in milliseconds since 1970. */
  readonly now: () => number
}

/** A poll that is later than this counts as late, in milliseconds. */
export const lateMs = 10_000

/** Maximum numbers of listed repositories whose polls are late, and of all else that is listed. */
const maxLate = 20
const maxListed = 100

/** Reads the state of the whole service; of polls and scans, only those of this process are known. */
export async function readServiceStatus(parts: StatusParts): Promise<ServiceStatus> {
  const { db, catalogs, notifier, search, listProblems, listSamples, now } = parts
  const [notReady, replicas, queues, receivers, index, unreadable, branches] = await Promise.all([
    listProblems(),
    listReplicas(db),
    readQueueState(db),
    listTroubledReceivers(db, maxListed),
    search.enabled ? readIndexLag(db, search.branches) : null,
    listAllUnreadable(db, maxListed),
    listNewestStates(db, maxListed),
  ])
  const status = {
    version: manifest.version,
    node: process.versions.node,
    not_ready: [...notReady],
    replicas: replicas.map((replica) => showReplica(replica, notifier.replica.id)),
    heads: describePolls(notifier.watcher),
    queues: {
      waiting: queues.waiting,
      oldest_event_at: showTime(queues.oldestAt),
      overdue_s: queues.dueAt === null ? 0 : Math.max(0, now() - queues.dueAt.getTime()) / 1_000,
    },
    receivers: receivers.map(showReceiver),
    index: index && { pending: index.pending, oldest_at: showTime(index.oldest) },
    stores: {
      locations: [...catalogs].flatMap(([org_name, { failures }]) =>
        failures.map((failure) => ({ org_name, error: failure instanceof Error ? failure.message : String(failure) })),
      ),
      repositories: unreadable.map(({ org, name, since }) => ({
        org_name: org,
        repo_name: name,
        unreadable_since: new Date(since).toISOString(),
      })),
    },
    expectations: branches.flatMap((branch) => showUnmet(branch, now())),
    samples: listSamples(),
  }
  return { ...status, problems: listTroubles(status) }
}

/** Lists what is not as it should be. */
function listTroubles(status: Omit<ServiceStatus, 'problems'>): string[] {
  const { not_ready, replicas, heads, receivers, stores, expectations } = status
  const contracts = expectations.filter(({ kind }) => kind === 'contract').length
  const versions = new Set(replicas.map(({ version }) => version)).size
  return [
    not_ready.length > 0 && 'this process should get no requests',
    versions > 1 && `versions: ${versions}`,
    heads.late > 0 && `late polls: ${heads.late}`,
    receivers.length > 0 && `failing webhooks and chats: ${receivers.length}`,
    stores.locations.length > 0 && `locations that cannot be listed: ${stores.locations.length}`,
    stores.repositories.length > 0 && `repositories that cannot be read: ${stores.repositories.length}`,
    contracts > 0 && `broken contracts: ${contracts}`,
    expectations.length > contracts && `unmet expectations: ${expectations.length - contracts}`,
  ].filter((text) => text !== false)
}

function showReplica({ id, version, partitionCount }: ListedReplica, ownId: string): ServiceStatus['replicas'][number] {
  return { ...parseReplicaName(id), version, poll_partitions: partitionCount, answers: id === ownId }
}

function describePolls({ repositories }: StatusParts['notifier']['watcher']): ServiceStatus['heads'] {
  const late = repositories.listLate(lateMs)
  return {
    polled: repositories.size,
    late: late.length,
    longest_s: (late[0]?.lateMs ?? 0) / 1_000,
    repositories: late
      .slice(0, maxLate)
      .map((poll) => ({ org_name: poll.entry.org, repo_name: poll.entry.name, late_s: poll.lateMs / 1_000 })),
  }
}

type Troubled = { readonly repo: string | null; readonly receiver: Receiver }

function showReceiver({ repo, receiver }: Troubled): ServiceStatus['receivers'][number] {
  const { org, kind, alias, failingSince, isEnabled, disabledReason, lastFailure } = receiver
  return {
    org_name: org,
    repo_name: repo,
    kind,
    alias,
    failing_since: showTime(failingSince),
    disabled_reason: isEnabled ? null : disabledReason,
    error: lastFailure?.error ?? null,
  }
}

/** None for a branch that meets its expectation. */
function showUnmet({ expectation, repo, branch, state }: ListedBranch, now: number): ServiceStatus['expectations'] {
  const { unmetSince } = state
  if (unmetSince === null) return []
  const { org, kind, alias } = expectation
  const summary = describeState(showState(expectation, branch, state), now)
  return [{ org_name: org, repo_name: repo, branch, kind, alias, since: unmetSince.toISOString(), summary }]
}

function showTime(time: Date | null): string | null {
  return time?.toISOString() ?? null
}
