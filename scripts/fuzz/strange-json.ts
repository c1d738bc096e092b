// Writes JSON that a stranger may send, and changes it: deep, wide, with long numbers and texts, repeated names and
// wrong types.
import { pick, type Random } from './mutations.ts'

/** JSON before it is written: objects are lists of members, so that names may repeat, and `raw` is any text. */
export type Json =
  | { readonly kind: 'raw'; text: string }
  | { readonly kind: 'array'; items: Json[] }
  | { readonly kind: 'object'; members: [string, Json][] }

export const raw = (text: string): Json => ({ kind: 'raw', text })
export const text = (value: string): Json => raw(JSON.stringify(value))
export const list = (...items: Json[]): Json => ({ kind: 'array', items })
export const object = (...members: [string, Json][]): Json => ({ kind: 'object', members })

export function write(json: Json): string {
  if (json.kind === 'raw') return json.text
  if (json.kind === 'array') return `[${json.items.map(write).join(',')}]`
  return `{${json.members.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(',')}}`
}

/** Makes a name that breaks careless programs. */
export function makeName(random: Random): string {
  return pick(random, [
    '__proto__',
    'constructor',
    'toString',
    '',
    '10',
    'units',
    'a\u0000',
    '\ud800',
    'ﬁ😀',
    'n'.repeat(300),
  ])
}

/** Makes the length of a text. Most are short, because a run makes millions; one in a few thousand is long. */
export function makeLength(random: Random): number {
  return pick(random, [1, 2, 10, 100, random(2000) === 0 ? 300_000 : 1000])
}

const strangeTexts: readonly ((random: Random, length: number) => string)[] = [
  (_, length) => '9'.repeat(length),
  (_, length) => `${'1'.repeat(length)}x`,
  (_, length) => '1_'.repeat(length),
  (_, length) => ' '.repeat(length),
  (_, length) => `${'-'.repeat(length)}since `,
  (_, length) => `days since ${'1'.repeat(length)}-01-01`,
  (_, length) => `days since 2000-01-01${' '.repeat(length)}x`,
  (_, length) => `days${' since '.repeat(length)}2000`,
  (_, length) => 'a '.repeat(length),
  (_, length) => 'A'.repeat(length),
  (_, length) => '='.repeat(length),
  (_, length) => 'ü'.repeat(length),
  (_, length) => '\ud800'.repeat(length),
  (_, length) => '\u0085'.repeat(length),
  (_, length) => `'"\\\n`.repeat(length),
  (_, length) => '<&>'.repeat(length),
  (_, length) => `timedelta64[${'1'.repeat(length)}ns]`,
  (random, length) => Array.from({ length }, () => String.fromCharCode(random(0x10000))).join(''),
]

const strangeNumbers: readonly ((length: number) => string)[] = [
  (length) => '9'.repeat(length),
  (length) => `-${'9'.repeat(length)}`,
  (length) => `0.${'0'.repeat(length)}1`,
  (length) => `1e${'9'.repeat(length)}`,
  (length) => `${'9'.repeat(length)}.5E-7`,
]

/** Makes a value with at most `depth` levels of lists and objects. */
export function makeValue(random: Random, depth: number): Json {
  const choice = random(depth > 0 ? 14 : 9)
  if (choice < 3)
    return raw(pick(random, ['null', 'true', 'false', '0', '-0', '-0.0', '1.0', '1e400', '[]', '{}', '""']))
  if (choice < 6) return text(pick(random, strangeTexts)(random, makeLength(random)))
  if (choice < 9) return raw(pick(random, strangeNumbers)(makeLength(random)))
  if (choice === 9) return raw(makeNesting(random))
  if (choice === 10)
    return raw(
      `[${Array(makeLength(random))
        .fill(pick(random, ['{}', '[]', '0', '""', '{"a":1}']))
        .join(',')}]`,
    )
  const items = Array.from({ length: random(5) }, () => makeValue(random, depth - 1))
  if (choice < 13) return list(...items)
  return object(...items.map((item): [string, Json] => [makeName(random), item]))
}

function makeNesting(random: Random): string {
  const [open, close] = pick(random, [
    ['[', ']'],
    ['{"a":', '}'],
    ['[[],', ']'],
  ])
  const depth = pick(random, [3, 3, 3, 60, 70, 900, 995, 1100])
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** Changes one value, or one list or object, anywhere in a document. */
export function changeSomewhere(random: Random, json: Json): void {
  const parts = findParts(json)
  const part = pick(random, parts)
  const change = random(10)
  if (part.kind === 'raw') part.text = write(makeValue(random, 2))
  else if (part.kind === 'array') changeList(random, part.items, change)
  else changeMembers(random, part.members, change)
}

function changeList(random: Random, items: Json[], change: number): void {
  if (change < 3) items.push(makeValue(random, 2))
  else if (change < 5) items.splice(random(items.length + 1), 1)
  else if (change === 5 && items.length > 0) {
    const copy = pick(random, items)
    const copies = makeLength(random)
    for (let count = 0; count < copies; count++) items.push(copy)
  } else items.splice(random(items.length + 1), 1, makeValue(random, 3))
}

function changeMembers(random: Random, members: [string, Json][], change: number): void {
  if (members.length === 0 || change < 2) {
    members.push([makeName(random), makeValue(random, 3)])
    return
  }
  const index = random(members.length)
  const [name, value] = pick(random, [members[index] ?? pick(random, members)])
  if (change < 4) members.splice(index, 1)
  else if (change === 4) members.push([name, makeValue(random, 2)])
  else if (change === 5) members[index] = [makeName(random), value]
  else if (change === 6) members[index] = [name, list(value)]
  else members[index] = [name, makeValue(random, 3)]
}

/** Lists the lists, objects and values of a document, including the document. */
function findParts(json: Json): Json[] {
  if (json.kind === 'raw') return [json]
  const inner = json.kind === 'array' ? json.items : json.members.map(([, value]) => value)
  const parts: Json[] = [json]
  for (const part of inner) for (const found of findParts(part)) parts.push(found)
  return parts
}

/** Truncates a text at a random position, or inserts a character that breaks it. */
export function cutText(random: Random, whole: string): string {
  const position = random(whole.length)
  return random(2) === 0
    ? whole.slice(0, position)
    : whole.slice(0, position) + '\u0000,:"]'[random(6)] + whole.slice(position)
}
