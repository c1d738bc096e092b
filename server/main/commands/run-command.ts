// The command line: finds the command, runs it, and turns errors into a message and an exit code.
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { suggestName } from '../../text/nearest-name.ts'
import { type Command, type CommandLine, flags, listRepeatedFlags, StillPendingError, UsageError } from './command.ts'
import { commands } from './commands.ts'
import type { Terminal } from './terminal.ts'
import { listWords, readHelpSubject, writeUsage } from './usage.ts'

/**
 * Runs a command. Returns the exit code: 0 for success, 1 for a failure, 2 for a wrong command line, 3 for what is not
 * known yet.
 */
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
      if (subject[0] !== undefined) findCommands(subject[0])
      terminal.out(writeUsage(subject))
    } else {
      const { command, line } = parseLine(name, args)
      warnOfCommas(command, line, terminal)
      const run = await command.load()
      await run(line, terminal)
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
    // Imported only here, because it loads many packages.
    const { explainFailure } = await import('./explain-failure.ts')
    const explanation = explainFailure(error)
    if (explanation === undefined) throw error
    terminal.err(`floe: ${explanation}\n`)
    return error instanceof StillPendingError ? 3 : 1
  }
}

/** Finds the commands whose name begins with this word. */
function findCommands(word: string): readonly Command[] {
  const firsts = new Set(commands.map(({ name }) => name.split(' ', 1)[0] ?? ''))
  if (firsts.has(word)) return commands.filter(({ name }) => name === word || name.startsWith(`${word} `))
  throw new UsageError(`there is no command ${word}${suggestName(word, firsts)}`)
}

/**
 * Parses the arguments after the first word of a command. Flags may precede its second word, so the flags of all
 * commands with this first word are accepted.
 */
function parseLine(word: string, args: readonly string[]): { readonly command: Command; readonly line: CommandLine } {
  const candidates = findCommands(word)
  const accepted = candidates.flatMap(({ needs = [], takes = [] }) => [...needs, ...takes])
  // The type has the flags of all commands. Those of other commands get no value, like flags that are not given.
  const options = Object.fromEntries(accepted.map((flag) => [flag, flags[flag]])) as typeof flags
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const command = candidates.find(({ name }) => name === word || name === `${word} ${positionals[0]}`)
  if (command === undefined) {
    const words = candidates.map(({ name }) => name.slice(word.length + 1))
    throw new UsageError(`${word} needs ${words.join(' or ')}`)
  }
  const operands = command.name === word ? positionals : positionals.slice(1)
  const shown = command.operands?.split(' ') ?? []
  const minCount = shown.filter((operand) => !operand.startsWith('[')).length
  const maxCount = command.operands?.includes('...') ? Infinity : shown.length
  if (operands.length < minCount) throw new UsageError(`${command.name} needs ${shown.join(' ')}`)
  if (operands.length > maxCount)
    throw new UsageError(`${command.name} does not take ${operands.slice(maxCount).join(' ')}`)
  return { command, line: { values, operands } }
}

/**
 * Warns of values that look like several. Names of repositories and branches may contain commas, so each is one value.
 */
function warnOfCommas(command: Command, { values }: CommandLine, terminal: Terminal): void {
  for (const flag of listRepeatedFlags(command))
    for (const value of [values[flag] ?? []].flat())
      if (String(value).includes(','))
        terminal.err(`floe: warning: --${flag} ${value} is one value; repeat --${flag} for several\n`)
}

function isUsageError(error: unknown): error is Error {
  const isParseArgsError = error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isParseArgsError || error instanceof UsageError
}
