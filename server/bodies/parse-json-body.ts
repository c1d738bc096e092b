// Parses JSON bodies so that no other parser can read the same bytes differently.
//
// The threat: a gateway in front of Floe checks a body, for example that the `url` of a webhook is on a list of allowed hosts, and then
// forwards it. JSON leaves open which of two members with the same name counts (RFC 8259, section 4). `JSON.parse` takes the last one,
// other parsers take the first, so `{"url":"https://allowed","url":"https://other"}` would pass the gateway and store the other URL.
// Names can also be spelled with escapes (`"\u0075rl"`), and parsers differ in how they replace bytes that are not UTF-8. So repeated
// names and such bytes are refused. Deep nesting is refused too, because the check for repeated names keeps a set for each level.
import { writeJsonPointer } from '../problems/json-pointer.ts'
import type { RequestProblem } from '../problems/request-problem.ts'
import { explainInvalidRequest } from '../problems/validation-problem.ts'

/** Deepest nesting of a body. Bodies of the contract need less. */
const maxNesting = 16

/**
 * Parses a body.
 *
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
    throw explainRefusal([], 'must be UTF-8', cause)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // The parser's own message quotes the text, which may hold a secret.
    throw explainRefusal([], 'must be JSON', cause)
  }
}

/** An open object with the names of its members so far, or an open array. `at` is the current member or index. */
type Level = { readonly names: Set<string> | null; at: string | number }

/** Punctuation and strings of a JSON text. A string before a colon is the name of a member. */
const tokens = /[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?/g

/** Refuses repeated names in an object and deep nesting, which `JSON.parse` accepts. `text` has to be valid JSON. */
function checkMembers(text: string): void {
  const levels: Level[] = []
  for (const [token, string = '""', colon] of text.matchAll(tokens)) {
    const level = levels.at(-1)
    if (token === '{') levels.push({ names: new Set(), at: '' })
    else if (token === '[') levels.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') levels.pop()
    else if (token === ',' && typeof level?.at === 'number') level.at++
    else if (colon !== undefined && level) enterMember(levels, level, String(JSON.parse(string)))
    if (levels.length > maxNesting) throw explainRefusal([], `must not be nested deeper than ${maxNesting}`)
  }
}

function enterMember(levels: readonly Level[], level: Level, name: string): void {
  level.at = name
  const path = levels.map(({ at }) => at)
  if (level.names?.has(name)) throw explainRefusal(path, 'appears twice in its object')
  level.names?.add(name)
}

function explainRefusal(path: readonly PropertyKey[], message: string, cause?: unknown): RequestProblem {
  return explainInvalidRequest([{ pointer: writeJsonPointer(['body', ...path]), message }], cause)
}
