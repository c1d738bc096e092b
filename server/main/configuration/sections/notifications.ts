// The `notifications` section of `floe.yaml`: polls, deliveries, the addresses that receivers may have, and the
// declared receivers.
import { Alias, ChatService, OrgName, RepoName, settingsOf, SigningSecret, WebhookCreation } from '@floe/contract'
import { defaultFilter, readSettings } from '@floe/contract/lists'
import { type AddressRules, makeAddressRules, NetworkError, parseNetwork } from '@floe/storage/addresses'
import { z } from 'zod'
import { brokerNames } from '../../../notifications/brokers/brokers.ts'
import { parseProxy, ProxyAddressError } from '../../../notifications/receivers/receiver-proxy.ts'
import { listOrganisationMembers } from '../../../notifications/receivers/organisation-members.ts'
import { listMalformedConditions } from '../../../notifications/receivers/search-conditions.ts'
import { parseReceiverUrl, ReceiverUrlError } from '../../../notifications/receivers/receiver-url.ts'
import { Duration } from './quantities.ts'

const Network = z.string().superRefine((text, context) => {
  try {
    parseNetwork(text)
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    // Not continued, because the address rules below cannot be made from a malformed network.
    context.addIssue({ code: 'custom', message: error.message, continue: false })
  }
})

/** The keys that webhooks and chats share. A receiver has either `repo` or, for the organisation, `repos`. */
const receiver = { org: OrgName, repo: RepoName.nullable().default(null), url: z.string(), alias: Alias }

/** In the file, this setting has another name. */
const { include_changes: includeChanges, ...settings } = settingsOf('webhook').declared

const Webhook = z
  .strictObject({
    ...receiver,
    ...settings,
    includeChanges,
    secretToken: WebhookCreation.shape.secret_token.unwrap().default(null),
    headers: WebhookCreation.shape.headers.unwrap().default({}),
    /** Null lets Floe make a secret, which only `rotate-secret` can show. */
    signingSecret: SigningSecret.nullable().default(null),
  })
  .transform(({ includeChanges: include_changes, ...webhook }) => {
    return { ...webhook, filter: { ...defaultFilter, ...readSettings({ ...webhook, include_changes }) } }
  })

/** The address of a proxy on the way to receivers, or `environment`, which means that variables name it. */
const ProxyAddress = z.string().superRefine((text, context) => {
  if (text === 'environment') return
  try {
    parseProxy(text)
  } catch (error) {
    if (!(error instanceof ProxyAddressError)) throw error
    context.addIssue({ code: 'custom', message: `${error.message}, or environment, or null` })
  }
})

/** A message broker that webhooks of an organisation may send to, with the credentials of the service. */
const BrokerRule = z.strictObject({
  org: OrgName,
  kind: z.enum(brokerNames),
  /** A pattern of Webhook URLs. */
  url: z
    .string()
    .regex(/^https?:\/\/[^/*]/, 'must begin with https:// and a host')
    .max(2_048),
})

/** The certificate that receivers at some hosts ask Floe for. */
const ClientCertificate = z.strictObject({
  hosts: z.array(z.string().min(1).max(255)).min(1).max(100),
  certFile: z.string().min(1),
  keyFile: z.string().min(1),
})

const Chat = z
  .strictObject({ ...receiver, ...settingsOf('chat').declared, service: ChatService.nullable().default(null) })
  .transform((chat) => ({ ...chat, filter: { ...defaultFilter, ...readSettings(chat) } }))

/** The `notifications` section. Parsing turns durations into milliseconds. */
export const Notifications = z
  .strictObject({
    pollInterval: Duration.refine((ms) => ms >= 1_000, 'must be at least 1s').default(10_000),
    allowPrivateNetworks: z.array(Network).default([]),
    allowHttpLoopback: z.boolean().default(false),
    extraCaFile: z.string().min(1).nullable().default(null),
    proxy: ProxyAddress.nullable().default(null),
    clientCertificates: z.array(ClientCertificate).max(100).default([]),
    brokers: z.array(BrokerRule).max(100).default([]),
    webhooks: z.array(Webhook).default([]),
    chats: z.array(Chat).default([]),
  })
  .superRefine(({ allowPrivateNetworks, allowHttpLoopback, webhooks, chats }, context) => {
    const rules = makeAddressRules(allowPrivateNetworks)
    const seen = new Set<string>()
    for (const [list, receivers] of Object.entries({ webhooks, chats })) {
      for (const [index, { org, repo, repos = null, alias, url, events, search }] of receivers.entries()) {
        const refuse = (key: string, message: string) =>
          context.addIssue({ code: 'custom', path: [list, index, key], message })
        const checked = tryReceiverUrl(url, rules, allowHttpLoopback)
        if (checked instanceof ReceiverUrlError) refuse('url', checked.message)
        if (repo === null && repos === null)
          refuse('repo', 'is missing; patterns in "repos" select repositories of the organisation')
        if (repo !== null) {
          const misplaced = listOrganisationMembers({ events, repos, search })
          for (const { name, message } of misplaced) refuse(name, message)
        }
        for (const { name, message } of listMalformedConditions(search ?? {})) refuse('search', `${name} ${message}`)
        const name = JSON.stringify([org, repo, alias])
        const owner = repo === null ? 'organisation' : 'repository'
        if (seen.has(name)) refuse('alias', `is already used by another webhook or chat of this ${owner}`)
        seen.add(name)
      }
    }
  })
export type Notifications = z.output<typeof Notifications>

/** Parses the URL of a receiver, or returns which rule it breaks. */
export function tryReceiverUrl(text: string, rules: AddressRules, allowHttpLoopback: boolean): URL | ReceiverUrlError {
  try {
    return parseReceiverUrl(text, rules, allowHttpLoopback)
  } catch (error) {
    if (error instanceof ReceiverUrlError) return error
    throw error
  }
}
