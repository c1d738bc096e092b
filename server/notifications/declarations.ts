import {
  applyDeclaredExpectations,
  applyDeclaredReceivers,
  type Database,
  type DeclaredExpectation,
  type DeclaredReceiver,
  ensureRepositories,
  listOwnersOfDeclared,
} from '@floe/storage/database'
import type { SecretBox } from '@floe/storage/secrets'
import { describeExpectation } from '../expectations/describe-event.ts'
import { resolveChatService } from './deliver/chat-services.ts'
import type { Timing } from '../timing.ts'

/** What a configuration declares about notifications. */
export type Declarations = DeclaredReceivers & { readonly expectations: readonly DeclaredExpectation[] }

/** The receivers of a configuration. A chat without a service gets the service of its URL. */
type DeclaredReceivers = {
  readonly webhooks: readonly (Owned & Omit<DeclaredReceiver, 'kind' | 'service'>)[]
  readonly chats: readonly (Owned & Omit<DeclaredReceiver, 'kind' | 'secretToken' | 'signingSecret' | 'headers'>)[]
}

/** A receiver of an organisation names no repository. */
type Owned = { readonly org: string; readonly repo: string | null }

/**
 * Makes the database contain exactly the declared receivers and expectations of the configuration, also of
 * organisations that it no longer has. This reads no repository, because object stores may be unreachable at the start.
 */
export async function applyDeclared({
  db,
  secrets,
  settings,
  timing,
}: {
  readonly db: Database
  readonly secrets: SecretBox
  readonly settings: Declarations
  readonly timing: Pick<Timing, 'now'>
}): Promise<void> {
  const now = new Date(timing.now())
  const before = Map.groupBy(await listOwnersOfDeclared(db), ({ org }) => org)
  const declared = Map.groupBy(listDeclared(settings), ({ org }) => org)
  for (const org of new Set([...before.keys(), ...declared.keys()])) {
    const ofOrg = declared.get(org) ?? []
    const names = new Set(ofOrg.flatMap(({ repo }) => repo ?? []))
    const ids = await ensureRepositories(db, org, [...names], now)
    // Null stands for the organisation; every name has an id.
    const byOwner = Map.groupBy(ofOrg, ({ repo }) => (repo === null ? null : (ids.get(repo) ?? '')))
    const owners = new Set([...(before.get(org) ?? []).map(({ repoId }) => repoId), ...byOwner.keys()])
    for (const repoId of owners) {
      const receivers = (byOwner.get(repoId) ?? []).map(({ receiver }) => receiver)
      await applyDeclaredReceivers(db, { org, repoId }, receivers, { secrets, now })
    }
  }
  await applyDeclaredExpectations(db, settings.expectations, describeExpectation, now)
}

function listDeclared({ webhooks, chats }: DeclaredReceivers): (Owned & { readonly receiver: DeclaredReceiver })[] {
  return [
    ...webhooks.map(({ org, repo, ...webhook }) => {
      return { org, repo, receiver: { kind: 'webhook' as const, service: null, ...webhook } }
    }),
    ...chats.map(({ org, repo, ...chat }) => {
      const service = resolveChatService(chat.service, new URL(chat.url))
      const noSecrets = { secretToken: null, signingSecret: null, headers: {} }
      return { org, repo, receiver: { kind: 'chat' as const, ...noSecrets, ...chat, service } }
    }),
  ]
}
