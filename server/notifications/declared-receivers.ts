import {
  applyDeclaredReceivers,
  type Database,
  type DeclaredReceiver,
  type DeclaringRepository,
  ensureRepositories,
  listRepositoriesWithDeclared,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { defaultChatService, detectChatService } from './deliver/chat-services.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Timing } from '../timing.ts'

/** The receivers of a configuration. A chat without a service gets the service of its URL. */
export type DeclaredReceivers = {
  readonly webhooks: readonly (OfRepository &
    Omit<DeclaredReceiver, 'kind' | 'service' | 'repos' | 'includesChanges'> & { readonly includeChanges: boolean })[]
  readonly chats: readonly (OfRepository &
    Omit<DeclaredReceiver, 'kind' | 'secretToken' | 'signingSecret' | 'repos' | 'includesChanges'>)[]
}

type OfRepository = { readonly org: string; readonly repo: string }

type DeclarationParts = {
  readonly db: Database
  readonly secrets: SecretBox
  /** By organisation. */
  readonly catalogs: ReadonlyMap<string, Catalog>
  readonly settings: DeclaredReceivers
  readonly timing: Pick<Timing, 'now'>
}

/**
 * Makes the database hold exactly the declared receivers of the configuration. This reads no repository, because object stores may be
 * unreachable at the start.
 */
export async function applyDeclared({ db, secrets, catalogs, settings, timing }: DeclarationParts): Promise<void> {
  const now = new Date(timing.now())
  const declared = new Map<string, DeclaredReceiver[]>()
  const repositories = new Map<string, DeclaringRepository>()
  for (const [org, ofOrg] of Map.groupBy(listDeclared(settings), ({ org }) => org)) {
    const byRepo = Map.groupBy(ofOrg, ({ repo }) => repo)
    for (const [repo, id] of await ensureRepositories(db, org, [...byRepo.keys()], now)) {
      repositories.set(id, { org, repoId: id })
      declared.set(id, byRepo.get(repo)?.map(({ receiver }) => receiver) ?? [])
    }
  }
  for (const before of await listRepositoriesWithDeclared(db, [...catalogs.keys()])) {
    repositories.set(before.repoId, before)
  }
  for (const [repoId, repository] of repositories) {
    await applyDeclaredReceivers(db, repository, declared.get(repoId) ?? [], { secrets, now })
  }
}

function listDeclared({
  webhooks,
  chats,
}: DeclaredReceivers): (OfRepository & { readonly receiver: DeclaredReceiver })[] {
  return [
    ...webhooks.map(({ org, repo, includeChanges: includesChanges, ...webhook }) => {
      return {
        org,
        repo,
        receiver: { kind: 'webhook' as const, service: null, ...webhook, repos: null, includesChanges },
      }
    }),
    ...chats.map(({ org, repo, ...chat }) => {
      const service = chat.service ?? detectChatService(new URL(chat.url)) ?? defaultChatService
      const without = { secretToken: null, signingSecret: null, repos: null, includesChanges: false }
      const receiver = { kind: 'chat' as const, ...without, ...chat, service }
      return { org, repo, receiver }
    }),
  ]
}
