// Loaded into a service before its program. At SIGUSR2 it prints the longest time that the event loop was held since
// the last time, in milliseconds of processor time of the main thread, which other programs on the machine do not
// lengthen.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let longest = 0
  let last = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
  }, 1)
  process.on('SIGUSR2', () => {
    process.stderr.write(`${longest}\n`)
    longest = 0
  })
}
