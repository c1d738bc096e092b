// Programs of users, by the name of their file in the users' project.
import { listPrograms } from '../docs/list-programs.ts'
import { typedConsumers } from './typed-consumers.ts'

const documented = await listPrograms()

const client = `
import {
  type AdminClient, type Client, createAdminClient, createClient, type DatasetInfo, ProblemResponseError, type Receiver, type Versioned,
} from '@floe/client'
import { createReceiver, type NewCommit } from '@floe/client/receiver'

const floe: Client = createClient({ baseUrl: '', deployment: 'tiles', org: 'acme' })
const info: DatasetInfo = await floe.info({ repo: 'weather', ref: 'main' })
const type: string | undefined = info.variables['time']?.type
const units: string | undefined = typeof info.global_attributes['units'] === 'string' ? info.global_attributes['units'] : undefined
export const author = (commit: NewCommit): string => commit.details.author_id
export const receive = createReceiver({ secretToken: 'secret', onNewCommit: ({ commits }) => console.log(commits?.length) })
for await (const { commit_message } of floe.history({ repo: 'weather', ref: 'main' })) console.log(commit_message.length)
const admin: AdminClient = createAdminClient({ baseUrl: '', org: 'acme' })
const { value, etag }: Versioned<Receiver> = await admin.receivers.get({ repo: 'weather', id: '' })
await admin.receivers.update({ repo: 'weather', id: value.id }, { kind: 'webhook', secret_token: null }, { ifMatch: etag })
export function isMissing(error: unknown): boolean {
  if (!(error instanceof ProblemResponseError && error.is('ref-not-found'))) return false
  const known: '/problems/ref-not-found' = error.problem.type
  switch (error.code) {
    case 'ref-not-found':
      return known.length > 0
    default:
      return false
  }
}
// @ts-expect-error -- there is no such state
await admin.deliveries.list({ repo: 'weather', state: 'lost' })
// @ts-expect-error -- a ref is needed
await floe.info({ repo: 'weather' })
// @ts-expect-error -- there is no such variable member
export const facts = [type, units, info.variables['time']?.shape]
`

const contract = `
import { contract, DatasetInfo, type JsonValue, listRoutes, NewCommit, type ProblemCode } from '@floe/contract'

const path: '/v1/schemas/notification.json' = contract.documents.notificationSchema.path
const info: DatasetInfo = DatasetInfo.parse({})
const title: JsonValue | undefined = info.global_attributes['title']
const problem = contract.datasets.info.responses[404].body.parse({}).type
const missing: '/problems/ref-not-found' = problem === '/problems/ref-not-found' ? problem : '/problems/ref-not-found'
const commit: NewCommit = NewCommit.parse({})
const code: ProblemCode = 'ref-not-found'
for (const [id, { method }] of listRoutes(contract)) console.log(id.length, method)
export const facts: readonly unknown[] = [path, title, missing, commit, code]
// @ts-expect-error -- the answers of this route do not include this problem
export const isBusy = problem === '/problems/alias-in-use'
// @ts-expect-error -- there is no such route
contract.documents.nothing
`

const storage = `
import { openRepository, type Snapshot } from '@floe/storage/icechunk'
import { parseJson } from '@floe/storage/json'
import { openStore } from '@floe/storage/objects'
import { SecretError } from '@floe/storage/secrets'
import { parseGroupDocument } from '@floe/storage/zarr'

const repository = openRepository(await openStore('./weather'))
const signal = AbortSignal.timeout(1000)
const { snapshotId } = await repository.resolve('main', signal)
export const snapshot: Snapshot = await repository.readSnapshot(snapshotId, signal)
export const others = [parseJson, SecretError, parseGroupDocument]
`

const database = `
import { openDatabase } from '@floe/storage/database'

const db = await openDatabase('sqlite::memory:')
await db.destroy()
`

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true }

const nodeNext = { module: 'NodeNext' }
const bundler = { module: 'ESNext', moduleResolution: 'Bundler' }

// Those for ES2020 and without Node or DOM compile wherever there is more. Only the documents, which use packages of
// others, set `skipLibCheck`.
const configs = {
  // With declarations, for which the compiler must be able to name every type.
  'tsconfig.browser.json': {
    files: ['client.ts', 'contract.ts', ...Object.keys(typedConsumers)],
    options: { ...bundler, target: 'ES2020', lib: ['ES2020', 'DOM'], types: [], declaration: true },
  },
  // Without the contract, whose types take longest, because the documents have it with Node.
  'tsconfig.node.json': {
    files: ['client.ts', 'storage.ts'],
    options: { ...nodeNext, target: 'ES2020', lib: ['ES2020'], types: ['node'] },
  },
  // The declarations of kysely need ES2022.
  'tsconfig.database.json': {
    files: ['database.ts'],
    options: { ...bundler, target: 'ES2024', lib: ['ES2024', 'ESNext.Disposable'], types: ['node'] },
  },
  'tsconfig.documents.json': {
    files: Object.keys(documented),
    options: {
      ...nodeNext,
      target: 'ES2024',
      lib: ['ES2024', 'ESNext.Disposable', 'DOM', 'DOM.Iterable'],
      types: ['node'],
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    },
  },
}

const configFiles = Object.entries(configs).map(([name, { files, options }]) => [
  name,
  JSON.stringify({ compilerOptions: { ...strict, ...options }, files }),
])

/** Programs to compile, and how. */
export const consumers: Readonly<Record<string, string>> = {
  'client.ts': client,
  'contract.ts': contract,
  'storage.ts': storage,
  'database.ts': database,
  ...documented,
  ...typedConsumers,
  ...Object.fromEntries(configFiles),
}

/** A program to run: \`read.js ORIGIN KEY REPOSITORY\` uses all packages and prints what it gets. */
export const programs: Readonly<Record<string, string>> = {
  'read.js': `
import { createClient } from '@floe/client'
import { createReceiver } from '@floe/client/receiver'
import { contract, NewCommit } from '@floe/contract'
import schema from '@floe/contract/notification.schema.json' with { type: 'json' }
import { createApiKey, listApiKeys, openDatabase } from '@floe/storage/database'
import { openRepository } from '@floe/storage/icechunk'
import { openStore } from '@floe/storage/objects'

const [origin, apiKey, location] = process.argv.slice(2)
const floe = createClient({ baseUrl: origin + '/v1', deployment: 'tiles', org: 'acme', apiKey })
const variables = await floe.keys({ repo: 'weather', ref: 'main', group: 'wind/speed' })
const problem = await floe.refs({ repo: 'nope' }).catch((error) => error.problem.type)

const receive = createReceiver({ secretToken: 'secret', onNewCommit: () => {} })
const [example] = schema.examples
const headers = {
  'content-type': 'application/json', 'x-secret-token': 'secret',
  'webhook-id': 'a', 'webhook-attempt': '1', 'webhook-sequence': '1',
}
const { status: received } = await receive(
  new Request('http://localhost/', { method: 'POST', headers, body: JSON.stringify(NewCommit.parse(example)) }),
)

const refs = await openRepository(await openStore(location)).resolve('main', AbortSignal.timeout(120_000))
const db = await openDatabase('sqlite::memory:')
await createApiKey(db, { org: 'acme', role: 'reader', repos: null, expiresAt: null, createdBy: null }, new Date())
const keys = await listApiKeys(db, 'acme')
await db.destroy()

console.log(JSON.stringify({
  version: process.version,
  isListed: (await floe.repositories()).includes('weather'),
  variables,
  problem,
  received,
  path: contract.documents.notificationSchema.path,
  schema: schema.$schema,
  main: refs.snapshotId,
  keys: keys.length,
}))
`,
}
