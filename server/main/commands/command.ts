import type { parseArgs } from 'node:util'
import type { Terminal } from './terminal.ts'

/** All flags: how each is parsed, and the value that help shows. */
export const flags = {
  org: { type: 'string', shown: 'ORG' },
  deployment: { type: 'string', shown: 'NAME' },
  port: { type: 'string', shown: '8080' },
  host: { type: 'string', shown: '127.0.0.1' },
  database: { type: 'string', shown: 'DATABASE' },
  config: { type: 'string', shown: 'floe.yaml' },
  role: { type: 'string', shown: 'reader|admin' },
  name: { type: 'string', shown: 'NAME' },
  repo: { type: 'string', multiple: true, shown: 'REPO' },
  ref: { type: 'string', multiple: true, shown: 'REF' },
  expires: { type: 'string', shown: '30d|TIME' },
  'keep-descendants': { type: 'boolean' },
  public: { type: 'boolean' },
  yes: { type: 'boolean' },
  region: { type: 'string', shown: 'REGION' },
  endpoint: { type: 'string', shown: 'URL' },
  anonymous: { type: 'boolean' },
  group: { type: 'string', shown: 'GROUP' },
  contract: { type: 'string', shown: 'FILE' },
  contracts: { type: 'string', shown: 'FILE' },
  'fail-on': { type: 'string', shown: 'breaking|unknown' },
  force: { type: 'boolean' },
  json: { type: 'boolean' },
  to: { type: 'string', shown: 'URL' },
  url: { type: 'string', shown: 'SERVICE' },
  key: { type: 'string', shown: 'KEY' },
  secret: { type: 'string', shown: 'SECRET' },
  events: { type: 'string', multiple: true, shown: 'EVENT' },
  branches: { type: 'string', multiple: true, shown: 'PATTERN' },
  after: { type: 'string', shown: 'ID' },
  trigger: { type: 'string', shown: 'EVENT' },
} as const

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
  readonly needs?: readonly (keyof typeof flags)[]
  /** Other flags. */
  readonly takes?: readonly (keyof typeof flags)[]
  /** Loads the module of the command only, so that a command does not load what others need. */
  readonly load: () => Promise<Run>
}

/** What `floe check` or `floe diff` was asked to check is not as it should be. */
export class FailedChecksError extends Error {
  override name = 'FailedChecksError'
}

/** The service that a command calls cannot be reached, or refuses the call. */
export class ServiceError extends Error {
  override name = 'ServiceError'
}

/** The command line is wrong. */
export class UsageError extends Error {
  override name = 'UsageError'
}
