// The metadata of a repository itself. It counts as the attributes of a group around the root, so its facts and words
// are inherited as those of groups are.
import { IcechunkError, type RepositoryState } from '@floe/storage/icechunk'
import { AnswerTooLargeError, type JsonObject, JsonWriter, type JsonValue, parseJsonObject } from '@floe/storage/json'
import { shorten } from '../text/shorten.ts'

/** The metadata of the repository that is asked about, as {@link writeMetadata} writes it; absent if there is none. */
export type RepositoryMetadata = { readonly metadata?: string | undefined }

/** Longer texts are cut, in code points. A README can be long. */
const maxTextLength = 5_000

/** Maximum length of all metadata as JSON, in characters. Values that do not fit are left out. */
const maxLength = 20_000

/**
 * Writes the metadata as JSON: a text can be recorded, compared, and sent to threads. Undefined if there is none, or if
 * it is damaged: the rest of the repository may still be readable.
 */
export function writeMetadata(state: RepositoryState): string | undefined {
  // Version 1 of the format has none.
  if (state.formatVersion === 1) return undefined
  try {
    return writeFitting(state.readFacts().metadata)
  } catch (error) {
    if (error instanceof IcechunkError) return undefined
    throw error
  }
}

/** Reads what {@link writeMetadata} has written. */
export function readMetadata(text: string): JsonObject {
  return parseJsonObject(text)
}

function writeFitting(metadata: JsonObject): string | undefined {
  const members: string[] = []
  let left = maxLength
  for (const [name, value] of metadata) {
    const member = writeMember(name, typeof value === 'string' ? shorten(value, maxTextLength) : value, left)
    if (member === undefined) continue
    members.push(member)
    left -= member.length
  }
  return members.length === 0 ? undefined : `{${members.join(',')}}`
}

/** Writes a member of an object without its braces; undefined if it is too long. */
function writeMember(name: string, value: JsonValue, maxBytes: number): string | undefined {
  try {
    const json = new JsonWriter(maxBytes).write<unknown>(new Map([[name, value]]))
    return json.toString('latin1').slice(1, -1)
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return undefined
    throw error
  }
}
