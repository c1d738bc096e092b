// How the index stores what results show of variables: a line for each, with its fields between tabs.
import type { FoundVariable } from '@floe/contract'

/** What results show of a variable. */
export type ShownVariable = Omit<FoundVariable, 'matched'>

/** Number of variables whose lines are stored, and read, together. */
export const variablesPerChunk = 32

/** Number of a chunk of a dataset in its shard. A dataset has fewer chunks than this. */
export const chunksPerDataset = 8_192

/** Writes the chunks of a dataset's variables. */
export function writeChunks(variables: readonly ShownVariable[]): readonly string[] {
  const lines = variables.map(writeLine)
  return Array.from({ length: Math.ceil(lines.length / variablesPerChunk) }, (_, chunk) =>
    lines.slice(chunk * variablesPerChunk, (chunk + 1) * variablesPerChunk).join('\n'),
  )
}

/** What stands for an empty text in a line, where `''` stands for null. Only units can be empty. */
const emptyText = ' '

function writeLine({ name, standard_name, long_name, units, type, dimensions }: ShownVariable): string {
  return [name, standard_name, long_name, units === '' ? emptyText : units, type, ...dimensions]
    .map((field) => escapeField(field ?? ''))
    .join('\t')
}

/** Reads a line. */
export function readLine(line: string): ShownVariable {
  const fields = line.split('\t')
  const [name = '', standardName = '', longName = '', units = '', type = '', ...dimensions] = line.includes('\\')
    ? fields.map(unescapeField)
    : fields
  return {
    name,
    standard_name: standardName || null,
    long_name: longName || null,
    units: units === emptyText ? '' : units || null,
    type,
    dimensions,
  }
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' }

function escapeField(text: string): string {
  return text.replaceAll(/[\\\t\n]/g, (character) => escapes[character] ?? character)
}

function unescapeField(text: string): string {
  return text.replaceAll(/\\[\\tn]/g, (escaped) => (escaped === '\\t' ? '\t' : escaped === '\\n' ? '\n' : '\\'))
}
