import { hash } from 'node:crypto'
import { type Cancellation, isJsonArray, type JsonObject, type JsonValue } from '@floe/storage/json'
import type { ArrayMetadata } from '@floe/storage/zarr'
import type { DatasetState, ReadableState, StorageState, VariableState } from '../../compatibility/dataset-state.ts'
import { foldCalendar } from '../../compatibility/fold-names.ts'
import type { DecodedDataset, DecodedVariable } from '../../xarray/dataset.ts'
import { decodeGroup } from '../../xarray/decode-group.ts'
import type { Refusal } from '../../pages/parts/refusal.ts'
import type { SnapshotNodes } from '../../groups/group-documents.ts'
import { openGroup, openGroupAlone, type StoredGroup } from '../../groups/open-group.ts'
import { ParsingBatches } from '../parsing-batches.ts'

/** Reads what readers see of the groups of a snapshot. */
export class StateReader {
  readonly #snapshot: SnapshotNodes
  readonly #cancellation: Cancellation | undefined
  readonly #parsing: ParsingBatches

  constructor(snapshot: SnapshotNodes, cancellation: Cancellation | undefined) {
    this.#snapshot = snapshot
    this.#cancellation = cancellation
    this.#parsing = new ParsingBatches(cancellation)
  }

  /**
   * Reads a group. Of a group without arrays, reads only its attributes.
   *
   * @throws RequestProblem `group-not-found`, and what the cancellation throws
   */
  read(path: string): DatasetState {
    const opened = this.#open(path)
    if ('dimensions' in opened) return opened
    const { reason, isTooLarge } = opened
    if (isTooLarge && this.#parsing.isShared) {
      this.#parsing.renew()
      return this.read(path)
    }
    return { unreadable: reason, isTooLarge, documents: hashDocuments(this.#snapshot, path) }
  }

  #open(path: string): ReadableState | Refusal {
    const [snapshot, cancellation] = [this.#snapshot, this.#cancellation]
    const reading = { cancellation, ...this.#parsing.next() }
    if (snapshot.nodes.countChildren(path).arrays === 0) {
      const { group, refusal } = openGroupAlone(snapshot, path, reading)
      if (refusal) return refusal
      const { attributes } = decodeGroup(group, [], cancellation)
      return { dimensions: [], variables: [], attributes }
    }
    const { dataset, refusal, readStored } = openGroup(snapshot, path, reading)
    return refusal ?? describeState(dataset, readStored().arrays)
  }
}

/** Describes a decoded dataset. `arrays` are those that it was decoded from, by name. */
function describeState(
  { dimensions, variables, attributes }: DecodedDataset,
  arrays: StoredGroup['arrays'],
): ReadableState {
  const indexed = new Set(variables.filter(({ isIndexed }) => isIndexed).map(({ name }) => name))
  return {
    dimensions: [...dimensions].map(([name, size]) => ({ name, size, isIndexed: name !== null && indexed.has(name) })),
    variables: variables.map((variable) => describeVariable(variable, arrays.get(variable.name))),
    attributes,
  }
}

function describeVariable(variable: DecodedVariable, array: ArrayMetadata | null | undefined): VariableState {
  const { name, type, dimensions, isCoordinate, attributes } = variable
  const calendar = readCalendar(variable)
  return {
    name,
    type: type.text,
    dimensions,
    role: isCoordinate ? 'coordinate' : 'data',
    attributes,
    calendar,
    ...(array && { storage: describeStorage(variable, array, calendar) }),
  }
}

/** The calendar of decoded times; null for other values. */
function readCalendar({ encoding }: DecodedVariable): string | null {
  const units = encoding.get('units')
  if (typeof units !== 'string' || !units.includes('since')) return null
  const calendar = encoding.get('calendar')
  return foldCalendar(typeof calendar === 'string' ? calendar : 'standard')
}

/** Members of a stored document that say how bytes become values. */
const decodingMembers = ['data_type', 'codecs', 'chunk_grid', 'chunk_key_encoding'] as const

function describeStorage(
  { type, encoding }: DecodedVariable,
  { document, fillValue }: ArrayMetadata,
  calendar: string | null,
): StorageState {
  const decoding = new Map<string, JsonValue>()
  for (const [name, value] of encoding)
    // An empty list stands for NaN, which masks nothing.
    if (name !== 'calendar' && !(isJsonArray(value) && value.length === 0)) decoding.set(name, value)
  // The calendar of times that are objects is compared by itself.
  if (calendar !== null && type.kind !== 'O') decoding.set('calendar', calendar)
  for (const name of decodingMembers) decoding.set(name, readMember(document, name))
  return { decoding, fillValue }
}

function readMember(document: JsonObject, name: string): JsonValue {
  return document.get(name) ?? null
}

/** Computes a hash of the documents of a group and of the arrays directly in it. */
function hashDocuments({ nodes }: SnapshotNodes, path: string): string {
  const group = nodes.find(path)
  const listed = [...(group ? [group] : []), ...nodes.listChildren(path).filter(({ kind }) => kind === 'array')]
  const parts = listed.flatMap((node) => [Buffer.from(`${node.path}\0${node.document.byteLength}\0`), node.document])
  return hash('sha256', Buffer.concat(parts), 'base64url')
}
