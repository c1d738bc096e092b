// The command line: finds the command, runs it, and turns errors into a message and an exit code.
import manifest from '../package.json' with { type: 'json' }
import type { Terminal } from './terminal.ts'
import { listWords, readHelpSubject, writeUsage } from './usage.ts'
import { UsageError } from './usage-error.ts'

type Command = (args: string[], terminal: Terminal) => Promise<void>

/** Commands are loaded when they run, so that creating a key does not wait for the modules of the web server. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async (): Promise<Command> => (await import('./serve.ts')).serve],
  ['keys', async (): Promise<Command> => (await import('./keys.ts')).runKeys],
  ['secrets', async (): Promise<Command> => (await import('./secrets.ts')).runSecrets],
  ['check', async (): Promise<Command> => (await import('./upkeep/check.ts')).check],
  ['backup', async (): Promise<Command> => (await import('./upkeep/backup.ts')).backup],
  ['restore', async (): Promise<Command> => (await import('./upkeep/restore.ts')).restore],
  ['inspect', async (): Promise<Command> => (await import('./inspect.ts')).inspect],
  ['mcp', async (): Promise<Command> => (await import('./mcp.ts')).mcp],
  ['openapi', async (): Promise<Command> => (await import('./print-documents.ts')).printOpenApi],
  ['schema', async (): Promise<Command> => (await import('./print-documents.ts')).printSchema],
])

/** Runs one command. Returns the exit code: 0 for success, 1 for a failure, 2 for a command line that cannot be understood. */
export async function runCommand(commandLine: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...args] = commandLine
  if (name === undefined) {
    terminal.out(writeUsage([]))
    return 2
  }
  try {
    const subject = readHelpSubject(commandLine)
    if (name === '--version') terminal.out(`${manifest.version}\n`)
    else if (subject) {
      if (subject[0] !== undefined) findCommand(subject[0])
      terminal.out(writeUsage(subject))
    } else {
      const command = await findCommand(name)()
      await command(args, terminal)
    }
    return 0
  } catch (error) {
    if (isUsageError(error)) {
      terminal.err(`floe: ${error.message}\n${writeUsage(listWords(commandLine))}`)
      return 2
    }
    if (terminal.stop.aborted && error === terminal.stop.reason) {
      terminal.err('floe: stopped before it was done\n')
      return 1
    }
    // Loaded here, because it knows the errors of all rooms.
    const { explainFailure } = await import('./explain-failure.ts')
    const explanation = explainFailure(error)
    if (explanation === undefined) throw error
    terminal.err(`floe: ${explanation}\n`)
    return 1
  }
}

function findCommand(name: string): () => Promise<Command> {
  const load = commands.get(name)
  if (!load) throw new UsageError(`there is no command ${name}`)
  return load
}

function isUsageError(error: unknown): error is Error {
  const isParseArgsError = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isParseArgsError || error instanceof UsageError
}
