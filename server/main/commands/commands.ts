import { suggestName } from '../../text/nearest-name.ts'
import { type Command, UsageError } from './command.ts'

/** Flags for access to object stores. */
const access = ['region', 'endpoint', 'anonymous'] as const

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: 'serve',
    summary:
      'serves repositories; needs --org and --deployment, or a configuration that has deployments, or --public, with ' +
      'which callers on this machine need no keys',
    operands: '[LOCATION...]',
    takes: ['org', 'deployment', 'port', 'host', 'public', 'yes', ...access, 'database', 'config'],
    load: async () => (await import('./serve.ts')).serve,
  },
  {
    name: 'keys create',
    summary: 'makes an API key and prints it, once',
    needs: ['org', 'role'],
    takes: ['name', 'repo', 'expires', 'database', 'config'],
    meanings: { repo: 'name of a repository that the key is limited to; default: all' },
    load: async () => (await import('./keys.ts')).createKey,
  },
  {
    name: 'keys list',
    summary: 'lists the API keys of an organisation',
    needs: ['org'],
    takes: ['json', 'database', 'config'],
    load: async () => (await import('./keys.ts')).listKeys,
  },
  {
    name: 'keys revoke',
    summary: 'revokes an API key and those that were made with it',
    operands: 'ID',
    takes: ['keep-descendants', 'database', 'config'],
    load: async () => (await import('./keys.ts')).revokeKey,
  },
  {
    name: 'secrets rotate-key',
    summary: 'encrypts the secrets in the database with a new key',
    takes: ['database', 'config'],
    load: async () => (await import('./upkeep/rotate-key.ts')).rotateKey,
  },
  {
    name: 'check',
    summary: 'finds out whether a service could start and work',
    operands: '[LOCATION...]',
    takes: ['org', 'deployment', 'port', 'host', 'public', 'yes', ...access, 'json', 'database', 'config'],
    load: async () => (await import('./upkeep/check.ts')).check,
  },
  {
    name: 'backup',
    summary: 'writes a SQLite database and its keys to one file',
    operands: 'FILE',
    takes: ['database', 'config'],
    load: async () => (await import('./upkeep/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'restores a SQLite database and its keys from a backup',
    operands: 'FILE',
    takes: ['force', 'database', 'config'],
    load: async () => (await import('./upkeep/backup.ts')).restore,
  },
  {
    name: 'search reindex',
    summary: 'rebuilds the search index of all repositories or of some',
    takes: ['org', 'repo', 'database', 'config'],
    load: async () => (await import('./upkeep/reindex.ts')).reindex,
  },
  {
    name: 'inspect',
    summary: 'prints refs, groups and schema of a repository, or lists the repositories in a location',
    operands: 'LOCATION [REF]',
    takes: ['group', 'gaps', ...access, 'json', 'config'],
    load: async () => (await import('./inspect/inspect.ts')).inspect,
  },
  {
    name: 'diff',
    summary:
      'fails if the change from FROM to TO breaks readers; with --contract, if TO breaks the contract in FILE (FROM ' +
      'may be left out)',
    operands: 'LOCATION [FROM] TO',
    takes: ['group', 'contract', 'fail-on', ...access, 'json', 'config'],
    load: async () => (await import('./compatibility/diff.ts')).diff,
  },
  {
    name: 'contract',
    summary: 'writes what readers of the datasets rely on, as JSON, for diff --contract and for the service',
    operands: 'LOCATION [REF]',
    takes: ['group', 'format', ...access, 'config'],
    load: async () => (await import('./compatibility/contract.ts')).contract,
  },
  {
    name: 'types',
    summary:
      'writes TypeScript types of the datasets in a location, or of a service, for createClient; with --contracts, ' +
      'what readers rely on goes to FILE as JSON',
    operands: '[LOCATION]',
    takes: ['url', 'deployment', 'org', 'key', 'repo', 'ref', 'contracts', ...access, 'config'],
    meanings: { repo: 'name of a repository, or a pattern; default: all' },
    load: async () => (await import('./types/types.ts')).types,
  },
  {
    name: 'export',
    summary: 'writes the datasets in a location, or of a service, as JSON for a catalogue, such as datahub',
    operands: 'CATALOGUE [LOCATION]',
    takes: ['url', 'deployment', 'org', 'key', 'repo', 'ref', ...access, 'config'],
    meanings: {
      repo: 'name of a repository, or a pattern; default: all',
      org: 'the organisation, with which names begin; default for LOCATION: local',
    },
    single: ['ref'],
    load: async () => (await import('./export/export-datasets.ts')).exportDatasets,
  },
  {
    name: 'mcp',
    summary: 'answers an agent about a location, over standard input and output',
    operands: 'LOCATION',
    takes: [...access, 'config'],
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'good',
    summary:
      'prints the head of a branch if a service finds it good; exit code 1 if it is not, 3 if that is not known even ' +
      'after --wait',
    operands: 'REPO [BRANCH]',
    needs: ['org', 'deployment'],
    takes: ['wait', 'url', 'key', 'json'],
    load: async () => (await import('./good.ts')).good,
  },
  {
    name: 'login',
    summary: 'signs in to a service at an issuer, so that commands and the Python client need no key',
    operands: '[ISSUER]',
    takes: ['url', 'client-id', 'device'],
    load: async () => (await import('./login/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'forgets the token of login',
    takes: ['url'],
    load: async () => (await import('./login/login.ts')).logout,
  },
  {
    name: 'listen',
    summary: 'sends the events of a service, or one example, to a program on this machine, signed as to a webhook',
    needs: ['org', 'deployment', 'to'],
    takes: ['repo', 'branches', 'events', 'after', 'url', 'key', 'secret', 'trigger'],
    single: ['repo'],
    load: async () => (await import('./listen.ts')).listen,
  },
  {
    name: 'openapi',
    summary: 'prints the OpenAPI document',
    load: async () => {
      const { default: document } = await import('@floe/contract/openapi.json', { with: { type: 'json' } })
      return async (_line, terminal) => terminal.out(`${JSON.stringify(document, null, 2)}\n`)
    },
  },
  {
    name: 'schema',
    summary: 'prints the JSON Schema of notifications, or of dataset contracts (NAME is dataset-contract)',
    operands: '[NAME]',
    load: async () => {
      const { createDatasetContractSchema, createNotificationSchema } = await import('@floe/contract')
      const schemas = { notification: createNotificationSchema, 'dataset-contract': createDatasetContractSchema }
      return async ({ operands: [name = 'notification'] }, terminal) => {
        const create = new Map<string, () => object>(Object.entries(schemas)).get(name)
        if (create === undefined)
          throw new UsageError(`there is no schema ${name}${suggestName(name, Object.keys(schemas))}`)
        terminal.out(`${JSON.stringify(create(), null, 2)}\n`)
      }
    },
  },
]
