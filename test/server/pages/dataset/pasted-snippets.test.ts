// Runs the Python of a page unchanged, against a repository whose operator publishes how to open it.
import { execFile } from 'node:child_process'
import { open } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { t, type Test } from 'tap'
import { openLocalStore } from '@floe/storage/objects'
import { findPython } from '../../../find-python.ts'
import { fixtures, startServer } from '../../start-server.ts'
import { visibleText } from '../markup.ts'

const python = findPython('icechunk')

/** Serves the files of a directory, whole or in ranges. */
async function serveFiles(t: Test, directory: string): Promise<string> {
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
  // A server on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('the Python snippet works as pasted', { skip: python.skip }, async (t) => {
  const url = await serveFiles(t, `${fixtures}weather`)
  const published = { storage: 'http', url } as const
  const store = openLocalStore(`${fixtures}weather`)
  const server = await startServer(t, { sources: [{ kind: 'repository', name: 'weather', store, published }] })
  const page = await (await fetch(`${server.publicMeta}/datasets/weather/v1.0/forecast`)).text()
  const [, snippet = ''] = /aria-label="Python"><code>(.*?)<\/code>/s.exec(page) ?? []
  t.match(visibleText(snippet), `icechunk.http_storage("${url}")`)
  const program = `${visibleText(snippet)}\nprint(sorted(ds.data_vars), ds.sizes["time"])`
  const { stdout } = await promisify(execFile)(python.command, ['-c', program], { timeout: 120_000 })
  t.match(stdout, /^\['crs', .*'temperature', 'weather_code'\] 8$/m)
})
