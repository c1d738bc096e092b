import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** Starts a server on loopback with this listener until the test ends, and returns its origin. */
export async function startPlainServer(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on TCP has an address and a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
