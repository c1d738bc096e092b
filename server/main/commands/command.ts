import type { parseArgs } from 'node:util'
import { commandVariables } from '../configuration/command-variables.ts'
import type { Terminal } from './terminal.ts'

/** All flags: how each is parsed, the value that help shows, and what help says about it. */
export const flags = {
  org: { type: 'string', shown: 'ORG', meaning: 'the organisation' },
  deployment: { type: 'string', shown: 'NAME', meaning: 'the deployment; it is part of the addresses' },
  port: { type: 'string', shown: '8080', meaning: 'port to listen on; 0 lets the system choose' },
  host: { type: 'string', shown: '127.0.0.1', meaning: 'address to listen on' },
  database: { type: 'string', shown: 'DATABASE', meaning: 'database of keys, receivers and deliveries' },
  config: { type: 'string', shown: 'floe.yaml', meaning: 'configuration file' },
  role: {
    type: 'string',
    shown: 'reader|checker|admin',
    meaning: 'what the key may do: read, also post checks, or also administer',
  },
  name: { type: 'string', shown: 'NAME', meaning: 'name of the key, for people' },
  repo: { type: 'string', multiple: true, shown: 'REPO', meaning: 'name of a repository; default: all' },
  ref: { type: 'string', multiple: true, shown: 'REF', meaning: 'branch or tag; default: main' },
  expires: { type: 'string', shown: '30d|TIME', meaning: 'when the key expires; default: never' },
  'keep-descendants': { type: 'boolean', meaning: 'do not revoke the keys that were made with it' },
  public: { type: 'boolean', meaning: 'let everyone read, without a key' },
  yes: { type: 'boolean', meaning: 'allow --public at an address that other machines reach' },
  region: { type: 'string', shown: 'REGION', meaning: 'region of the bucket in S3' },
  endpoint: { type: 'string', shown: 'URL', meaning: 'address of the object store, if it is not the usual one' },
  anonymous: { type: 'boolean', meaning: 'read the object store without credentials' },
  group: { type: 'string', shown: 'GROUP', meaning: 'path of one group' },
  gaps: { type: 'boolean', meaning: 'show which chunks of the arrays are not written' },
  contract: { type: 'string', shown: 'FILE', meaning: 'file with the contract to compare with' },
  format: {
    type: 'string',
    shown: 'json|pandera',
    meaning: 'form of the contract: JSON (default), or Python for pandera',
  },
  contracts: { type: 'string', shown: 'FILE', meaning: 'file for what readers of the datasets rely on' },
  'fail-on': {
    type: 'string',
    shown: 'breaking|unknown',
    meaning: 'fail for breaking changes (default), or also for unknown ones',
  },
  force: { type: 'boolean', meaning: 'replace a database that exists' },
  json: { type: 'boolean', meaning: 'print JSON' },
  to: { type: 'string', shown: 'URL', meaning: 'address of the program that gets the events' },
  url: { type: 'string', shown: 'SERVICE', meaning: 'address of the service' },
  key: { type: 'string', shown: 'KEY', meaning: `API key; default: ${commandVariables.apiKey}` },
  'client-id': { type: 'string', shown: 'ID', meaning: 'client that the issuer knows; default: registers one' },
  device: { type: 'boolean', meaning: 'sign in with a code, in a browser on any machine' },
  secret: {
    type: 'string',
    shown: 'SECRET',
    meaning: `signing secret; default: ${commandVariables.signingSecret}, or that of the last run`,
  },
  events: { type: 'string', multiple: true, shown: 'EVENT', meaning: 'name of an event; default: all' },
  branches: {
    type: 'string',
    multiple: true,
    shown: 'PATTERN',
    meaning: 'branch, or a pattern such as release/*; default: main',
  },
  after: { type: 'string', shown: 'ID', meaning: 'begin after the event with this id; default: with the next event' },
  wait: { type: 'string', shown: '10m', meaning: 'how long to wait while it is not known; default: 0s' },
  trigger: {
    type: 'string',
    shown: 'EVENT',
    meaning: 'send an example of this event and stop; needs neither --org nor --deployment',
  },
} as const

/** The service that commands call without `--url`. */
export const defaultService = 'http://127.0.0.1:8080/v1'

export type FlagName = keyof typeof flags

/** The values of the flags in a command line. */
export type FlagValues = ReturnType<typeof parseArgs<{ options: typeof flags }>>['values']

/** A parsed command line. The number of operands was checked. */
export type CommandLine = { readonly values: FlagValues; readonly operands: readonly string[] }

type Run = (line: CommandLine, terminal: Terminal) => Promise<void>

export type Command = {
  /** One word, or two: `keys create`. */
  readonly name: string
  readonly summary: string
  /** The operands as help shows them, such as `LOCATION [REF]`; brackets mark those that may be left out. */
  readonly operands?: string
  /** Flags that help shows without brackets, because most calls need them. */
  readonly needs?: readonly FlagName[]
  /** Other flags. */
  readonly takes?: readonly FlagName[]
  /** Help texts of flags that have another meaning in this command than in others. */
  readonly meanings?: Partial<Readonly<Record<FlagName, string>>>
  /** Flags that this command takes only once, although others take them several times. */
  readonly single?: readonly FlagName[]
  /** Loads the module of the command only, so that a command does not load what others need. */
  readonly load: () => Promise<Run>
}

/** Returns the flags that a command takes several times. */
export function listRepeatedFlags({ needs = [], takes = [], single = [] }: Command): readonly FlagName[] {
  return [...needs, ...takes].filter((flag) => 'multiple' in flags[flag] && !single.includes(flag))
}

/** What `floe check` or `floe diff` was asked to check is not as it should be. */
export class FailedChecksError extends Error {
  override name = 'FailedChecksError'
}

/** The service that a command calls cannot be reached, or refuses the call. */
export class ServiceError extends Error {
  override name = 'ServiceError'
}

/** Says why `fetch` got no answer: its own message is always "fetch failed". */
export function explainNoAnswer(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

/** What a command waited for has not happened yet. */
export class StillPendingError extends Error {
  override name = 'StillPendingError'
}

/** The command line is wrong. */
export class UsageError extends Error {
  override name = 'UsageError'
}
