import { existsSync } from 'node:fs'
import {
  type Database,
  disabledColumns,
  hearItself,
  listAllReceivers,
  nameDatabase,
  openReceiver,
  openUnmigrated,
  type Receiver,
  readSchemaVersion,
} from '@floe/storage/database'
import { findKeyFile, openSecretBox } from '../../configuration/open-secret-box.ts'
import type { Config } from '../../configuration/schema.ts'
import { checkExpectations, nothingRecorded, readRecordedTold, type RecordedTold } from './check-expectations.ts'
import { type NamedReceiver, nameReceiver } from './check-receivers.ts'
import { describeFailure, type Finding, reportOn } from './finding.ts'

/** The findings about the secrets in a database, and the receivers in it that the configuration does not declare. */
type CheckedSecrets = { readonly findings: readonly Finding[]; readonly receivers: readonly NamedReceiver[] }

/** The same about the database, and who is told of what. */
type CheckedDatabase = CheckedSecrets & RecordedTold

/** Checks the database and the secrets in it. Changes nothing. */
export async function checkDatabase(config: Config): Promise<CheckedDatabase> {
  const report = reportOn('database', nameDatabase(config.database))
  const only = (finding: Finding): CheckedDatabase => ({ findings: [finding], receivers: [], ...nothingRecorded })
  try {
    const db = await openUnmigrated(config.database)
    if (db === undefined) return only(report(true, 'does not exist yet; the first start creates it'))
    try {
      const { pending, added, unknown } = await readSchemaVersion(db)
      const newer = [...added, ...unknown].join(', ')
      const isNewer = `is newer than this program: a later version of Floe has applied ${newer}`
      if (unknown.length > 0) return only(report(false, isNewer))
      if (pending.length > 0) return only(report(true, `the next start applies ${pending.join(', ')}`))
      const { findings, receivers } = await checkSecrets(db, config)
      return {
        findings: [
          report(true, added.length === 0 ? 'is up to date' : `${isNewer}; this version can run beside it`),
          ...(await checkListening(db, config)),
          ...findings,
          ...(await checkExpectations(db)),
        ],
        receivers,
        ...(await readRecordedTold(db)),
      }
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return only(report(false, describeFailure(error)))
  }
}

/** Checks that messages of the database arrive at the address at which Floe listens, if that is another one. */
async function checkListening(db: Database, { listenUrl }: Config): Promise<Finding[]> {
  if (listenUrl === null) return []
  const report = reportOn('database', `listenUrl ${nameDatabase(listenUrl)}`)
  try {
    if (await hearItself(db, listenUrl)) return [report(true, 'messages of replicas arrive')]
    return [report(false, 'is not the address of the same database itself: no message arrives there')]
  } catch (error) {
    return [report(false, describeFailure(error))]
  }
}

async function checkSecrets(db: Database, config: Config): Promise<CheckedSecrets> {
  const receivers = await listAllReceivers(db)
  const states = receivers.flatMap(({ org, repo, receiver }) =>
    reportState(nameReceiver(org, repo, receiver.alias), receiver),
  )
  const report = reportOn('secrets', 'webhooks and chats')
  const keyFile = findKeyFile(config)
  if (keyFile !== undefined && !existsSync(keyFile)) {
    const detail = receivers.length === 0 ? 'there are none' : `${keyFile} is missing`
    return { findings: [report(receivers.length === 0, detail), ...states], receivers: [] }
  }
  try {
    const secrets = openSecretBox(config)
    const opened = receivers.map(({ org, repo, receiver }) => {
      const { url } = openReceiver(receiver, secrets, new Date())
      return { name: nameReceiver(org, repo, receiver.alias), url, isDeclared: receiver.isDeclared }
    })
    return {
      findings: [report(true, `the secrets of ${receivers.length} can be decrypted`), ...states],
      receivers: opened.filter(({ isDeclared }) => !isDeclared),
    }
  } catch (error) {
    return { findings: [report(false, describeFailure(error)), ...states], receivers: [] }
  }
}

/** Tells of a receiver that is disabled, or that fails; nothing of others. */
function reportState(name: string, { isEnabled, disabledReason, failingSince, lastFailure }: Receiver): Finding[] {
  const report = reportOn('receiver', name)
  if (!isEnabled && disabledReason === disabledColumns.disabled_reason) return [report(true, `is ${disabledReason}`)]
  if (!isEnabled) return [report(false, `is disabled: ${disabledReason}`)]
  if (failingSince === null) return []
  const why = lastFailure?.error ?? 'for an unknown reason'
  return [report(false, `has failed since ${failingSince.toISOString()}: ${why}`)]
}
