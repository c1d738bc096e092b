import { type Commit, type History, measureCommit, readAuthorId } from '@floe/storage/icechunk'
import { Slices } from '@floe/storage/waiting'
import { isJsonArray, isJsonObject, type JsonValue, JsonWriter } from '@floe/storage/json'

/** Commits up to this size are written without a look at the clock, in bytes of memory. */
const maxQuick = 32 * 1024

/** Characters of a text between two looks at the clock. */
const partLength = 16 * 1024

/** Writes a page of a history as the contract has it. Lets others work in between. Throws the reason of the signal. */
export async function writeHistoryPage(history: History, signal: AbortSignal): Promise<Uint8Array> {
  const { commits, next, untilFound, missing } = history
  const slices = new Slices(signal)
  // Reading the commits may have filled a slice.
  await slices.next()
  const json = new JsonWriter().raw('{"commits":[')
  for (const [index, commit] of commits.entries()) {
    if (index > 0) json.raw(',')
    const members = listMembers(commit)
    if (measureCommit(commit) <= maxQuick) json.value(members)
    else await writeInSlices(json, members, slices)
    if (slices.isOver) await slices.next()
  }
  json.raw('],"next":').value(next)
  json.raw(',"until_found":').value(untilFound)
  return json.raw(',"missing_snapshot_id":').value(missing).raw('}').finish()
}

function listMembers({ id, parentId, message, writtenAt, metadata }: Commit): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ['snapshot_id', id],
    ['parent_snapshot_id', parentId],
    ['commit_message', message],
    ['written_at', writtenAt.toISOString()],
    ['author_id', readAuthorId(metadata)],
    ['metadata', metadata],
  ])
}

/** Writes a value as {@link JsonWriter.value} does, and lets others work in between. */
async function writeInSlices(json: JsonWriter, value: JsonValue, slices: Slices): Promise<void> {
  for (const _ of writeParts(json, value)) if (slices.isOver) await slices.next()
}

/** Writes a value, and stops after each part that is short to write. */
function* writeParts(json: JsonWriter, value: JsonValue): Generator<void, void, undefined> {
  if (typeof value === 'string') {
    yield* writeText(json, value)
  } else if (isJsonArray(value)) {
    let separator = '['
    for (const item of value) {
      yield* writeParts(json.raw(separator), item)
      separator = ','
    }
    json.raw(separator === '[' ? '[]' : ']')
  } else if (isJsonObject(value)) {
    let separator = '{'
    for (const [name, member] of value) {
      yield* writeText(json.raw(separator), name)
      yield* writeParts(json.raw(':'), member)
      separator = ','
    }
    json.raw(separator === '{' ? '{}' : '}')
  } else {
    json.value(value)
    yield
  }
}

function* writeText(json: JsonWriter, text: string): Generator<void, void, undefined> {
  if (text.length <= partLength) {
    json.string(text)
    yield
    return
  }
  json.raw('"')
  for (let start = 0; start < text.length; start += partLength) {
    json.stringPart(text.slice(start, start + partLength))
    yield
  }
  json.raw('"')
}
