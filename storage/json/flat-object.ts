import { JsonNumber, type JsonObject, type JsonValue } from './json-value.ts'
import { escapeBeyondAscii, spellNumber } from './python-spelling.ts'

/** What `JSON.parse` makes of a value. A number that JavaScript would spell in another way is a text that starts with {@link numberMark}. */
type FlatScalar = null | boolean | string | number

/** Members by name. No name looks like an integer, because JavaScript would move it to the front. */
export type FlatMembers = Readonly<Record<string, FlatScalar | readonly FlatScalar[]>>

/** The first character of a number that is kept as text. Texts do not start with it: `parseFlatObject` refuses the documents. */
const numberMark = '\u0001'

/** A kept number in the output of `JSON.stringify`. */
const writtenNumber = /"\\u0001([^"]*)"/g
/** One that Python may spell in another way. It repeats a float with few digits: `-0.5`, `100000.0`. */
const respelledNumber = /"\\u0001(?!-?(?:0|[1-9]\d{0,9})\.(?:0|\d{0,3}[1-9])")/

/** An object of scalars and lists of scalars, as `JSON.parse` reads it. Its members become exact values when they are asked for. */
export class FlatObject implements JsonObject {
  readonly #members: FlatMembers

  constructor(members: FlatMembers) {
    this.#members = members
  }

  get size(): number {
    return Object.keys(this.#members).length
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name)
  }

  get(name: string): JsonValue | undefined {
    if (!Object.hasOwn(this.#members, name)) return undefined
    const value = this.#members[name]
    return value === undefined ? undefined : readValue(value)
  }

  keys(): MapIterator<string> {
    return Object.keys(this.#members).values()
  }

  *[Symbol.iterator](): MapIterator<[string, JsonValue]> {
    for (const [name, value] of Object.entries(this.#members)) yield [name, readValue(value)]
  }

  /** Whether a member is surely the same in another object, without making its value. False does not say that it differs. */
  isSame(name: string, other: FlatObject): boolean {
    const [one, another] = [this.#members[name], other.#members[name]]
    if (!Array.isArray(one) || !Array.isArray(another)) return one === another
    return one.length === another.length && one.every((item, index) => item === another[index])
  }

  /** The object without some of its members. */
  omit(names: readonly string[]): FlatObject {
    return new FlatObject(Object.fromEntries(Object.entries(this.#members).filter(([name]) => !names.includes(name))))
  }

  /** The object as Python prints it, in ASCII. */
  print(): string {
    const text = JSON.stringify(this.#members)
    const spelled = respelledNumber.test(text)
      ? text.replace(writtenNumber, (_, number: string) => spellNumber(new JsonNumber(number)))
      : text.replace(writtenNumber, '$1')
    return escapeBeyondAscii(spelled)
  }
}

function readValue(value: FlatScalar | readonly FlatScalar[]): JsonValue {
  if (typeof value === 'string') return value.startsWith(numberMark) ? new JsonNumber(value.slice(1)) : value
  if (typeof value === 'number') return new JsonNumber(String(value))
  return Array.isArray(value) ? value.map(readValue) : (value as null | boolean) // TypeScript does not exclude readonly arrays
}
