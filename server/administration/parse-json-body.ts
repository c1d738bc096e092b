// The body of a request as JSON, read strictly: two readers of one body must not see two different things in it.
import { jsonPointer } from '../problems/json-pointer.ts'
import type { RequestProblem } from '../problems/request-problem.ts'
import { invalidRequest } from '../problems/validation-problem.ts'

/** No body that the contract describes is nested deeper than this. */
const maxNesting = 16

/**
 * @returns undefined for an empty body
 * @throws RequestProblem `invalid-request`
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decodeUtf8(bytes)
  const body = parse(text)
  checkMembers(text)
  return body
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw refusal([], 'must be UTF-8', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The parser's own message repeats a piece of the text, which may hold a secret.
    throw refusal([], 'must be JSON', cause)
  }
}

/** An object with the names of its members so far, or an array; `at` is the member or the item that is being read. */
type Level = { readonly names: Set<string> | null; at: string | number }

/** Marks and strings of a JSON text; those that are followed by a colon name members. */
const tokens = /[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g

/** Refuses what `JSON.parse` lets pass: a name that stands twice in an object, and deep nesting. `text` is known to be JSON. */
function checkMembers(text: string): void {
  const levels: Level[] = []
  for (const [token, string = '""', colon] of text.matchAll(tokens)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ names: new Set(), at: '' })
    else if (token === '[') levels.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && typeof level?.at === 'number') level.at++
    else if (colon !== undefined && level) enterMember(levels, level, String(JSON.parse(string)))
    if (levels.length > maxNesting) throw refusal([], `must not be nested deeper than ${maxNesting}`)
  }
}

function enterMember(levels: readonly Level[], level: Level, name: string): void {
  level.at = name
  const path = levels.map(({ at }) => at)
  if (level.names?.has(name)) throw refusal(path, 'stands twice in its object')
  level.names?.add(name)
}

function refusal(path: readonly PropertyKey[], message: string, cause?: unknown): RequestProblem {
  return invalidRequest([{ pointer: jsonPointer(['body', ...path]), message }], cause)
}
