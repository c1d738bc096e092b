import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Starts a reverse proxy that serves `target` below the path `/floe`. */
export async function startProxy(t: Test): Promise<{ readonly origin: string; target: string }> {
  const proxy = { origin: '', target: '' }
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming
    const forwarded = request(proxy.target + url.replace(/^\/floe/, ''), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    // The target may stop before the proxy does.
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  t.teardown(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address and a port.
  proxy.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
