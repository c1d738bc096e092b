// Receivers that answer 200 to everything, in this process or in another. As a program, this prints their origins and
// runs until it is killed; its arguments are the number of ports and the delay of each answer in milliseconds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { startLoopbackReceiver } from './loopback-deliveries.ts'

/** Longest wait for the other process, in milliseconds. */
const startLimitMs = 30_000

/** Running receivers; `stop` ends their separate process. */
type Receivers = { readonly origins: readonly string[]; readonly stop: () => void }

type ReceiverOptions = { readonly isApart: boolean; readonly ports?: number; readonly delayMs?: number }

/** Starts receivers at several ports of this machine. */
export async function startReceivers({ isApart, ports = 16, delayMs = 0 }: ReceiverOptions): Promise<Receivers> {
  if (!isApart) {
    return { origins: await Promise.all(Array.from({ length: ports }, () => startOne(delayMs))), stop: () => {} }
  }
  const args = [...process.execArgv, fileURLToPath(import.meta.url), String(ports), String(delayMs)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data', { signal: AbortSignal.timeout(startLimitMs) })
  return { origins: String(line).trim().split(' '), stop: () => child.kill() }
}

function startOne(delayMs: number): Promise<string> {
  return startLoopbackReceiver((request, response) => {
    const answer = () => response.end('ok')
    request.resume().on('end', () => (delayMs === 0 ? answer() : setTimeout(answer, delayMs)))
  })
}

if (import.meta.main) {
  const [ports = 16, delayMs = 0] = process.argv.slice(2).map(Number)
  const { origins } = await startReceivers({ isApart: false, ports, delayMs })
  console.log(origins.join(' '))
  setInterval(() => {}, 1_000)
}
