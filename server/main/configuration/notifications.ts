// The `notifications` section of `floe.yaml`: polling, addresses that receivers may have, and the declared receivers.
import { Alias, ChatService, NewWebhook, OrgName, RepoName, SigningSecret } from '@floe/contract'
import { z } from 'zod'
import { makeAddressRules, NetworkError, parseNetwork } from '../../notifications/receivers/address-rules.ts'
import { parseReceiverUrl, ReceiverUrlError } from '../../notifications/receivers/receiver-url.ts'
import { Duration } from './quantities.ts'

const Network = z.string().superRefine((text, context) => {
  try {
    parseNetwork(text)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // Stops here, because the address rules below cannot be made from a malformed network.
    context.addIssue({ code: 'custom', message: error.message, continue: false })
  }
})

/** The keys that webhooks and chats share. */
const receiver = {
  org: OrgName,
  repo: RepoName,
  url: z.string(),
  alias: Alias,
  events: z
    .array(z.enum(['NewCommit']))
    .length(1)
    .default(['NewCommit']),
}

const Webhook = z.strictObject({
  ...receiver,
  secretToken: NewWebhook.shape.secret_token.unwrap().default(null),
  /** With null, Floe makes a secret, which is shown only by `rotate-secret`. */
  signingSecret: SigningSecret.nullable().default(null),
})

const Chat = z.strictObject({ ...receiver, service: ChatService.nullable().default(null) })

/** The `notifications` section. Parsing turns durations into milliseconds. */
export const Notifications = z
  .strictObject({
    pollInterval: Duration.refine((ms) => ms >= 1_000, 'must be at least 1s').default(10_000),
    maxCommits: z.int().min(1).max(10_000).default(250),
    allowPrivateNetworks: z.array(Network).default([]),
    extraCaFile: z.string().min(1).nullable().default(null),
    webhooks: z.array(Webhook).default([]),
    chats: z.array(Chat).default([]),
  })
  .superRefine(({ allowPrivateNetworks, webhooks, chats }, context) => {
    const rules = makeAddressRules(allowPrivateNetworks)
    const refuse = (message: string, ...path: (string | number)[]) =>
      context.addIssue({ code: 'custom', path, message })
    for (const [list, receivers] of Object.entries({ webhooks, chats })) {
      for (const [index, { url }] of receivers.entries()) {
        const reason = findRefusal(() => parseReceiverUrl(url, rules))
        if (reason !== undefined) refuse(reason, list, index, 'url')
      }
    }
    const seen = new Set<string>()
    for (const [list, receivers] of Object.entries({ webhooks, chats })) {
      for (const [index, { org, repo, alias }] of receivers.entries()) {
        const name = JSON.stringify([org, repo, alias])
        if (seen.has(name))
          refuse('is already used by another webhook or chat of this repository', list, index, 'alias')
        seen.add(name)
      }
    }
  })
export type Notifications = z.output<typeof Notifications>

function findRefusal(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ReceiverUrlError) return error.message
    throw error
  }
}
