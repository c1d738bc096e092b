// Tries a receiver: sends what it would have got for the last commit of `main`, once. Nothing is recorded.
import { randomUUID } from 'node:crypto'
import type { ReceiverCheck } from '@floe/contract'
import { readHead, type OpenReceiver } from '@floe/storage/database'
import { RefNotFoundError } from '@floe/storage/icechunk'
import type { CatalogEntry } from '../../repositories/catalog.ts'
import { type Message, send } from '../../notifications/deliver/send.ts'
import { describeHeadMove } from '../../notifications/watch/head-move.ts'
import type { AdministrationContext } from '../administration-context.ts'
import { newReadingSignal } from '../../repositories/reading.ts'

/** Throws what reading the repository throws. What the receiver does is part of the answer. */
export async function tryReceiver(
  context: AdministrationContext,
  entry: CatalogEntry,
  receiver: OpenReceiver,
): Promise<ReceiverCheck> {
  const event = await lastCommit(context, entry)
  const message = { deliveryId: randomUUID(), attempt: 1, event, isTest: true }
  const { request, outcome } = await send(receiver, message, context.notifier.attempts)
  return {
    ok: outcome.error === null,
    status: outcome.status,
    duration_ms: outcome.durationMs,
    error: outcome.error,
    response_excerpt: outcome.responseExcerpt,
    request: { headers: maskSecrets(request?.headers ?? {}), body: request?.body ?? '' },
  }
}

/** The last commit as the move from its parent to it, with the number of the last move that was recorded. */
async function lastCommit({ db, notifier }: AdministrationContext, entry: CatalogEntry): Promise<Message['event']> {
  const signal = newReadingSignal()
  const state = await entry.repository.state(signal)
  const snapshotId = state.main
  if (snapshotId === null) throw new RefNotFoundError(entry.repository.location, 'main')
  const { parentId } = await state.commit(snapshotId, signal)
  const { sequence = 1 } = (await readHead(db, entry.id, 'main')) ?? {}
  const previous = parentId === null ? null : { snapshotId: parentId }
  const texts = await describeHeadMove(
    { repository: entry, state, snapshotId, previous },
    { maxCommits: notifier.maxCommits, signal },
  )
  return { sequence, ...texts }
}

const secretHeaders: ReadonlySet<string> = new Set(['x-secret-token', 'webhook-signature'])

function maskSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const masked = Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name) ? '[redacted]' : value])
  return Object.fromEntries(masked)
}
