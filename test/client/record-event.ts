import { type Database, readHead, recordHeadMove } from '@floe/storage/database'
import { notification } from '../contract/notifications.ts'
import { commit } from '../storage/records/database/recorded.ts'
import { rememberRepository } from '../storage/records/database/remember-repository.ts'

/** Records a head move whose payload follows the contract. */
export async function recordEvent(db: Database, repo: string, message: string, branch = 'main'): Promise<void> {
  const repoId = await rememberRepository(db, 'acme', repo, new Date())
  const previous = await readHead(db, repoId, branch)
  const payload = JSON.stringify({
    ...notification,
    details: { ...notification.details, branch, commit_message: message },
  })
  const event = { payload, line: message }
  await recordHeadMove(db, { repoId, branch, previous, snapshotId: message, commit, event }, new Date())
}
