// The document of a contract on its way from the thread that has checked it.
import { hash } from 'node:crypto'

export type ContractDocument = {
  /** Its JSON. Threads share the memory, because copying a megabyte takes time. */
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /** Stands for the bytes where documents are compared. */
  readonly digest: string
}

export function shareDocument(text: string): ContractDocument {
  const encoded = Buffer.from(text)
  const bytes = new Uint8Array(new SharedArrayBuffer(encoded.length))
  bytes.set(encoded)
  return { bytes, digest: hash('sha256', encoded, 'base64url') }
}

/** Returns the JSON. */
export function readDocument({ bytes }: ContractDocument): string {
  return Buffer.from(bytes.buffer).toString()
}
