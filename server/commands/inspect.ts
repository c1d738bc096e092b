// `floe inspect`: prints refs, tree and schema, without server or database.
import { parseArgs } from 'node:util'
import { readAuthor, openRepository, type Repository, type Snapshot } from '@floe/storage/icechunk'
import { DocumentAllowance } from '@floe/storage/json'
import { nameLocation, openStore } from '@floe/storage/objects'
import { readNodeName, readGroupDocuments } from '../snapshots/group-documents.ts'
import type { DecodedVariable } from '../xarray/dataset.ts'
import { decodeGroup } from '../xarray/decode-group.ts'
import { writePythonStr } from '../xarray/python/text.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

const options = { group: { type: 'string' } } as const

/** Time limit of the whole command, in milliseconds. */
const timeoutMs = 60_000

/** `floe inspect LOCATION [REF] [--group GROUP]`. */
export async function inspect(args: string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [location, ref = 'main', ...rest] = positionals
  if (location === undefined || rest.length > 0) throw new UsageError('inspect takes one location and at most one ref')
  const repository = openRepository(await openStore(location))
  const signal = AbortSignal.any([terminal.stop, AbortSignal.timeout(timeoutMs)])
  const resolved = await repository.resolve(ref, signal)
  const snapshot = await repository.readSnapshot(resolved.snapshotId, signal)
  const lines =
    values.group === undefined
      ? [...(await showRepository(repository, location, signal)), '', ...showSnapshot(resolved.kind, ref, snapshot)]
      : showGroup(snapshot, values.group.replace(/^\/|\/$/g, ''))
  terminal.out(`${lines.map(escapeControls).join('\n')}\n`)
}

async function showRepository(repository: Repository, location: string, signal: AbortSignal): Promise<string[]> {
  const { branches, tags } = await repository.readRefs(signal)
  const { formatVersion } = await repository.readState(signal)
  return [
    `${nameLocation(location)} (format version ${formatVersion})`,
    ...[...branches].map(([name, id]) => `  branch ${name} -> ${id}`),
    ...[...tags].map(([name, id]) => `  tag ${name} -> ${id}`),
  ]
}

function showSnapshot(kind: string, ref: string, snapshot: Snapshot): string[] {
  const written = snapshot.writtenAt.toISOString()
  return [
    `${kind} ${ref} at ${snapshot.id}, ${written}, ${readAuthor(snapshot.metadata)}: ${snapshot.message}`,
    ...[...snapshot.nodes].map(({ path, kind: nodeKind }) => {
      if (path === '') return '  /'
      return `${'  '.repeat(path.split('/').length + 1)}${readNodeName(path)}${nodeKind === 'group' ? '/' : ''}`
    }),
  ]
}

function showGroup(snapshot: Snapshot, path: string): string[] {
  const { group, members } = readGroupDocuments(snapshot, path, new DocumentAllowance())
  const dataset = decodeGroup(group, members)
  const dimensions = [...dataset.dimensions].map(([name, size]) => `${name}: ${size}`)
  const showVariables = (isCoordinate: boolean) =>
    dataset.variables.filter((variable) => variable.isCoordinate === isCoordinate).map(showVariable)
  return [
    `Dimensions: (${dimensions.join(', ')})`,
    'Coordinates:',
    ...showVariables(true),
    'Data variables:',
    ...showVariables(false),
    'Attributes:',
    ...[...dataset.attributes].map(([name, value]) => `    ${name}: ${writePythonStr(value)}`),
  ]
}

function showVariable({ name, dimensions, type, isIndexed }: DecodedVariable): string {
  return `  ${isIndexed ? '*' : ' '} ${name} (${dimensions.join(', ')}) ${type.text}`
}

/** Escapes control characters, because names and messages come from strangers and could control the terminal. */
function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
