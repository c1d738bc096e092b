// JSON bodies as bytes, typed by what they encode.
import type { JsonNumber, JsonValue } from './json-value.ts'

declare const encodes: unique symbol

/**
 * The bytes of a JSON body of this type, in their own memory. Only `JsonWriter` creates them. The mark exists only for the compiler. It makes
 * the type exact: bytes of one type are never assignable to those of another, even if the types are, such as types whose optional members
 * have different names.
 */
export type Written<Body> = Buffer<ArrayBuffer> & {
  // eslint-disable-next-line typescript/no-unnecessary-type-parameters -- the compiler takes two such functions for one only if the bodies are identical
  readonly [encodes]: { readonly body: Body; readonly isExact: <Any>() => Any extends Body ? 1 : 2 }
}

/** Marks bytes as a body. Only for `JsonWriter`, whose parameter types guarantee it. */
export function markWritten<Body>(bytes: Buffer<ArrayBuffer>): Written<Body> {
  return bytes as Written<Body> // The mark is not there at run time.
}

/** Restores the class of a `Buffer` from another thread, which arrives as a plain `Uint8Array`. */
export function receiveBuffer<Bytes extends Buffer<ArrayBuffer>>(bytes: Bytes): Bytes {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Bytes // The same bytes under the class that they had.
}

/** JSON as plain objects, built by a program. */
export type PlainJson =
  null | boolean | number | string | readonly PlainJson[] | { readonly [member: string]: PlainJson | undefined }

/** Members of an object, in order. Names may repeat, as in the output of Python's `json`. Each value is read when it is written. */
export class Members<Value> {
  readonly entries: Iterable<readonly [name: string, value: Value]>

  constructor(entries: Iterable<readonly [name: string, value: Value]>) {
    this.entries = entries
  }
}

type Scalar = null | boolean | number | string

/**
 * The values from which a body of this type can be written. A `number` can be exact, any JSON can come from a stored document, and a list can
 * be an iterator, whose items are read when they are written. An object with arbitrary names can be {@link Members} or a map, because
 * JavaScript's objects reorder names that look like integers.
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
