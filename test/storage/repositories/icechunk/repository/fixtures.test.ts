// Reads every repository in test/fixtures, which the official library wrote, and compares with what that library reads.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { t } from 'tap'
import { openRepository, parseSnapshotId, type SnapshotId } from '../../../../../storage/repositories/icechunk/index.ts'
import { openLocalStore } from '../../../../../storage/repositories/objects/index.ts'
import {
  DocumentAllowance,
  isJsonArray,
  isJsonObject,
  parseJson,
} from '../../../../../storage/repositories/json/index.ts'
import type { JsonObject, JsonValue } from '../../../../../storage/repositories/json/index.ts'

const fixtures = fileURLToPath(new URL('../../../../fixtures', import.meta.url))
const { signal } = new AbortController()

const names = readdirSync(`${fixtures}/repositories`)
t.ok(names.length > 0, 'there are repositories')

for (const name of names) {
  // Parsed by Floe's own JSON, because integers beyond 2^53 occur.
  const expected = expectMap(parseJson(readFileSync(`${fixtures}/expected/${name}.json`), new DocumentAllowance()))
  const repository = openRepository(openLocalStore(`${fixtures}/repositories/${name}`))

  t.test(`${name}: version and references are those of the official library`, async (t) => {
    const state = await repository.readState(signal)
    t.equal(String(state.formatVersion), toPlain(expected.get('specVersion')))
    const { branches, tags } = await repository.readRefs(signal)
    t.strictSame(Object.fromEntries(branches), toPlain(expected.get('branches')))
    t.strictSame(Object.fromEntries(tags), toPlain(expected.get('tags')))
    for (const [ref, id] of [...tags, ...branches]) {
      t.equal((await repository.resolve(ref, signal)).snapshotId, branches.get(ref) ?? id)
    }
    t.equal(state.main, branches.get('main') ?? null)
  })

  t.test(`${name}: histories are those of the official library`, async (t) => {
    for (const [head, ids] of expectMap(expected.get('history'))) {
      const { commits, next, missing } = await repository.readHistory(parseId(head), { limit: 1_000, signal })
      t.strictSame(
        commits.map(({ id }) => id),
        toPlain(ids),
      )
      t.strictSame({ next, missing }, { next: null, missing: null })
    }
  })

  t.test(`${name}: commits and nodes are those of the official library`, async (t) => {
    for (const [id, value] of expectMap(expected.get('snapshots'))) {
      const wanted = expectMap(value)
      const commit = await repository.readCommit(parseId(id), signal)
      t.equal(commit.parentId, wanted.get('parent'))
      const snapshot = await repository.readSnapshot(parseId(id), signal)
      for (const { message, writtenAt, metadata } of [commit, snapshot]) {
        t.equal(message, wanted.get('message'))
        // The library prints microseconds.
        t.equal(writtenAt.toISOString(), expectText(wanted.get('writtenAt')).slice(0, 23) + 'Z')
        t.strictSame(toPlain(metadata), toPlain(wanted.get('metadata')))
      }
      const kinds = [...snapshot.nodes].map(({ path, kind }) => [`/${path}`, kind])
      t.strictSame(Object.fromEntries(kinds), toPlain(wanted.get('nodes')))
    }
  })
}

function parseId(text: string): SnapshotId {
  const id = parseSnapshotId(text)
  if (id === undefined) throw new Error(`${text} is no id`)
  return id
}

function expectMap(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error('the file of expected answers has another shape')
  return value
}

function expectText(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error('the file of expected answers has another shape')
  return value
}

/**
 * Converts a value for comparison: numbers to their text, and objects to unordered ones, because the library prints
 * them in any order.
 */
function toPlain(value: JsonValue | undefined): unknown {
  if (isJsonArray(value)) return value.map(toPlain)
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([name, member]) => [name, toPlain(member)]))
  return typeof value === 'object' && value !== null && 'text' in value ? value.text : value
}
