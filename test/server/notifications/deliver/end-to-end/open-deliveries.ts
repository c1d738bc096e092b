import { defaultFilter } from '@floe/contract/lists'
import {
  applyDeclaredReceivers,
  type ClaimedDelivery,
  type Database,
  type FinishedAttempt,
} from '@floe/storage/database'
import { openDatabase, recordHeadMove } from '@floe/storage/database'
import { commit } from '../../../../storage/records/database/recorded.ts'
import { rememberRepository } from '../../../../storage/records/database/remember-repository.ts'
import { secrets } from '../../../../storage/sample-secrets.ts'
import type { Cleanup } from '../../start-receiver.ts'

/** A repository with webhooks, in a database that is gone with the test. */
export async function openDeliveries(t: Cleanup, now: () => number = Date.now) {
  const db = await openDatabase('sqlite::memory:')
  t.teardown(() => db.destroy())
  return addDeliveries(db, 'acme', now)
}

/** A repository with webhooks of an organisation. */
export async function addDeliveries(db: Database, org: string, now: () => number = Date.now) {
  const repoId = await rememberRepository(db, org, 'weather', new Date(now()))
  let sequence = 0
  return {
    db,
    repoId,
    /** Declares webhooks by their aliases. */
    declare: (urls: Readonly<Record<string, string>>) => {
      const declared = Object.entries(urls).map(([alias, url]) => {
        const webhook = {
          kind: 'webhook',
          service: null,
          secretToken: 'open sesame',
          headers: {},
          signingSecret: null,
        } as const
        return { ...webhook, alias, url, filter: defaultFilter }
      })
      return applyDeclaredReceivers(db, { org, repoId }, declared, { secrets, now: new Date(now()) })
    },
    /** Records one more head move. */
    moveHead: async () => {
      const previous = sequence === 0 ? null : { snapshotId: `S${sequence}`, sequence }
      const snapshotId = `S${++sequence}`
      const event = { payload: `{"n":${sequence}}`, line: `line ${sequence}` }
      await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId, commit, event }, new Date(now()))
    },
    listAttempts: () => db.selectFrom('attempts').select(['number', 'status', 'error']).orderBy('number').execute(),
  }
}

type End = (next: FinishedAttempt['next']) => void

/** Attempts that are under way until a test ends them. */
export class OpenAttempts {
  readonly open = new Set<{ readonly id: string; readonly end: End }>()
  /** `ALIAS EVENT ATTEMPT`, in the order of their start. */
  readonly started: string[] = []

  readonly attempt = (claim: ClaimedDelivery): Promise<FinishedAttempt> => {
    const id = `${claim.receiver.alias} ${claim.event.sequence} ${claim.attempt}`
    this.started.push(id)
    const { promise, resolve } = Promise.withResolvers<FinishedAttempt>()
    const end: End = (next) => {
      const error = next.kind === 'delivered' ? null : 'failed'
      const outcome = { startedAt: new Date(0), durationMs: 1, status: 200, error, responseExcerpt: '' }
      resolve({ claim, outcome, next })
    }
    this.open.add({ id, end })
    return promise
  }

  /** Ends the attempts with this id, or all. */
  readonly end = (id?: string, next: FinishedAttempt['next'] = { kind: 'delivered' }): void => {
    for (const one of this.open) {
      if (id !== undefined && id !== one.id) continue
      this.open.delete(one)
      one.end(next)
    }
  }
}
