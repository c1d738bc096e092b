// The configuration of the simulated service: its repositories, and webhooks with many kinds of filters.
import { changeVerdicts, defaultFilter, type EventFilter, eventNames, noticeNames } from '@floe/contract/lists'
import { datasetPath } from '../../history/commits.ts'
import type { ConfigInput } from '../../../server/main/configuration/schema.ts'
import { type SimulatedChat, writeChat } from './chats.ts'

/** A webhook of a repository, or of the organisation. */
export type SimulatedWebhook = {
  readonly alias: string
  /** Undefined for one of the organisation. */
  readonly repo: string | undefined
  readonly filter: EventFilter
}

/** What webhooks select, by the beginning of their aliases. */
const filters: readonly (readonly [string, EventFilter])[] = [
  ['main', defaultFilter],
  ['branches', { ...defaultFilter, events: ['NewCommit', 'BranchCreated', 'BranchDeleted'], branches: ['**'] }],
  ['tags', { ...defaultFilter, events: ['TagCreated', 'TagDeleted'] }],
]

/** Told to the organisation about its receivers and repositories. */

/** The only search of a receiver: it finds the only dataset. */
const datasetSearch = { q: 'a ', variable: ['t'] }

const organisationFilters: readonly (readonly [string, EventFilter])[] = [
  // Its payloads say what each head move changed, so that the choice of the others can be checked.
  [
    'everything',
    {
      ...defaultFilter,
      repos: ['**'],
      events: eventNames,
      branches: ['**'],
      compatibility: changeVerdicts,
      include_changes: true,
    },
  ],
  ['some', { ...defaultFilter, repos: ['**'], events: ['NewCommit', ...noticeNames], branches: ['main', 'release-*'] }],
  ['found', { ...defaultFilter, repos: ['**'], search: datasetSearch }],
]

const withReading: readonly (readonly [string, EventFilter])[] = [
  ['paths', { ...defaultFilter, branches: ['main', 'dev'], paths: ['*/b', 'c/**'] }],
  ['breaks', { ...defaultFilter, events: ['SchemaChanged'], compatibility: changeVerdicts }],
]

/** Lists the webhooks; every fourth repository has some that ask what a commit changed. */
export function listWebhooks(repositories: readonly string[]): readonly SimulatedWebhook[] {
  const all = organisationFilters.map(([name, filter]) => ({ alias: `org-${name}`, repo: undefined, filter }))
  return repositories.reduce<readonly SimulatedWebhook[]>((webhooks, repo, index) => {
    const chosen = index % 4 === 0 ? [...filters, ...withReading] : filters
    return [...webhooks, ...chosen.map(([name, filter]) => ({ alias: `${repo}-${name}`, repo, filter }))]
  }, all)
}

/** The settings of a kind, in the form of the configuration file. */
export type SimulatedSettings =
  | { readonly kind: 'freshness'; readonly maxAge: string }
  | { readonly kind: 'written'; readonly share: number }
  | { readonly kind: 'contract'; readonly type: string }

/** What is expected of branches. */
export type SimulatedExpectation = SimulatedSettings & {
  readonly alias: string
  /** A pattern. */
  readonly branch: string
  readonly within: string | null
  /** The period of reminders. */
  readonly remind?: string
  readonly severity?: 'warning' | 'critical'
}

/** What is expected of `main` of every repository. */
export const expectations: readonly SimulatedExpectation[] = [
  { alias: 'fresh', branch: 'main', within: null, remind: '1m', kind: 'freshness', maxAge: '1m' },
  { alias: 'whole', branch: 'main', within: null, remind: '2m', kind: 'written', share: 1 },
  { alias: 'typed', branch: 'main', within: null, severity: 'critical', kind: 'contract', type: 'float32' },
  { alias: 'patient', branch: 'main', within: '1m', kind: 'contract', type: 'float32' },
]

/** Which heads of `main` are good: in ten repositories by their checks alone, in the others also by a contract. */
export const goodExpectations = [
  { repo: 'r?', alias: 'checked', within: '1m', expectations: [] },
  { repo: 'r1?', alias: 'good', expectations: ['typed'] },
].map((one) => ({ org: 'acme', branch: 'main', kind: 'good' as const, checks: ['quality'], ...one }))

/** Writes the contract that the array has this type. */
export function writeContract(type: string) {
  return { version: 1 as const, datasets: { [datasetPath]: { variables: { t: { type } } } } }
}

function writeExpectation({ alias, branch, within, severity, ...settings }: SimulatedExpectation) {
  const common = {
    org: 'acme',
    repo: '*',
    alias,
    branch,
    ...(within !== null && { within }),
    ...(severity && { severity }),
  }
  if (settings.kind !== 'contract') return { ...common, ...settings }
  return { ...common, kind: settings.kind, contract: writeContract(settings.type) }
}

/** Patterns of the branches that are indexed besides `main`. */
export const indexedBranches = ['release-*']

/** A key that may do everything. */
export const administratorKey = `floe_${'5eed'.repeat(4)}_${'s'.repeat(43)}`

/** Where repositories are: those in a directory, or one. */
export type SourceInput = { readonly scan: string } | { readonly name: string; readonly location: string }

export type SimulatedService = {
  readonly database: string
  readonly sources: readonly SourceInput[]
  readonly webhooks: readonly SimulatedWebhook[]
  readonly chats: readonly SimulatedChat[]
}

/** Writes the configuration. */
export function writeConfiguration({ database, sources, webhooks, chats }: SimulatedService): ConfigInput {
  return {
    database,
    baseUrl: 'https://floe.example/v1',
    encryptionKey: Buffer.alloc(32, 7).toString('base64'),
    deployments: [{ name: 'simulation', org: 'acme', public: true }],
    orgs: { acme: { repositories: [...sources] } },
    search: { enabled: true, branches: [...indexedBranches] },
    bootstrapAdminKey: administratorKey,
    expectations: [...expectations.map(writeExpectation), ...goodExpectations],
    log: { level: 'warn' },
    notifications: {
      allowPrivateNetworks: ['10.0.0.0/8'],
      chats: chats.map(writeChat),
      webhooks: webhooks.map(({ alias, repo, filter }) => {
        const { repos, include_changes: includeChanges, events, branches, paths, search, compatibility } = filter
        const owner = repo === undefined ? { repos: [...(repos ?? [])] } : { repo }
        const url = `https://${alias}.example/${alias}`
        return {
          org: 'acme',
          ...owner,
          alias,
          url,
          events: [...events],
          branches: [...branches],
          paths: [...paths],
          ...(search && { search: datasetSearch }),
          compatibility: [...compatibility],
          includeChanges,
          signingSecret: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
        }
      }),
    },
  }
}
