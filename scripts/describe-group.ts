// What Floe makes of one group, without a server around it: for the tests and for scripts/describe-groups.ts.
import type { Snapshot } from '@floe/storage/icechunk'
import { readGroupDocuments } from '../server/metadata/group-documents.ts'
import { renderDict } from '../server/metadata/views/dict.ts'
import { renderInfo } from '../server/metadata/views/info.ts'
import { renderKeys } from '../server/metadata/views/keys.ts'
import { decodeGroup } from '../server/metadata/xarray/decode-group.ts'
import { CannotDecodeError } from '../server/metadata/xarray/variable.ts'

/** The texts of the views, or why there are none. */
export type Description =
  { readonly info: string; readonly keys: string; readonly dict: string } | { readonly error: string }

/** `path` has to be that of a group. */
export function describeGroup(snapshot: Snapshot, path: string): Description {
  try {
    const { group, members } = readGroupDocuments(snapshot, path)
    const dataset = decodeGroup(group, members)
    return { info: renderInfo(dataset), keys: renderKeys(dataset), dict: renderDict(dataset) }
  } catch (error) {
    if (error instanceof CannotDecodeError) return { error: error.message }
    throw error
  }
}
