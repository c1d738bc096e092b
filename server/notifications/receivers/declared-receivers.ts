// Makes the database hold the receivers that `floe.yaml` declares.
import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  listRepositoriesWithDeclared,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { defaultChatService, detectChatService } from './chat-service.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { RememberRepositories } from '../../catalog/catalog-entries.ts'
import type { Timing } from '../../timing.ts'

/** The receivers of a configuration. A chat without a service gets the one that its URL belongs to. */
export type DeclaredReceivers = {
  readonly webhooks: readonly (OfRepository & Omit<DeclaredReceiver, 'kind' | 'service'>)[]
  readonly chats: readonly (OfRepository & Omit<DeclaredReceiver, 'kind' | 'secretToken' | 'signingSecret'>)[]
}

type OfRepository = { readonly org: string; readonly repo: string }

type DeclarationParts = {
  readonly db: Database
  /** Encrypts the secrets of the receivers. */
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepositories
  readonly settings: DeclaredReceivers
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
  const declared = [
    ...settings.webhooks.map(({ org, repo, ...webhook }) => {
      const receiver: DeclaredReceiver = { kind: 'webhook', service: null, ...webhook }
      return { org, repo, receiver }
    }),
    ...settings.chats.map(({ org, repo, service: declaredService, ...chat }) => {
      const service = declaredService ?? detectChatService(new URL(chat.url)) ?? defaultChatService
      const receiver: DeclaredReceiver = { kind: 'chat', secretToken: null, signingSecret: null, ...chat, service }
      return { org, repo, receiver }
    }),
  ]
  const byRepository = new Map<string, DeclaredReceiver[]>()
  for (const [org, ofOrg] of Map.groupBy(declared, ({ org }) => org)) {
    const byName = Map.groupBy(ofOrg, ({ repo }) => repo)
    for (const [name, id] of await remember(org, [...byName.keys()])) {
      byRepository.set(
        id,
        (byName.get(name) ?? []).map(({ receiver }) => receiver),
      )
    }
  }
  return byRepository
}
