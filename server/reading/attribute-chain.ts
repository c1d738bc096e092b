import type { Snapshot } from '@floe/storage/icechunk'
import { type Cancellation, DocumentAllowance, DocumentsTooLargeError, type JsonObject } from '@floe/storage/json'
import { CannotDecodeError } from '../xarray/variable.ts'
import { findParent, readGroup } from './group-documents.ts'

/** Number of groups above a group whose attributes it inherits: the nearest ones. */
const maxAbove = 20

/**
 * Reads the attributes of a group and of the groups above it, the nearest first. Groups that cannot be read state
 * nothing.
 *
 * @throws what the cancellation throws
 */
export function readAttributeChain(
  snapshot: Snapshot,
  group: string,
  cancellation?: Cancellation,
): readonly JsonObject[] {
  const chain: JsonObject[] = []
  for (let path: string | undefined = group; path !== undefined && chain.length <= maxAbove; path = findParent(path))
    chain.push(readAttributes(snapshot, path, cancellation))
  return chain
}

function readAttributes(snapshot: Snapshot, path: string, cancellation: Cancellation | undefined): JsonObject {
  if (snapshot.nodes.find(path)?.kind !== 'group') return new Map()
  try {
    return readGroup(snapshot, path, new DocumentAllowance({}, cancellation)).attributes
  } catch (error) {
    if (error instanceof CannotDecodeError || error instanceof DocumentsTooLargeError) return new Map()
    throw error
  }
}
