// Parses objects with `JSON.parse`, which is many times faster than our own parser but loses what answers depend on: the spelling of
// numbers, and the order of names that look like integers. Patterns find both. Numbers that would be respelled are made texts with a mark
// before parsing; everything else that could go wrong is left to `parseJson`.
import { type DocumentAllowance, weights } from './document-allowance.ts'
import { FlatObject, type FlatMembers } from './flat-object.ts'
import { maxIntegerDigits } from './json-scanner.ts'

/** Longer texts, in characters, are left to `parseJson`, which counts values before it makes them. */
const maxLength = 64 * 1024

// Every character belongs to one part of the patterns only, so they take linear time.
const space = String.raw`[ \t\n\r]*`
const plain = String.raw`[^"{}[\]]*`
/** Not of digits and of control characters: a name could be an integer, and a text could start with the mark. */
const escapes = String.raw`(?:\\(?!u00[03]).[^"\\]*)`
/**
 * A text, or a name without escapes. After an object with the name `\`, `JSON.parse` of V8 13.6 (Node.js 24) reads the name `"\u00e9"` as
 * `\` too, because it compares what is written, and not what it means, with the name that came at this place before.
 */
const textOrName = String.raw`"(?!\d+"${space}:)[^"\\]*(?:"|${escapes}+"(?!${space}:))`
const list = String.raw`\[${plain}(?:"[^"\\]*${escapes}*"${plain})*\]`
const flatObject = new RegExp(String.raw`\{${plain}(?:(?:${textOrName}|${list})${plain})*\}`, 'y')

const tooManyDigits = new RegExp(String.raw`(?<!\d)\d{${maxIntegerDigits + 1}}`)

const integer = String.raw`-?(?:0|[1-9]\d*)`
/**
 * Numbers in a list or object that JavaScript would spell in another way: floats, integers beyond 2^53, and -0. Inside of a text it
 * may find what only looks like one. The quotes around that end the text and a backslash follows, so `JSON.parse` refuses it.
 */
const respelled = new RegExp(
  String.raw`([[,:]${space})(-0|-?[1-9]\d{15,}|${integer}(?:\.\d+)?[eE][+-]?\d+|${integer}\.\d+)(?=${space}[,\]}])`,
  'g',
)
/** Makes a number a text with a mark, which is written as an escape because JSON has no control characters. */
const markedNumber = String.raw`$1"\u0001$2"`

/** An object that was found in a text, and the position after it. */
export type FoundObject = { readonly object: FlatObject; readonly end: number }

/**
 * Parses the object that starts at a position of a text, if its members are scalars or lists of scalars, and takes its values from the
 * allowance. Undefined for anything else, also for what is not JSON: leave that to `parseJson`.
 *
 * @throws {@link DocumentsTooLargeError} when the allowance is used up
 */
export function parseFlatObject(text: string, start: number, allowance: DocumentAllowance): FoundObject | undefined {
  if (text.length > maxLength) return undefined
  flatObject.lastIndex = start
  if (!flatObject.test(text)) return undefined
  const end = flatObject.lastIndex
  const members = parseNatively(text.slice(start, end))
  if (members === undefined) return undefined
  allowance.takeValue(weigh(members))
  return { object: new FlatObject(members), end }
}

/** Undefined when the text is not JSON, or has an integer of more digits than Python converts. */
function parseNatively(text: string): FlatMembers | undefined {
  if (text.length > maxIntegerDigits && tooManyDigits.test(text)) return undefined
  try {
    return JSON.parse(text.replace(respelled, markedNumber)) as FlatMembers // `flatObject` has found it
  } catch {
    return undefined
  }
}

function weigh(members: FlatMembers): number {
  let weight: number = weights.object
  for (const value of Object.values(members)) {
    weight += weights.member
    weight +=
      typeof value === 'object' && value !== null ? weights.array + value.length * weights.string : weights.string
  }
  return weight
}
