// Makes the database hold the receivers that `floe.yaml` declares.
import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  listRepositoriesWithDeclared,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import type { Notifications } from '../config/notifications.ts'
import { detectChatService } from '../receivers/chat-service.ts'
import type { Catalog, RememberRepository } from '../repositories/catalog.ts'
import type { Timing } from '../timing.ts'

type DeclarationParts = {
  readonly db: Database
  /** Encrypts the secrets of the receivers. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepository
  readonly settings: Pick<Notifications, 'webhooks' | 'chats'>
  readonly timing: Pick<Timing, 'now'>
}

/**
 * Adds and changes the receivers that the configuration declares, and removes those that it no longer declares. This only uses the
 * database, because the stores of the repositories may be unreachable at the start.
 */
export async function applyDeclared(parts: DeclarationParts): Promise<void> {
  const { db, secrets, catalogs, timing } = parts
  const declared = await groupByRepository(parts)
  const before = await listRepositoriesWithDeclared(db, [...catalogs.keys()])
  for (const repoId of new Set([...before, ...declared.keys()])) {
    await applyDeclaredReceivers(db, repoId, declared.get(repoId) ?? [], { secrets, now: new Date(timing.now()) })
  }
}

/** Returns the declared receivers by the id of their repository. */
async function groupByRepository({ remember, settings }: DeclarationParts) {
  const byRepository = new Map<string, DeclaredReceiver[]>()
  const add = async (org: string, repo: string, receiver: DeclaredReceiver) => {
    const repoId = await remember(org, repo)
    byRepository.set(repoId, [...(byRepository.get(repoId) ?? []), receiver])
  }
  for (const { org, repo, ...webhook } of settings.webhooks) {
    await add(org, repo, { kind: 'webhook', service: null, ...webhook })
  }
  for (const { org, repo, service: declaredService, ...chat } of settings.chats) {
    const service = declaredService ?? detectChatService(new URL(chat.url)) ?? null
    await add(org, repo, { kind: 'chat', secretToken: null, signingSecret: null, ...chat, service })
  }
  return byRepository
}
