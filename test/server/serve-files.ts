// A web server that offers a repository, as readers of published storage find it.
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Serves the files of a directory, whole or in ranges, and returns the address. */
export async function serveFiles(t: Test, directory: string): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await using file = await open(`${directory}${request.url}`)
      const { size } = await file.stat()
      const [, from = 0, to = size - 1] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      const bytes = (await file.readFile()).subarray(Number(from), Number(to) + 1)
      response.writeHead(request.headers.range ? 206 : 200, {
        'content-length': bytes.length,
        'content-range': `bytes ${from}-${to}/${size}`,
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      })
      response.end(request.method === 'HEAD' ? undefined : bytes)
    } catch {
      response.writeHead(404).end()
    }
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  // A server that listens on a port has an address with it.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
