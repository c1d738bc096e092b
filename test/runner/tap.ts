// The test object of a test file: `import { t } from '#tap'` (package.json has the name).
import { tap } from '@tapjs/core'

/** What a test is given. */
export type { Test } from '@tapjs/test'
/** The tests of this file. */
export const t = tap()

// The timer of AbortSignal.timeout does not keep a process alive. A service has its open sockets besides; a test that waits for such a time
// limit may have nothing else, and would end with its process.
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
