// The service that the crash test kills: `floe serve` with its own clock. The service reports each connection to its parent.
// Usage: node --conditions=@floe/source scripts/crash/world/clocked-floe.ts CONFIG SPEED AHEAD_MS
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import { runServer } from '../../../server/main/run-server.ts'
import type { Timing } from '../../../server/timing.ts'
import { clockEpoch } from '../../postgres-database.ts'

const [file, speedText, aheadText] = process.argv.slice(2)
const speed = Number(speedText)
const aheadMs = Number(aheadText)

const timing: Timing = {
  now: () => clockEpoch + (Date.now() - clockEpoch) * speed + aheadMs,
  elapsed: () => performance.now() * speed,
  random: Math.random,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / speed)
    return () => clearTimeout(timer)
  },
}

subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: unknown } // as Node.js documents this channel
  if (!(socket instanceof Socket)) return
  socket.once('connect', () => process.send?.({ from: socket.localPort, to: socket.remotePort, at: Date.now() }))
})

const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('disconnect', () => stop.abort())
const out = (text: string) => process.stdout.write(text)
await runServer(await loadConfig(file, {}, {}), { stop: stop.signal, out }, timing)
if (process.connected) process.disconnect()
