// Runs in the process of each test file, and in its threads, before everything else: .taprc names it.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

// Each file is a process of its own that loads the same modules. Node keys its cache by their content. The variable is
// for the processes that tests start.
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
enableCompileCache(compiled)
process.env['NODE_COMPILE_CACHE'] = compiled

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
