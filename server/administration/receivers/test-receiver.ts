// Tests a receiver: sends it the notification of the last commit of `main` once. Records neither an event nor a
// delivery.
import { randomUUID } from 'node:crypto'
import { notificationHeaders, type TestResult } from '@floe/contract'
import { listLastMoved, readHead, type OpenReceiver } from '@floe/storage/database'
import { RefNotFoundError } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../catalog/catalog-entry.ts'
import { findEntry, requireCatalog } from '../../catalog/find-repository.ts'
import { send } from '../../notifications/deliver/attempt.ts'
import type { Message } from '../../notifications/deliver/write-request.ts'
import { describeHeadMove } from '../../notifications/watch/checks/head-move.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { makeReadingSignal } from '../../catalog/reading-signals.ts'
import { RequestProblem } from '../../problems/request-problem.ts'

/** Maximum number of repositories that a test of an organisation's receiver considers, the last moved first. */
const maxSamples = 1_000

/** Finds the repository that had the last commit. A test of an organisation's receiver sends this commit. */
export async function findSample(context: AdministrationContext, org: string): Promise<CatalogEntry> {
  const catalog = requireCatalog(context, org)
  // Without the first scans, the catalog knows only the repositories that are configured one by one.
  await catalog.listNames()
  const moved = await listLastMoved(context.db, org, maxSamples)
  const name = moved.find((name) => catalog.has(name))
  if (name === undefined) throw new RequestProblem('repository-not-found', `The organisation ${org} has no commit yet`)
  return findEntry(context, { org, repo: name })
}

/** Returns a failure of the receiver in the result. Throws a failure to read the repository. */
export async function testReceiver(
  context: AdministrationContext,
  entry: CatalogEntry,
  receiver: OpenReceiver,
): Promise<Omit<TestResult, 'warnings'>> {
  const event = await describeLastCommit(context, entry)
  const message = { deliveryId: randomUUID(), attempt: 1, event, isTest: true }
  const { request, outcome } = await send(receiver, message, context.notifier.attemptContext)
  return {
    ok: outcome.error === null,
    status: outcome.status,
    duration_ms: outcome.durationMs,
    error: outcome.error,
    response_excerpt: outcome.responseExcerpt,
    request: { headers: maskSecrets(request?.headers ?? {}, receiver), body: request?.body ?? '' },
  }
}

/**
 * Describes the last commit as a head move from its parent, with the sequence number of the last recorded head move.
 */
async function describeLastCommit(
  { db, notifier }: AdministrationContext,
  entry: CatalogEntry,
): Promise<Message['event']> {
  const signal = makeReadingSignal()
  const state = await entry.repository.readState(signal)
  const snapshotId = state.main
  if (snapshotId === null) throw new RefNotFoundError(entry.repository.location, 'main')
  const { parentId } = await state.readCommit(snapshotId, signal)
  const { sequence = 1 } = (await readHead(db, entry.id, 'main')) ?? {}
  const previous = parentId === null ? null : { snapshotId: parentId }
  const { payload, line } = await describeHeadMove(
    { repository: entry, branch: 'main', state, snapshotId, previous },
    { maxCommits: notifier.maxCommits, signal },
  )
  return { sequence, payload, line }
}

const secretHeaders: ReadonlySet<string> = new Set([notificationHeaders.secretToken, notificationHeaders.signature])

function maskSecrets(
  headers: Readonly<Record<string, string>>,
  { headers: own }: Pick<OpenReceiver, 'headers'>,
): Record<string, string> {
  const isSecret = (name: string) => secretHeaders.has(name) || Object.hasOwn(own, name)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isSecret(name) ? '[redacted]' : value]),
  )
}
