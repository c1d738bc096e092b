// The form in which manifests are kept and sent. The main thread only passes it on, so its effort does not grow with
// the arrays and chunks of a manifest.
import { deserialize, serialize } from 'node:v8'
import type { ManifestChunks } from '@floe/storage/icechunk'

declare const encodedBrand: unique symbol

/** What was read of a manifest, as bytes. */
export type EncodedManifest = Uint8Array & { readonly [encodedBrand]: true }

/** From this size on, in bytes, threads share the memory. Below it, they copy it faster. */
const minSharedBytes = 16 * 1024

export function encodeManifest(chunks: ManifestChunks): EncodedManifest {
  const bytes = serialize(chunks)
  const { length } = bytes
  const encoded = new Uint8Array(length < minSharedBytes ? new ArrayBuffer(length) : new SharedArrayBuffer(length))
  encoded.set(bytes)
  return encoded as EncodedManifest // only this function makes one
}

/** Decodes a manifest. Its bits lie in the memory of the encoded one. */
export function decodeEncoded(encoded: EncodedManifest): ManifestChunks {
  return deserialize(encoded) as ManifestChunks // `encodeManifest` has encoded one
}
