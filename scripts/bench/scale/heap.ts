// The heap of a process after a collection, through its inspector.
import { once } from 'node:events'
import { z } from 'zod'

const Targets = z.tuple([z.object({ webSocketDebuggerUrl: z.url() })])
const HeapUsage = z.object({ result: z.object({ usedSize: z.number() }) })

/** Longest wait for an answer of the inspector, in milliseconds. A collection of a large heap takes seconds. */
const answerLimitMs = 60_000

/**
 * Connects to the inspector at a port, until the signal: a process with a debugger does not end.
 *
 * @returns a function that collects garbage and returns what is in use in the heap of the main thread, in MB
 */
export async function openHeap(port: number, until: AbortSignal): Promise<() => Promise<number>> {
  const listed = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(answerLimitMs) })
  const [{ webSocketDebuggerUrl }] = Targets.parse(await listed.json())
  const socket = new WebSocket(webSocketDebuggerUrl)
  until.addEventListener('abort', () => socket.close())
  const signal = () => AbortSignal.timeout(answerLimitMs)
  await once(socket, 'open', { signal: signal() })
  const ask = async (method: string): Promise<unknown> => {
    socket.send(JSON.stringify({ id: 1, method }))
    const [event] = await once(socket, 'message', { signal: signal() })
    return JSON.parse(z.object({ data: z.string() }).parse(event).data)
  }
  return async () => {
    await ask('HeapProfiler.collectGarbage')
    return HeapUsage.parse(await ask('Runtime.getHeapUsage')).result.usedSize / 1e6
  }
}
