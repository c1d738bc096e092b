// Loaded into a service before its program. At SIGUSR2 it prints the longest time that the event loop was held since
// the last time, and what all turns took together, in milliseconds of processor time of the main thread, which other
// programs on the machine do not lengthen.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  let [longest, sum] = [0, 0]
  let last = process.threadCpuUsage()
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    const turn = (user + system) / 1_000
    longest = Math.max(longest, turn)
    sum += turn
  }, 1)
  process.on('SIGUSR2', () => {
    process.stderr.write(`${longest} ${sum}\n`)
    longest = 0
    sum = 0
  })
}
