// The help: how to use each command.

const location =
  'LOCATION is a repository or a place that holds repositories: a directory, s3://, gs://, az://, https://'

/** The commands, each with the words that it begins with. */
const usages: readonly (readonly [words: string, use: string])[] = [
  [
    'serve',
    `serve [LOCATION...] --org ORG --deployment NAME [--port 8080] [--host 127.0.0.1]
             [--database sqlite:FILE|postgres://...] [--config floe.yaml]`,
  ],
  [
    'keys create',
    `keys create --org ORG --role reader|admin [--repo REPO]... [--expires 30d|TIME]
                   [--database sqlite:FILE]`,
  ],
  ['keys list', 'keys list --org ORG [--json] [--database sqlite:FILE]'],
  ['keys revoke', 'keys revoke ID [--keep-descendants] [--database sqlite:FILE]'],
  ['secrets rotate-key', 'secrets rotate-key [--database sqlite:FILE|postgres://...] [--config floe.yaml]'],
  [
    'check',
    `check [LOCATION...] [--org ORG] [--deployment NAME] [--json]
             [--database sqlite:FILE|postgres://...] [--config floe.yaml]`,
  ],
  ['backup', 'backup FILE [--database sqlite:FILE] [--config floe.yaml]'],
  ['restore', 'restore FILE [--force] [--database sqlite:FILE] [--config floe.yaml]'],
  ['inspect', 'inspect LOCATION [REF] [--group GROUP] [--json]'],
  ['mcp', 'mcp LOCATION'],
  ['openapi', 'openapi'],
  ['schema', 'schema'],
  ['help', 'help [COMMAND]'],
  ['--version', '--version'],
]

/**
 * Writes the help for the commands that begin with these words, or for all commands when there are no words. Words that belong to no
 * command, such as a location, are ignored.
 */
export function writeUsage(words: readonly string[]): string {
  const wanted = words.map((_, index) => words.slice(0, words.length - index)).find((first) => select(first).length > 0)
  const uses = select(wanted ?? []).map(([, use]) => `  floe ${use}\n`)
  const text = `usage:\n${uses.join('')}`
  return text.includes('LOCATION') ? `${text}\n${location}\n` : text
}

function select(first: readonly string[]) {
  return usages.filter(([words]) => `${words} `.startsWith(first.map((word) => `${word} `).join('')))
}

/**
 * Returns the words that a command line asks for help about, as in `keys create --help` or `help keys create`; no words for `--help`
 * alone; undefined when it does not ask for help.
 */
export function readHelpSubject(commandLine: readonly string[]): readonly string[] | undefined {
  const [first, ...rest] = commandLine
  if (first === 'help') return rest
  // After `--`, everything is a name.
  const end = commandLine.indexOf('--')
  const options = end < 0 ? commandLine : commandLine.slice(0, end)
  return options.includes('--help') ? listWords(options) : undefined
}

/** Returns the words of a command line before its first option. */
export function listWords(commandLine: readonly string[]): readonly string[] {
  const firstOption = commandLine.findIndex((word) => word.startsWith('-'))
  return firstOption < 0 ? commandLine : commandLine.slice(0, firstOption)
}
