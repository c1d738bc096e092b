import { type Command, type FlagName, flags, listRepeatedFlags } from './command.ts'
import { commands } from './commands.ts'

/** The meanings of words in capital letters. */
const explanations = {
  LOCATION: 'a repository, or a directory that contains repositories: a path, s3://, gs://, az://, https://',
  DATABASE: 'sqlite:FILE or postgres://...',
  SERVICE: 'the address of a service, such as http://127.0.0.1:8080/v1',
}

/**
 * Writes the help for the commands whose names begin with these words, or without words for all commands. Ignores
 * further words, such as a location.
 */
export function writeUsage(words: readonly string[]): string {
  const beginnings = words.map((_, index) => words.slice(0, words.length - index))
  const chosen = beginnings.map(findCommands).find((matching) => matching.length > 0)
  const lines = (chosen ?? commands).map((command) => `  floe ${showUse(command)}\n      ${command.summary}\n`)
  if (chosen === undefined) lines.push('  floe help [COMMAND]\n', '  floe --version\n')
  const uses = `usage:\n${lines.join('')}`
  const text = [uses, chosen === undefined ? '' : explainFlags(chosen)].filter(Boolean).join('\n')
  const notes = Object.entries(explanations).filter(([word]) => text.includes(word))
  return [text, notes.map(([word, meaning]) => `${word} is ${meaning}\n`).join('')].filter(Boolean).join('\n')
}

function findCommands(beginning: readonly string[]): readonly Command[] {
  return commands.filter(({ name }) => `${name} `.startsWith(`${beginning.join(' ')} `))
}

/** Explains each flag of the commands in a line; returns nothing if they have none. */
function explainFlags(chosen: readonly Command[]): string {
  const meanings = new Map<FlagName, string>()
  for (const { needs = [], takes = [], meanings: own = {} } of chosen)
    for (const flag of [...needs, ...takes]) meanings.set(flag, own[flag] ?? flags[flag].meaning)
  const lines = [...meanings].map(([flag, meaning]) => `  ${showFlag(flag).padEnd(flagWidth)}  ${meaning}\n`)
  return lines.length === 0 ? '' : `flags:\n${lines.join('')}`
}

/** Width of the column of flags, in characters. */
const flagWidth = 26

function showUse(command: Command): string {
  const { name, operands = '', needs = [], takes = [] } = command
  const repeated = listRepeatedFlags(command)
  const needed = needs.map(showFlag)
  const taken = takes.map((flag) => `[${showFlag(flag)}]${repeated.includes(flag) ? '...' : ''}`)
  return [name, operands, ...needed, ...taken].filter((part) => part !== '').join(' ')
}

function showFlag(flag: FlagName): string {
  const option = flags[flag]
  return 'shown' in option ? `--${flag} ${option.shown}` : `--${flag}`
}

/**
 * Returns the words of the command that the caller wants help about, as in `keys create --help` or `help keys create`;
 * no words for `--help` alone; undefined if the command line does not ask for help.
 */
export function readHelpSubject(commandLine: readonly string[]): readonly string[] | undefined {
  const [first, ...rest] = commandLine
  if (first === 'help') return rest
  // Words after `--` are operands.
  const end = commandLine.indexOf('--')
  const options = end < 0 ? commandLine : commandLine.slice(0, end)
  return options.includes('--help') ? listWords(options) : undefined
}

/** Returns the words of a command line before its first flag. */
export function listWords(commandLine: readonly string[]): readonly string[] {
  const firstFlag = commandLine.findIndex((word) => word.startsWith('-'))
  return firstFlag < 0 ? commandLine : commandLine.slice(0, firstFlag)
}
