/**
 * Reads the body of a request, as long as it is not longer than allowed.
 *
 * @returns undefined when it is longer; no more than one chunk of what is too much has then been read
 * @throws whatever the stream fails with, such as a sender that went away
 */
export async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  if (request.body === null) return new ArrayBuffer()
  // A reader, since streams cannot be iterated in every browser.
  const reader = request.body.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    size += chunk.value.length
    if (size > maxBytes) {
      await reader.cancel()
      return undefined
    }
    chunks.push(chunk.value)
  }
  return new Blob(chunks).arrayBuffer()
}
