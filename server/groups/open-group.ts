// Opens groups whose documents strangers wrote. The only place that decides which of their faults are refusals.
import { type Cancellation, DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { type ArrayMetadata, ArrayParser, type GroupMetadata, ZarrDocumentError } from '@floe/storage/zarr'
import type { Refusal } from '../pages/parts/refusal.ts'
import type { DecodedDataset } from '../xarray/dataset.ts'
import { decodeGroup } from '../xarray/decode-group.ts'
import { CannotDecodeError } from '../xarray/variable.ts'
import { recognizeGroup } from '../xarray/zarr-python/recognize.ts'
import { readGroup, readGroupDocuments, readNodeName, type SnapshotNodes } from './group-documents.ts'

/** The documents of a group as they are stored. */
export type StoredGroup = {
  /** None of a document that cannot be read. */
  readonly attributes: JsonObject
  /** By name; null for an array whose document cannot be read. */
  readonly arrays: ReadonlyMap<string, ArrayMetadata | null>
}

/** A group that is decoded, or refused. */
type OpenedGroup = (
  | { readonly dataset: DecodedDataset; readonly refusal?: undefined }
  | { readonly dataset?: undefined; readonly refusal: Refusal }
) & {
  /**
   * Returns what is stored, as far as it can be read.
   *
   * @throws what the cancellation throws
   */
  readonly readStored: () => StoredGroup
}

/** The document of a group, unless it cannot be read. */
type OpenedAlone =
  | { readonly group: GroupMetadata; readonly refusal?: undefined }
  | { readonly group?: GroupMetadata; readonly refusal: Refusal }

/** What documents are read with; by default, with a new allowance and a new parser. */
type Reading = {
  readonly cancellation: Cancellation | undefined
  readonly allowance?: DocumentAllowance
  readonly arrays?: ArrayParser
}

/**
 * Opens a group as xarray does. What xarray refuses, and what exceeds a limit of documents, is known as it is stored.
 *
 * @throws RequestProblem `group-not-found`; what the cancellation throws
 */
export function openGroup(
  snapshot: SnapshotNodes,
  path: string,
  { cancellation, allowance = new DocumentAllowance({}, cancellation), arrays }: Reading,
): OpenedGroup {
  const read = attemptReading(() => readGroupDocuments(snapshot, path, allowance, arrays))
  if (read.refusal) return { refusal: read.refusal, readStored: () => readStored(snapshot, path, cancellation) }
  const { group, members, stored } = read.value
  const decoded = attemptReading(() => decodeGroup(group, members, cancellation))
  const readWhole = () => ({ attributes: group.attributes, arrays: stored })
  return decoded.refusal
    ? { refusal: decoded.refusal, readStored: readWhole }
    : { dataset: decoded.value, readStored: readWhole }
}

/**
 * Opens a group without the arrays and groups in it. A group that zarr-python refuses still has its document.
 *
 * @throws as {@link openGroup}
 */
export function openGroupAlone(
  snapshot: SnapshotNodes,
  path: string,
  { cancellation, allowance = new DocumentAllowance({}, cancellation) }: Omit<Reading, 'arrays'>,
): OpenedAlone {
  const { value: group, refusal } = attemptReading(() => readGroup(snapshot, path, allowance))
  if (refusal) return { refusal }
  return { group, refusal: attemptReading(() => recognizeGroup(null, group)).refusal }
}

/**
 * Reads what can be read of a group whose documents were refused. Uses a new allowance, because what was read before is
 * no longer in use. Ends at a document that exceeds it: the arrays from there on are null.
 */
function readStored(snapshot: SnapshotNodes, path: string, cancellation: Cancellation | undefined): StoredGroup {
  let allowance = new DocumentAllowance({}, cancellation)
  const group = attemptReading(() => readGroup(snapshot, path, allowance))
  // Nothing of such a document is in use, so the arrays can have as much.
  if (group.refusal?.isTooLarge) allowance = new DocumentAllowance({}, cancellation)
  const parser = new ArrayParser(allowance)
  let isOver = false
  const parse = (document: Uint8Array) => {
    cancellation?.throwIfAborted()
    const { value, refusal } = isOver ? {} : attemptReading(() => parser.parse(document))
    isOver ||= refusal?.isTooLarge === true
    return value ?? null
  }
  const children = snapshot.nodes.listChildren(path).filter(({ kind }) => kind === 'array')
  return {
    attributes: group.value?.attributes ?? new Map(),
    arrays: new Map(children.map((node) => [readNodeName(node.path), parse(node.document)])),
  }
}

/** Reads or decodes. The faults of a repository become a refusal; others, and a cancellation, are thrown. */
export function attemptReading<Value>(
  read: () => Value,
): { readonly value: Value; readonly refusal?: undefined } | { readonly value?: undefined; readonly refusal: Refusal } {
  try {
    return { value: read() }
  } catch (error) {
    const isTooLarge = error instanceof DocumentsTooLargeError
    if (isTooLarge || error instanceof CannotDecodeError || error instanceof ZarrDocumentError)
      return { refusal: { reason: error.message, isTooLarge } }
    throw error
  }
}
