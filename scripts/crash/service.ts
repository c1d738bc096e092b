// The service that notifications.ts kills: `floe serve` with a faster clock, so that leases and retries take seconds. The limit of an
// exchange stays at five seconds, which is still shorter than a lease.
// Usage: node --conditions=@floe/source scripts/crash/service.ts CONFIG
import { loadConfig } from '../../server/config/load-config.ts'
import { runServer } from '../../server/run-server.ts'
import type { Timing } from '../../server/timing.ts'

const speed = 4
/** The same in every process, so that time never goes backwards after a restart. */
const epoch = Date.UTC(2020)

const fastTiming: Timing = {
  now: () => epoch + (Date.now() - epoch) * speed,
  elapsed: () => performance.now() * speed,
  random: Math.random,
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms / speed)
    return () => clearTimeout(timer)
  },
}

const [file] = process.argv.slice(2)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const out = (text: string) => process.stdout.write(text)
await runServer(await loadConfig(file, {}, {}), { stop: stop.signal, out }, fastTiming)
