// `floe inspect`: prints refs, groups and schema of a repository, or lists the repositories in a location. Needs
// neither server nor database.
import type { DatasetInfo } from '@floe/contract'
import { readAuthor, type Refs, type Repository, type ResolvedRef, type Snapshot } from '@floe/storage/icechunk'
import { writeBody } from '@floe/storage/json'
import { nameLocation } from '@floe/storage/objects'
import { formatShare } from '../../../pages/parts/format-count.ts'
import { type ChunkCount, isIncomplete, uncountedTexts } from '../../../pages/parts/written-chunks.ts'
import { countChunks, describeChunkCount } from '../../../reading/completeness/count-chunks.ts'
import { decodeGroupAt, readNodeName } from '../../../groups/group-documents.ts'
import { toInfo } from '../../../reading/datasets/views.ts'
import type { DecodedVariable } from '../../../xarray/dataset.ts'
import { writePythonStr } from '../../../xarray/python/text.ts'
import { type CommandLine, UsageError } from '../command.ts'
import { inspectGaps } from './inspect-gaps.ts'
import { limitSignal } from '../access/limit-signal.ts'
import { openLocation } from '../access/open-location.ts'
import { escapeControls, showProgress, type Terminal } from '../terminal.ts'

/** The refs of a repository, and the snapshot of one of them. */
type Inspected = {
  readonly name: string
  readonly formatVersion: number
  readonly refs: Refs
  readonly ref: string
  readonly kind: ResolvedRef['kind']
  readonly snapshot: Snapshot
}

/** `floe inspect LOCATION [REF]`. If LOCATION is not a repository itself, lists the repositories in it. */
export async function inspect(
  { values, operands }: CommandLine,
  terminal: Terminal,
  timeoutMs?: number,
): Promise<void> {
  const [location = '', ref = 'main'] = operands
  const text = await showProgress(terminal, async (show) => {
    show(`reading ${nameLocation(location)}`)
    const opened = await openLocation(location, values, terminal, limitSignal(terminal.stop, timeoutMs))
    const { repository, limits, signal, group } = opened
    const names = (await opened.listBelow()) ?? []
    if (operands.length === 1 && group === undefined && !values.gaps && names.length > 0)
      return values.json ? JSON.stringify({ repositories: names }, null, 2) : names.map(escapeControls).join('\n')
    if (names.length > 0)
      throw new UsageError(`${location} is no repository, but holds ${names.length}; name one of them`)
    const inspected = await read(nameLocation(location), repository, ref, signal)
    if (values.gaps) {
      const form = { isJson: values.json ?? false, limits }
      return inspectGaps({ repository, snapshot: inspected.snapshot, group: group ?? '', ...form }, signal)
    }
    return values.json ? writeJson(inspected, group) : writeText(inspected, group)
  })
  terminal.out(`${text}\n`)
}

async function read(name: string, repository: Repository, ref: string, signal: AbortSignal): Promise<Inspected> {
  const { kind, snapshotId } = await repository.resolve(ref, signal)
  const snapshot = await repository.readSnapshot(snapshotId, signal)
  const refs = await repository.readRefs(signal)
  const { formatVersion } = await repository.readState(signal)
  return { name, formatVersion, refs, ref, kind, snapshot }
}

/** Describes the repository as JSON, or a group with the JSON that `info` answers over HTTP. */
function writeJson({ name, formatVersion, refs, ref, kind, snapshot }: Inspected, group: string | undefined): string {
  if (group !== undefined) {
    return writeBody<DatasetInfo>(toInfo(decodeGroupAt(snapshot, group))).toString()
  }
  const { id, writtenAt, message, nodes } = snapshot
  const document = {
    name,
    format_version: formatVersion,
    branches: Object.fromEntries(refs.branches),
    tags: Object.fromEntries(refs.tags),
    ref: { kind, name: ref },
    snapshot: {
      id,
      written_at: writtenAt,
      author_id: readAuthor(snapshot.metadata),
      commit_message: message,
      nodes: [...nodes].map(({ path, kind }, index) => ({
        path,
        kind,
        ...(kind === 'array' && describeChunkCount(countChunks(snapshot, index))),
      })),
    },
  }
  return JSON.stringify(document, null, 2)
}

function writeText({ name, formatVersion, refs, ref, kind, snapshot }: Inspected, group: string | undefined): string {
  const lines =
    group === undefined
      ? [...showRefs(name, formatVersion, refs), '', ...showSnapshot(kind, ref, snapshot)]
      : showGroup(snapshot, group)
  return lines.map(escapeControls).join('\n')
}

function showRefs(name: string, formatVersion: number, { branches, tags }: Refs): string[] {
  return [
    `${name} (format version ${formatVersion})`,
    ...[...branches].map(([name, id]) => `  branch ${name} -> ${id}`),
    ...[...tags].map(([name, id]) => `  tag ${name} -> ${id}`),
  ]
}

function showSnapshot(kind: string, ref: string, snapshot: Snapshot): string[] {
  const written = snapshot.writtenAt.toISOString()
  return [
    `${kind} ${ref} at ${snapshot.id}, ${written}, ${readAuthor(snapshot.metadata)}: ${snapshot.message}`,
    ...[...snapshot.nodes].map(({ path, kind: nodeKind }, index) => {
      const name = path === '' ? '  /' : `${'  '.repeat(path.split('/').length + 1)}${readNodeName(path)}`
      if (nodeKind === 'array') return `${name}${showChunks(countChunks(snapshot, index))}`
      return path === '' ? name : `${name}/`
    }),
  ]
}

/** Tells about chunks that are not written, and why that is unknown; nothing about a complete array. */
function showChunks(chunks: ChunkCount): string {
  if (typeof chunks === 'string') return `  (written chunks unknown: ${uncountedTexts[chunks]})`
  return isIncomplete(chunks) ? `  (${formatShare(chunks)} written)` : ''
}

function showGroup(snapshot: Snapshot, path: string): string[] {
  const dataset = decodeGroupAt(snapshot, path)
  const dimensions = [...dataset.dimensions].map(([name, size]) => `${name}: ${size}`)
  const showVariables = (isCoordinate: boolean) =>
    dataset.variables
      .filter((variable) => variable.isCoordinate === isCoordinate)
      .map((variable) => showVariable(variable, showChunksAt(snapshot, path, variable.name)))
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

function showVariable({ name, dimensions, type, isIndexed }: DecodedVariable, chunks: string): string {
  return `  ${isIndexed ? '*' : ' '} ${name} (${dimensions.join(', ')}) ${type.text}${chunks}`
}

function showChunksAt(snapshot: Snapshot, group: string, name: string): string {
  const index = snapshot.nodes.findIndex(group === '' ? name : `${group}/${name}`)
  return index === undefined ? '' : showChunks(countChunks(snapshot, index))
}
