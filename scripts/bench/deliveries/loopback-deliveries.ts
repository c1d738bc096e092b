// Shared by the measurement of deliveries and the crash tests: receivers on loopback, recorded events, and the
// deliverer of the service.
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { defaultFilter } from '@floe/contract/lists'
import { makeAddressRules, resolveHost } from '@floe/storage/addresses'
import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  type FinishedAttempt,
  readHead,
  recordHeadMove,
} from '@floe/storage/database'
import { generateSecretKey, SecretBox } from '@floe/storage/secrets'
import { attempt } from '../../../server/notifications/deliver/attempt.ts'
import { Deliverer } from '../../../server/notifications/deliver/deliverer.ts'
import { openPoster } from '../../../server/notifications/post/post.ts'
import { createMetrics } from '../../../server/observation/metrics.ts'
import { systemTiming } from '../../../server/timing.ts'
import { createPostgresDatabase, dropPostgresDatabase } from '../../postgres-database.ts'
import { createBenchDatabase } from '../measuring/measured-floe.ts'
import { rememberRepository } from '../../../test/storage/records/database/remember-repository.ts'
import { DatabaseClock } from '../../../server/notifications/database-clock.ts'

const secretKey = generateSecretKey()
const secrets = new SecretBox(() => [secretKey])

const certificates = new URL('../../../test/server/notifications/certificates/', import.meta.url)
const readCertificate = (file: string) => readFileSync(new URL(file, certificates), 'utf8')

/** The certificate of the authority that signed the receivers' certificates, and the path of its file. */
export const authority = readCertificate('authority.pem')
export const authorityFile = fileURLToPath(new URL('authority.pem', certificates))

/** A payload of the usual size. */
export const payload = JSON.stringify({ event: 'NewCommit', details: { commit_message: 'x'.repeat(900) } })

/** Starts a receiver that does not keep the process running. @returns its origin */
export async function startLoopbackReceiver(listener: RequestListener): Promise<string> {
  const server = createServer(
    { cert: readCertificate('receiver.pem'), key: readCertificate('receiver.key.pem') },
    listener,
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  // A TCP server that listens has an address and a port.
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Creates a SQLite file, or a database on the PostgreSQL server of this URL. */
export async function createDatabase(
  server: string | undefined,
): Promise<{ url: string; remove: () => Promise<void> }> {
  if (server === undefined) return createBenchDatabase()
  const url = await createPostgresDatabase(server)
  return { url, remove: () => dropPostgresDatabase(server, url) }
}

/** @returns the id of a repository with a webhook for each URL */
export async function declareWebhooks(db: Database, urls: readonly string[]): Promise<string> {
  const repoId = await rememberRepository(db, 'acme', 'weather', new Date())
  const declared = urls.map((url, index): DeclaredReceiver => {
    const alias = String(index)
    const receiver = { kind: 'webhook', alias, url, service: null, filter: defaultFilter } as const
    return { ...receiver, secretToken: 'open-sesame', headers: {}, signingSecret: null }
  })
  await applyDeclaredReceivers(db, { org: 'acme', repoId }, declared, { secrets, now: new Date() })
  return repoId
}

/** Records one more head move. */
export async function recordEvent(db: Database, repoId: string): Promise<void> {
  const previous = await readHead(db, repoId, 'main')
  const snapshotId = `S${(previous?.sequence ?? 0) + 1}`
  const commit = { message: 'message', author: null, writtenAt: new Date() }
  await recordHeadMove(
    db,
    { repoId, branch: 'main', previous, snapshotId, commit, event: { payload, line: 'line' } },
    new Date(),
  )
}

/** Delivers recorded events; calls `onRecorded` for each recorded attempt. */
export function startDelivering(
  db: Database,
  onRecorded: (attempt: FinishedAttempt) => void,
  onError: (error: unknown) => void,
  maxInFlight = 512,
): { readonly stop: () => Promise<void> } {
  const { timing } = new DatabaseClock(db, systemTiming)
  const poster = openPoster({ rules: makeAddressRules(['127.0.0.0/8']), resolveHost, extraCa: authority, timing })
  const context = { post: poster.post, secrets, version: '0.0.0', timing }
  const deliverer = new Deliverer({
    db,
    replica: { id: 'a', life: { aliveUntil: Infinity } },
    attempt: (claim) => attempt(claim, context),
    timing,
    metrics: createMetrics(),
    onRecorded,
    onError,
    maxInFlight,
  })
  deliverer.start()
  return {
    stop: async () => {
      await deliverer.stop()
      await poster.close()
    },
  }
}
