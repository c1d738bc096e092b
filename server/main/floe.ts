#!/usr/bin/env -S node --conditions=@floe/source
// The process: the only file that touches `process`, except for the log, which is written until the process ends.
import { on } from 'node:events'
import { isatty } from 'node:tty'
import { runCommand } from './commands/run-command.ts'

/** How long the process may outlast its work, in milliseconds. */
const exitGraceMs = 1_000

const stop = new AbortController()
const endings = ['SIGINT', 'SIGTERM'] as const

/** Any further signal ends the process at once, as signals do that nobody listens for. */
function end(): void {
  for (const signal of endings) process.off(signal, end)
  stop.abort()
}
for (const signal of endings) process.on(signal, end)

/** Without this, output that cannot be written would end the process with a stack, a service as well. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever read it, such as `head`, has enough.
  if (error.code === 'EPIPE') return
  process.stderr.write(`floe: the output cannot be written: ${error.message}\n`)
  process.once('exit', () => (process.exitCode = 1))
})

const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor))

/** A terminal that is closed sends the same signal as an operator. Then nobody is left to stop the process. */
function listenForHangUps(): AsyncIterable<unknown> {
  process.on('SIGHUP', () => {
    if (terminals.some((descriptor) => !isatty(descriptor))) end()
  })
  return on(process, 'SIGHUP', { signal: stop.signal })
}

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stop: stop.signal,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  isInteractive: isatty(2),
  listenForHangUps,
  openStreams: () => ({ input: process.stdin, output: process.stdout }),
})
// Everything is recorded by now. Only reads whose callers have left can still keep the process, such as of a store that hangs.
if (stop.signal.aborted) setTimeout(() => process.exit(), exitGraceMs).unref()
