import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  listRepositoriesWithDeclared,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { defaultChatService, detectChatService } from './deliver/chat-services.ts'
import type { Catalog, RememberRepositories } from '../catalog/catalog.ts'
import type { Timing } from '../timing.ts'

/** The receivers of a configuration. A chat without a service gets the service of its URL. */
export type DeclaredReceivers = {
  readonly webhooks: readonly (OfRepository & Omit<DeclaredReceiver, 'kind' | 'service'>)[]
  readonly chats: readonly (OfRepository & Omit<DeclaredReceiver, 'kind' | 'secretToken' | 'signingSecret'>)[]
}

type OfRepository = { readonly org: string; readonly repo: string }

type DeclarationParts = {
  readonly db: Database
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly remember: RememberRepositories
  readonly settings: DeclaredReceivers
  readonly timing: Pick<Timing, 'now'>
}

/**
 * Makes the database hold exactly the declared receivers of the configuration. This reads no repository, because object stores may be
 * unreachable at the start.
 */
export async function applyDeclared(parts: DeclarationParts): Promise<void> {
  const { db, secrets, catalogs, timing } = parts
  const declared = await groupByRepository(parts)
  const before = await listRepositoriesWithDeclared(db, [...catalogs.keys()])
  for (const repoId of new Set([...before, ...declared.keys()])) {
    await applyDeclaredReceivers(db, repoId, declared.get(repoId) ?? [], { secrets, now: new Date(timing.now()) })
  }
}

async function groupByRepository({ remember, settings }: DeclarationParts) {
  const declared: (OfRepository & { readonly receiver: DeclaredReceiver })[] = [
    ...settings.webhooks.map(({ org, repo, ...webhook }) => {
      return { org, repo, receiver: { kind: 'webhook' as const, service: null, ...webhook } }
    }),
    ...settings.chats.map(({ org, repo, service: declaredService, ...chat }) => {
      const service = declaredService ?? detectChatService(new URL(chat.url)) ?? defaultChatService
      return {
        org,
        repo,
        receiver: { kind: 'chat' as const, secretToken: null, signingSecret: null, ...chat, service },
      }
    }),
  ]
  const byRepository = new Map<string, DeclaredReceiver[]>()
  for (const [org, ofOrg] of Map.groupBy(declared, ({ org }) => org)) {
    const ids = await remember(org, [...new Set(ofOrg.map(({ repo }) => repo))])
    for (const { repo, receiver } of ofOrg) {
      const id = ids.get(repo)
      if (id !== undefined) byRepository.set(id, [...(byRepository.get(id) ?? []), receiver])
    }
  }
  return byRepository
}
