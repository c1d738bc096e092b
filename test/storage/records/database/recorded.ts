// What suites about deliveries start from: a repository, its receivers, and head moves of it.
import { defaultFilter, type EventFilter, type Resume } from '@floe/contract/lists'
import {
  advanceQueues,
  applyDeclaredReceivers,
  canChangeState,
  deleteExpired,
  listReceivers,
  readOutlook,
  readHead,
  recordHeadMove,
  recordStateChanges,
  updateReceiver,
} from '@floe/storage/database'
import { secrets } from '../../sample-secrets.ts'
import { rememberRepository } from './remember-repository.ts'
import type {
  AuditEntry,
  ClaimedDelivery,
  ClaimOptions,
  Receiver,
  Database,
  DeclaredReceiver,
  Expiry,
  FinishedAttempt,
  NextStep,
  Notice,
} from '@floe/storage/database'

/** Time of a test: milliseconds after its start. */
export function at(ms: number): Date {
  return new Date(Date.UTC(2026, 10, 21) + ms)
}

/** What a test says of a webhook, or of its filter. */
type WebhookChanges = Partial<Omit<DeclaredReceiver, 'alias' | 'filter'> & EventFilter>

/** A webhook as a file declares it; its URL has a host of its own. */
export function webhook(alias: string, changes: WebhookChanges = {}): DeclaredReceiver {
  const { kind = 'webhook', url = `https://${alias}.example.org/hook`, service = null, ...others } = changes
  const { secretToken = null, headers = {}, signingSecret = null, ...filter } = others
  return { kind, alias, url, service, secretToken, headers, signingSecret, filter: { ...defaultFilter, ...filter } }
}

/** A repository with these receivers, by alias. */
export async function repositoryWith(
  db: Database,
  declared: readonly DeclaredReceiver[],
  name = 'weather',
  org = 'acme',
): Promise<{ repoId: string; receivers: ReadonlyMap<string, Receiver> }> {
  const repoId = await rememberRepository(db, org, name, at(0))
  await applyDeclaredReceivers(db, { org, repoId }, declared, { secrets, now: at(0) })
  const receivers = await listReceivers(db, { org, repoId })
  return { repoId, receivers: new Map(receivers.map((one) => [one.alias, one])) }
}

/** The commit of any head. */
export const commit = { message: 'Append 2026-08', author: 'Ada', writtenAt: at(0) }

/** Moves the head of `main` once per snapshot id. The payloads are `{"to":ID}`. */
export async function moveHead(db: Database, repoId: string, snapshotIds: readonly string[], now: Date): Promise<void> {
  for (const snapshotId of snapshotIds) {
    const previous = await readHead(db, repoId, 'main')
    const event = { payload: JSON.stringify({ to: snapshotId }), line: `now at ${snapshotId}` }
    const { kind } = await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event }, now)
    if (kind !== 'recorded') throw new Error(`the move to ${snapshotId} is ${kind}`)
  }
}

/** Writes a notice as it was recorded. */
export const describe = (notice: Notice) => ({ payload: JSON.stringify(notice), line: notice.name })

/** More room than any test needs. */
export const ample = { total: 10_000, ofOthers: 10_000, byTenant: new Map<string, number>() }

/** When the next queue is due that nobody has leased. */
export async function nextDueAt(db: Database): Promise<Date | null> {
  return (await readOutlook(db, 'a')).dueAt
}

let leases = 0

/** All that can be claimed now. */
export async function claim(
  db: Database,
  now: Date,
  options: Partial<ClaimOptions> = {},
): Promise<readonly ClaimedDelivery[]> {
  const all = {
    limit: 100,
    lease: { replica: 'a', number: ++leases },
    dueBy: now,
    origins: { ofOthers: ample, byOrigin: new Map() },
    rooms: { steady: ample, failing: ample },
  }
  return (await advanceQueues(db, { finished: [], claim: { ...all, ...options } }, now)).claims
}

/** Alias and snapshot id of claims, sorted. */
export function summary(claims: readonly ClaimedDelivery[]): string[] {
  return claims.map(({ receiver, event }) => `${receiver.alias} ${JSON.parse(event.payload).to}`).sort()
}

/** Records that all of these attempts ended in one way. Failed deliveries that an administrator requested end there. */
export async function finish(
  db: Database,
  claims: readonly ClaimedDelivery[],
  next: NextStep,
  now: Date,
  responseExcerpt: string | null = null,
): Promise<readonly FinishedAttempt[]> {
  const status = next.kind === 'delivered' ? 200 : 500
  const error = status === 200 ? null : 'answered 500'
  const outcome = { startedAt: now, durationMs: 1, status, error, responseExcerpt }
  const isLast = next.kind === 'delivered' || next.kind === 'gone'
  const finished = claims.map((claim) => {
    return { claim, outcome, next: claim.isRedelivery && !isLast ? ({ kind: 'failed' } as const) : next }
  })
  const { lost } = await recordStateChanges(db, finished.filter(canChangeState), describe, now)
  const others = finished.filter((attempt) => !canChangeState(attempt))
  return [...lost, ...(await advanceQueues(db, { finished: others, claim: undefined }, now)).lost]
}

/** Deletes what has expired before these times. */
export async function expire(db: Database, times: Partial<Expiry>): Promise<number> {
  const nothing = {
    attemptsBefore: at(0),
    eventsBefore: at(0),
    auditBefore: at(0),
    keysBefore: at(0),
    sessionsBefore: at(0),
  }
  return (await deleteExpired(db, { ...nothing, limit: 1_000, ...times })).deleted
}

/** The API key with which changes are made. */
export const by = { org: 'acme', id: '0123456789abcdef', name: 'operations' }

/** An audit entry about a repository. */
export function auditEntry(repoId: string, changes: Partial<AuditEntry> = {}): AuditEntry {
  const what = { action: 'delivery.redeliver', subjectId: null, before: null, after: null }
  return { org: by.org, repoId, keyId: by.id, keyName: by.name, client: null, person: null, ...what, ...changes }
}

/** Switches a receiver on or off, as people do. */
export async function setEnabled(
  db: Database,
  receiver: Receiver | undefined,
  isEnabled: boolean,
  now: Date,
  resume?: Resume,
) {
  if (receiver === undefined) throw new Error('there is no such receiver')
  await updateReceiver(db, receiver, { isEnabled, resume }, { secrets, by, now })
}
