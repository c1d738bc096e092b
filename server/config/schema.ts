// What `floe.yaml` may say. Unknown keys are errors, so that a misspelt one is noticed.
import { DeploymentName, OrgName, RepoName } from '@floe/contract'
import { z } from 'zod'
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

const RepositorySource = z.union(
  [z.strictObject({ scan: z.string().min(1) }), z.strictObject({ name: RepoName, location: z.string().min(1) })],
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
    cache: Cache.prefault({}),
  })
  .superRefine(({ deployments, orgs }, context) => {
    deployments.forEach(({ org }, index) => {
      if (!Object.hasOwn(orgs, org)) {
        const message = `names the organisation ${org}, which "orgs" does not have`
        context.addIssue({ code: 'custom', path: ['deployments', index, 'org'], message })
      }
    })
  })
export type Config = z.output<typeof Config>

/** A configuration as it is written. */
export type ConfigInput = z.input<typeof Config>

/** Where repositories come from: all directly below a location, or one. */
export type RepositorySource = z.output<typeof RepositorySource>
