// JSON bodies as bytes, typed by what they encode.
import type { JsonNumber, JsonValue } from './json-value.ts'

declare const encodes: unique symbol

/**
 * The bytes of a JSON body of this type, in their own memory. Only `JsonWriter` creates them. The member `[encodes]`
 * exists only for the compiler. It makes the type exact: bytes of one body are never assignable to bytes of another,
 * even if the bodies are assignable, such as types that differ only in the names of optional members.
 */
export type JsonBytes<Body> = Buffer<ArrayBuffer> & {
  // The compiler considers two such functions equal only if the bodies are identical.
  // eslint-disable-next-line typescript/no-unnecessary-type-parameters
  readonly [encodes]: { readonly body: Body; readonly isExact: <Any>() => Any extends Body ? 1 : 2 }
}

/** Gives bytes the type of their body. Only for `JsonWriter`, whose parameter types guarantee that it fits. */
export function asJsonBytes<Body>(bytes: Buffer<ArrayBuffer>): JsonBytes<Body> {
  return bytes as JsonBytes<Body> // The member `[encodes]` does not exist at run time.
}

/** Reads the body. Its numbers become those of JavaScript, so ones with more digits are rounded. */
export function readJsonBytes<Body>(bytes: JsonBytes<Body>): Body {
  // `JsonWriter` has written it from a value of this type.
  return JSON.parse(bytes.toString()) as Body
}

/** Restores the class of a `Buffer` from another thread, which arrives as a plain `Uint8Array`. */
export function receiveBuffer<Bytes extends Buffer<ArrayBuffer>>(bytes: Bytes): Bytes {
  // The same bytes, in their original class.
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Bytes
}

/** JSON as plain objects that a program builds. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [member: string]: PlainJson | undefined }

/** Members of an object, in order. Names may repeat, as in Python. Each value is read when it is written. */
export class Members<Value> {
  readonly entries: Iterable<readonly [name: string, value: Value]>

  constructor(entries: Iterable<readonly [name: string, value: Value]>) {
    this.entries = entries
  }
}

/** A value of this type that is encoded already. Long lists of small objects are written faster in this form. */
export class EncodedJson<Body> {
  /** A character for each byte. */
  readonly text: string
  declare readonly [encodes]: Body

  /** Only {@link encodeJson}, {@link takeJsonText} and {@link keepStoredJson} have such a text. */
  constructor(text: string) {
    this.text = text
  }
}

type Scalar = null | boolean | number | string

/** Any JSON. Parts may be encoded already, or read when they are written. */
export type AnyEncodable = JsonValue | PlainJson | EncodedJson<unknown> | Members<AnyEncodable>

/**
 * The values from which a body of this type can be written. For a `number`, also exact numbers; for any JSON,
 * {@link AnyEncodable}; for a list, also an iterator, whose items are read when they are written, and may be encoded
 * already; for an object with arbitrary names, also {@link Members} or a map, because JavaScript's objects reorder
 * names that look like integers.
 */
export type Encodable<Body> = [Scalar] extends [Body] ? AnyEncodable : EncodablePart<Body>

type EncodablePart<Body> = Body extends number
  ? number extends Body
    ? number | bigint | JsonNumber
    : Body
  : Body extends Scalar | undefined
    ? Body
    : Body extends readonly (infer Item)[]
      ? number extends Body['length']
        ? readonly Encodable<Item>[] | IteratorObject<Encodable<Item> | EncodedJson<Item>>
        : { readonly [Index in keyof Body]: Encodable<Body[Index]> }
      : string extends keyof Body
        ? EncodableMembers<Encodable<Body[string & keyof Body]>> | EncodedJson<Body>
        : { readonly [Name in keyof Body]: Encodable<Body[Name]> }

type EncodableMembers<Value> = Members<Value> | ReadonlyMap<string, Value> | { readonly [name: string]: Value }
