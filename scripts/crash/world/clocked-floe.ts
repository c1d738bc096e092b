// The service that the crash test kills: `floe serve` with its own clock. It reports each connection to its parent.
// Usage: node --conditions=@floe/source scripts/crash/world/clocked-floe.ts CONFIG AHEAD_MS
import { subscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { loadConfig } from '../../../server/main/configuration/load-config.ts'
import { runServer } from '../../../server/main/run-server.ts'
import { systemTiming, type Timing } from '../../../server/timing.ts'

const [file, aheadText] = process.argv.slice(2)
const aheadMs = Number(aheadText)
const timing: Timing = { ...systemTiming, now: () => Date.now() + aheadMs }

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
