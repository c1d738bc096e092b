// Runs in the process of each test file, and in its threads, before its modules: .taprc names it.
import { isMainThread } from 'node:worker_threads'

// The timer of AbortSignal.timeout does not keep a process alive. A service has its open sockets besides; a test that
// waits for such a time limit may have nothing else, and would end with its process.
if (isMainThread) {
  const { t } = await import('tap')
  let running = 0
  let keepAlive: NodeJS.Timeout | undefined
  t.on('subtestStart', () => {
    running += 1
    keepAlive ??= setInterval(() => undefined, 60_000)
  })
  t.on('subtestEnd', () => {
    running -= 1
    if (running > 0) return
    clearInterval(keepAlive)
    keepAlive = undefined
  })
}
