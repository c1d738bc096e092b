import { defaultFilter } from '@floe/contract/lists'
import { addReceiver, RecordProblem, updateReceiver } from '@floe/storage/database'
import type { Database, NewReceiver, Receiver, ReceiverChange } from '@floe/storage/database'
import { secrets } from '../../../sample-secrets.ts'
import { at, by } from '../recorded.ts'

/** Options of a change at this time, in milliseconds after the start. */
export const optionsAt = (ms: number) => ({ secrets, by, now: at(ms) })

/** Adds a webhook, with `changes` to its usual members. */
export function create(db: Database, repoId: string, changes: Partial<NewReceiver> = {}, ms = 0) {
  return addReceiver(db, { ...newWebhook(repoId), ...changes }, optionsAt(ms))
}

/** Returns the usual members of a new webhook. */
export function newWebhook(repoId: string, alias = 'one'): NewReceiver {
  const url = `https://${alias}.example.org/hook`
  const receiver = { kind: 'webhook', alias, url, service: null, filter: defaultFilter } as const
  return { org: 'acme', repoId, ...receiver, secretToken: 'open sesame', headers: {}, isEnabled: true }
}

/** Changes a receiver. */
export function update(db: Database, receiver: Receiver, change: ReceiverChange, ms = 1) {
  return updateReceiver(db, receiver, change, optionsAt(ms))
}

/** Lists, sorted, the codes of the changes that are refused, and `done` for each of the others. */
export async function nameOutcomes(changes: readonly Promise<unknown>[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(changes)
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : nameRefusal(outcome.reason))).toSorted()
}

function nameRefusal(error: unknown): string {
  return error instanceof RecordProblem ? error.code : error instanceof Error ? error.name : String(error)
}
