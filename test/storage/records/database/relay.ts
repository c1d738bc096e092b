// A TCP proxy that plays a network with faults.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { findFreePort } from '../../../../scripts/free-port.ts'

/** What stands between a client and a port of this machine. */
export type Relay = {
  readonly port: number
  /** Loses what is sent on open connections, in both directions, and answers nothing on new ones. */
  readonly fallSilent: () => void
  /** Lets new connections through again. What was lost stays lost. */
  readonly heal: () => void
  /** Ends all connections. */
  readonly cut: () => void
  /** Ends all connections and refuses new ones. */
  readonly stop: () => Promise<void>
  /** Accepts connections again, on the same port. */
  readonly start: () => Promise<void>
}

/** Starts a relay to a port of 127.0.0.1. */
export async function startRelay(t: Test, target: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isSilent = false
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => undefined)
    if (isSilent) return
    const upstream = connect(target, '127.0.0.1')
    sockets.add(upstream)
    upstream.on('error', () => undefined)
    client.pipe(upstream)
    upstream.pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  const port = await findFreePort()
  const start = async () => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    cut()
    await closed
  }
  await start()
  t.teardown(stop)
  return {
    port,
    fallSilent: () => {
      isSilent = true
      for (const socket of sockets) socket.unpipe().resume()
    },
    heal: () => void (isSilent = false),
    cut,
    stop,
    start,
  }
}
