// The schema of `floe.yaml`. Refuses unknown keys, so that misspelt ones are noticed.
import { ApiKeyId, ApiKeyName, DeploymentName, Glob, OrgName, RepoName, Role } from '@floe/contract'
import { databaseFile, identifyApiKey, isDatabaseUrl } from '@floe/storage/database'
import { parseSecretKeys } from '@floe/storage/secrets'
import { z } from 'zod'
import { suggestName } from '../../text/nearest-name.ts'
import { Auth, refuseAuth, RepoGlobs } from './sections/auth.ts'
import { Expectations } from './sections/expectations.ts'
import { Limits } from './sections/limits.ts'
import { Notifications } from './sections/notifications.ts'
import { ByteSize, Duration } from './sections/quantities.ts'
import { RepositorySource } from './sections/repository-source.ts'

/** A network of proxies whose `X-Forwarded-For` is trusted. */
const ProxyNetwork = z.union([z.cidrv4(), z.cidrv6()], { error: 'must be a network such as 10.0.0.0/8 or fd00::/8' })

/** The highest port. */
const maxPort = 65_535

const portRule = (lowest: number) => `must be a port, from ${lowest} to ${maxPort}`

const Listen = z.strictObject({
  host: z.string().min(1).default('127.0.0.1'),
  port: z.int().min(0, portRule(0)).max(maxPort, portRule(0)).default(8080),
  trustProxy: z.array(ProxyNetwork).default([]),
})

const BaseUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => url.endsWith('/v1'), 'must end in /v1')
  .nullable()
  .default(null)

const DatabaseUrl = z.string().refine(isDatabaseUrl, 'must be sqlite:FILE or postgres://...')

/** Address of PostgreSQL for `LISTEN`, which poolers do not pass on. Null: that of `database`. */
const ListenUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must be the address postgres://... of the PostgreSQL server itself')
  .nullable()
  .default(null)

const Deployment = z.strictObject({
  name: DeploymentName,
  org: OrgName,
  repos: RepoGlobs.default(['**']),
  public: z.boolean().default(false),
})

/** An origin as browsers send it: no path, no default port, in lower case. */
const Origin = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.parse(text)?.origin === text,
    'must be an origin such as https://app.example.org, without a path',
  )

const Cors = z.strictObject({ origins: z.array(Origin).default([]) })

/** A declared API key. Parsing turns `sha256` into bytes and `expires` into a date. */
const DeclaredKey = z.strictObject({
  id: ApiKeyId,
  name: ApiKeyName.nullable().default(null),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'must be the SHA-256 of the whole key: 64 hexadecimal digits')
    .transform((digits) => Buffer.from(digits, 'hex')),
  role: Role,
  repos: z.array(RepoName).min(1).max(100).nullable().default(null),
  expires: z.iso
    .datetime({ offset: true, error: 'must be a time such as 2027-01-31T00:00:00Z' })
    .transform((text) => new Date(text))
    .refine((time) => time.getUTCFullYear() <= 9_999, 'must be in the year 9999 or before')
    .nullable()
    .default(null),
})

/** A shell command that makes a key without Floe. */
const recipe = `echo "floe_$(openssl rand -hex 8)_$(openssl rand -base64 32 | tr '+/' '-_' | tr -d '=')"`

/** The whole text of the first administrator's key. Messages never repeat it. */
const BootstrapAdminKey = z
  .string({ error: `must be an API key; make one with: ${recipe}` })
  .refine((text) => identifyApiKey(text) !== undefined, `must be an API key; make one with: ${recipe}`)
  .nullable()
  .default(null)

/** Ids of the API keys that may see the state of the whole service. */
const Operators = z.array(ApiKeyId).max(100).default([])

const Org = z.strictObject({
  repositories: z.array(RepositorySource).default([]),
  keys: z.array(DeclaredKey).max(1_000).default([]),
})

/** A port for metrics and health checks, without authentication. */
const Metrics = z.strictObject({
  listen: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1'),
      port: z.int().min(1, portRule(1)).max(maxPort, portRule(1)).nullable().default(null),
    })
    .prefault({}),
})

/** Traces of requests; null as endpoint means none. */
const Tracing = z.strictObject({
  endpoint: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
})

const Log = z.strictObject({
  /** At `debug`, each request is logged. */
  level: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
})

const Cache = z.strictObject({ maxBytes: ByteSize.default(256_000_000), refMaxAge: Duration.default(1_000) })

const expectedKey =
  'must be 32 bytes in base64 or 64 hexadecimal digits, such as `openssl rand -base64 32` prints; ' +
  'put commas between several keys'

/** Search over the datasets of all repositories: those of `main`, and of the branches that a pattern names. */
const SearchSettings = z.strictObject({
  enabled: z.boolean().default(true),
  branches: z.array(Glob).max(20).default([]),
})

/** Keys for the secrets in the database. Floe encrypts with the first key, and decrypts with any of them. */
const EncryptionKey = z
  .string({ error: expectedKey })
  .transform((text, context) => {
    const keys = parseSecretKeys(text)
    if (keys === undefined) context.addIssue({ code: 'custom', message: expectedKey })
    return keys ?? z.NEVER
  })
  .nullable()
  .default(null)

/** The configuration of a service. Parsing turns durations into milliseconds and sizes into bytes. */
export const Config = z
  .strictObject({
    listen: Listen.prefault({}),
    baseUrl: BaseUrl,
    database: DatabaseUrl.default('sqlite:.floe/floe.db'),
    listenUrl: ListenUrl,
    deployments: z.array(Deployment).default([]),
    cors: Cors.prefault({}),
    auth: Auth.prefault({}),
    orgs: z.record(OrgName, Org).default({}),
    bootstrapAdminKey: BootstrapAdminKey,
    operators: Operators,
    encryptionKey: EncryptionKey,
    notifications: Notifications.prefault({}),
    expectations: Expectations,
    cache: Cache.prefault({}),
    search: SearchSettings.prefault({}),
    log: Log.prefault({}),
    metrics: Metrics.prefault({}),
    tracing: Tracing.prefault({}),
    limits: Limits.prefault({}),
  })
  .superRefine((config, context) => {
    const { database, listenUrl, listen, metrics, deployments, notifications, expectations, orgs } = config
    const { issuers } = config.auth
    refuseAuth(context, config)
    if (listenUrl !== null && databaseFile(database) !== undefined) {
      const message = 'is for a PostgreSQL database, but "database" is a SQLite file'
      context.addIssue({ code: 'custom', path: ['listenUrl'], message })
    }
    const lists = [
      { path: ['deployments'], entries: deployments },
      { path: ['notifications', 'brokers'], entries: notifications.brokers },
      { path: ['notifications', 'webhooks'], entries: notifications.webhooks },
      { path: ['notifications', 'chats'], entries: notifications.chats },
      { path: ['expectations'], entries: expectations },
      ...issuers.map(({ rules }, at) => ({ path: ['auth', 'issuers', at, 'rules'], entries: rules })),
    ]
    for (const { path, entries } of lists) {
      for (const [index, { org }] of entries.entries()) {
        if (Object.hasOwn(orgs, org)) continue
        const hint = suggestName(org, Object.keys(orgs))
        const message = `names the organisation ${org}, which "orgs" does not have${hint}`
        context.addIssue({ code: 'custom', path: [...path, index, 'org'], message })
      }
    }
    if (metrics.listen.port === listen.port && hostsClash(metrics.listen.host, listen.host)) {
      const message = 'is also "listen.port"; metrics need a port of their own'
      context.addIssue({ code: 'custom', path: ['metrics', 'listen', 'port'], message })
    }
    const named = deployments.map(({ org, name }, at) => ({ path: ['deployments', at, 'name'], id: `${org}/${name}` }))
    refuseRepeated(context, named, 'is the name of another deployment of the organisation')
    const keys = Object.entries(orgs).flatMap(([org, { keys }]) =>
      keys.map(({ id }, at) => ({ path: ['orgs', org, 'keys', at, 'id'], id })),
    )
    refuseRepeated(context, keys, 'is the id of another declared key')
    const issuerUrls = issuers.map(({ issuer }, at) => ({ path: ['auth', 'issuers', at, 'issuer'], id: issuer }))
    refuseRepeated(context, issuerUrls, 'is the address of another issuer')
    for (const [org, { repositories }] of Object.entries(orgs)) {
      const sources = repositories.flatMap((source, at) =>
        'name' in source ? [{ path: ['orgs', org, 'repositories', at, 'name'], id: source.name }] : [],
      )
      refuseRepeated(context, sources, 'is the name of another repository of the organisation')
    }
  })
export type Config = z.output<typeof Config>

/** A configuration as people write it, before parsing. */
export type ConfigInput = z.input<typeof Config>

type Identified = { readonly path: PropertyKey[]; readonly id: string }

function refuseRepeated(context: z.RefinementCtx, entries: readonly Identified[], message: string): void {
  const ids = new Set<string>()
  for (const { path, id } of entries) {
    if (ids.has(id)) context.addIssue({ code: 'custom', path, message })
    ids.add(id)
  }
}

/** Whether a port can only be opened at one of the hosts. */
function hostsClash(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => ['0.0.0.0', '::'].includes(host))
}
