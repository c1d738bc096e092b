// JSON bodies as bytes, typed by what they encode: a schema's type in, bytes of that type out.
import type { JsonNumber, JsonValue } from './json-value.ts'

declare const encodes: unique symbol

/**
 * The bytes of a JSON body of this type, in memory of their own. Only `JsonWriter` makes them. The mark exists for the compiler alone. It
 * is written so that the bytes of one type never pass for those of another to which it could be assigned, such as one whose optional
 * member has another name.
 */
export type Written<Body> = Buffer<ArrayBuffer> & {
  // eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler takes two such functions for one only if the bodies are identical
  readonly [encodes]: { readonly body: Body; readonly isExact: <Any>() => Any extends Body ? 1 : 2 }
}

/** Marks bytes as a body. Only for `JsonWriter`, whose arguments make sure that it is true. */
export function markWritten<Body>(bytes: Buffer<ArrayBuffer>): Written<Body> {
  return bytes as Written<Body> // The mark is not there at run time.
}

/**
 * Makes a `Buffer` again of bytes that came from another thread, where they were one: a message carries them as a plain `Uint8Array`. They
 * keep their type.
 */
export function receiveBuffer<Bytes extends Buffer<ArrayBuffer>>(bytes: Bytes): Bytes {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Bytes // The same bytes under the class that they had.
}

/** JSON that was built by a program, in plain objects. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [member: string]: PlainJson | undefined }

/**
 * Members of an object, in an order of their own. Names may repeat, as they may in what Python's `json` prints. Each value is taken when it
 * is written.
 */
export class Members<Value> {
  readonly entries: Iterable<readonly [name: string, value: Value]>

  constructor(entries: Iterable<readonly [name: string, value: Value]>) {
    this.entries = entries
  }
}

type Scalar = null | boolean | number | string

/**
 * The values from which a body of this type can be written. In place of a `number` there may be an exact one, in place of any JSON that of a
 * stored document, and in place of a list an iterator, whose items are taken when they are written. An object whose names the type does
 * not know is written from {@link Members} or a map, because JavaScript's objects would change their order.
 */
export type Encodable<Body> = [Scalar] extends [Body] ? JsonValue | PlainJson : EncodablePart<Body>

type EncodablePart<Body> = Body extends number
  ? number extends Body
    ? number | bigint | JsonNumber
    : Body
  : Body extends Scalar | undefined
    ? Body
    : Body extends readonly (infer Item)[]
      ? number extends Body['length']
        ? readonly Encodable<Item>[] | IteratorObject<Encodable<Item>>
        : { readonly [Index in keyof Body]: Encodable<Body[Index]> }
      : string extends keyof Body
        ? EncodableMembers<Encodable<Body[string & keyof Body]>>
        : { readonly [Name in keyof Body]: Encodable<Body[Name]> }

type EncodableMembers<Value> = Members<Value> | ReadonlyMap<string, Value> | { readonly [name: string]: Value }
