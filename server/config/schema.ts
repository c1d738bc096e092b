// What `floe.yaml` may say. Unknown keys are errors, so that a misspelt one is noticed.
import { DeploymentName, OrgName, RepoName } from '@floe/contract'
import { z } from 'zod'
import { Notifications } from './notifications.ts'
import { ByteSize, Duration } from './quantities.ts'

const Listen = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0).max(65_535).default(8080),
})

const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.endsWith('/v1'), 'must end in /v1')
  .nullable()
  .default(null)

const Deployment = z.strictObject({ name: DeploymentName, org: OrgName, public: z.boolean().default(false) })

/** How a store is reached; which of these a location takes depends on its kind. */
const access = {
  region: z.string().min(1).optional(),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  anonymous: z.boolean().optional(),
  pathStyle: z.boolean().optional(),
  account: z.string().min(1).optional(),
}

const RepositorySource = z.union(
  [
    z.strictObject({ scan: z.string().min(1), ...access }),
    z.strictObject({ name: RepoName, location: z.string().min(1), ...access }),
  ],
  { error: 'must be { scan: LOCATION } or { name: NAME, location: LOCATION }' },
)

const Org = z.strictObject({ repositories: z.array(RepositorySource).default([]) })

const Cache = z.strictObject({ maxBytes: ByteSize.default(256_000_000), refMaxAge: Duration.default(1_000) })

/** The configuration of a service, parsed: durations in milliseconds, sizes in bytes. */
export const Config = z
  .strictObject({
    listen: Listen.prefault({}),
    baseUrl: BaseUrl,
    database: z.string().default('sqlite:.floe/floe.db'),
    deployments: z.array(Deployment).default([]),
    orgs: z.record(OrgName, Org).default({}),
    notifications: Notifications.prefault({}),
    cache: Cache.prefault({}),
  })
  .superRefine(({ deployments, notifications, orgs }, context) => {
    const lists = {
      deployments: { path: ['deployments'], entries: deployments },
      webhooks: { path: ['notifications', 'webhooks'], entries: notifications.webhooks },
      chats: { path: ['notifications', 'chats'], entries: notifications.chats },
    }
    for (const { path, entries } of Object.values(lists)) {
      for (const [index, { org }] of entries.entries()) {
        if (Object.hasOwn(orgs, org)) continue
        const message = `names the organisation ${org}, which "orgs" does not have`
        context.addIssue({ code: 'custom', path: [...path, index, 'org'], message })
      }
    }
  })
export type Config = z.output<typeof Config>

/** A configuration as it is written. */
export type ConfigInput = z.input<typeof Config>

/** Where repositories come from: all directly below a location, or one. */
export type RepositorySource = z.output<typeof RepositorySource>
