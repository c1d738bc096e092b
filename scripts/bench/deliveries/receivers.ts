// Receivers that answer 200 to everything, in this process or in another. As a program, this prints their origins and runs until it is
// killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startLoopbackReceiver } from './loopback-deliveries.ts'

const ports = 16

/** Longest wait for the other process, in milliseconds. */
const startLimitMs = 30_000

/** Running receivers; `stop` ends their separate process. */
type Receivers = { readonly origins: readonly string[]; readonly stop: () => void }

/** Starts receivers at several ports of this machine. */
export async function startReceivers({ isApart }: { readonly isApart: boolean }): Promise<Receivers> {
  if (!isApart) return { origins: await Promise.all(Array.from({ length: ports }, startOne)), stop: () => {} }
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(startLimitMs) })
  return { origins: String(line).trim().split(' '), stop: () => child.kill() }
}

function startOne(): Promise<string> {
  return startLoopbackReceiver((request, response) => {
    request.resume().on('end', () => response.end('ok'))
  })
}

if (import.meta.main) {
  const { origins } = await startReceivers({ isApart: false })
  console.log(origins.join(' '))
  setInterval(() => {}, 1_000)
}
