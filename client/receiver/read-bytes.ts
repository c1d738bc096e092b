/**
 * Reads the body of a request up to a limit.
 *
 * @returns undefined when the body is longer; reading stops at the first chunk beyond the limit
 * @throws the error of the stream, for example when the sender closes the connection
 */
export async function readBytes(request: Request, maxBytes: number): Promise<ArrayBuffer | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined
  if (request.body === null) return new ArrayBuffer()
  // Use a reader, because some browsers cannot iterate streams.
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
