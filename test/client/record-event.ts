import { type Database, readHead, recordHeadMove } from '@floe/storage/database'
import { notification } from '../contract/notifications.ts'
import { commit } from '../storage/database/recorded.ts'
import { rememberRepository } from '../storage/database/remember-repository.ts'

/** Records a head move whose payload follows the contract. */
export async function recordEvent(db: Database, repo: string, message: string): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', repo, new Date())
  const previous = await readHead(db, repoId, 'main')
  const payload = JSON.stringify({ ...notification, details: { ...notification.details, commit_message: message } })
  const event = { payload, line: message }
  await recordHeadMove(db, { repoId, branch: 'main', previous, snapshotId: message, commit, event }, new Date())
}
