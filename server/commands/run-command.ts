// The command line: finds the command, and turns refusals into a message and an exit code.
import { explainFailure } from './explain-failure.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

type Command = (args: string[], terminal: Terminal) => Promise<void>

/** Loaded when called for: making a key should not wait for the web server's modules. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async (): Promise<Command> => (await import('./serve.ts')).serve],
  ['keys', async (): Promise<Command> => (await import('./keys.ts')).keys],
  ['secrets', async (): Promise<Command> => (await import('./secrets.ts')).secrets],
  ['inspect', async (): Promise<Command> => (await import('./inspect.ts')).inspect],
  ['openapi', async (): Promise<Command> => (await import('./print-documents.ts')).openapi],
  ['schema', async (): Promise<Command> => (await import('./print-documents.ts')).schema],
])

const usage = `usage:
  floe serve [LOCATION...] --org ORG --deployment NAME [--port 8080] [--host 127.0.0.1]
             [--database sqlite:FILE|postgres://...] [--config floe.yaml]
  floe keys create --org ORG --role reader|admin [--repo REPO]... [--expires 30d|TIME]
                   [--database sqlite:FILE]
  floe keys list --org ORG [--database sqlite:FILE]
  floe keys revoke ID [--database sqlite:FILE]
  floe secrets rotate-key [--database sqlite:FILE|postgres://...] [--config floe.yaml]
  floe inspect LOCATION [REF] [--group GROUP]
  floe openapi
  floe schema

LOCATION is a repository or a place that holds repositories: a directory, s3://, gs://, az://, https://
`

/** Runs one command; the exit code is 0, 1 for a refusal, 2 for a command line that cannot be understood. */
export async function runCommand([name, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help') {
    terminal.out(usage)
    return name === undefined ? 2 : 0
  }
  const load = commands.get(name)
  try {
    if (!load) throw new UsageError(`there is no command ${name}`)
    const command = await load()
    await command(args, terminal)
    return 0
  } catch (error) {
    if (isUsageError(error)) {
      terminal.err(`floe: ${error.message}\n${usage}`)
      return 2
    }
    const explanation = explainFailure(error)
    if (explanation === undefined) throw error
    terminal.err(`floe: ${explanation}\n`)
    return 1
  }
}

function isUsageError(error: unknown): error is Error {
  const isParseArgsError = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isParseArgsError || error instanceof UsageError
}
