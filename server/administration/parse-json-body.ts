// Parses the body of a request as JSON, strictly. JSON.parse takes the last of two members with the same name; a proxy or firewall in
// front of the service may take the first, and so approve another body than the one that is applied.
import { jsonPointer } from '../problems/json-pointer.ts'
import type { RequestProblem } from '../problems/request-problem.ts'
import { invalidRequest } from '../problems/validation-problem.ts'

/** No body of the contract is nested deeper than this. */
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
    // The message of JSON.parse repeats a part of the text, which may hold a secret.
    throw refusal([], 'must be JSON', cause)
  }
}

/** An open object with the names of its members so far, or an open array. `at` is the current member or item. */
type Level = { readonly names: Set<string> | null; at: string | number }

/** The punctuation and the strings of a JSON text. A string before a colon is the name of a member. */
const tokens = /[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g

/** Refuses what `JSON.parse` accepts: a repeated name in an object, and deep nesting. `text` must be valid JSON. */
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
  if (level.names?.has(name)) throw refusal(path, 'appears twice in its object')
  level.names?.add(name)
}

function refusal(path: readonly PropertyKey[], message: string, cause?: unknown): RequestProblem {
  return invalidRequest([{ pointer: jsonPointer(['body', ...path]), message }], cause)
}
