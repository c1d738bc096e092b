#!/usr/bin/env -S node --conditions=@floe/source
// The program. Signals, exit codes and standard streams are handled only here, except for the log.
import { on } from 'node:events'
import { isatty } from 'node:tty'
import { inspect } from 'node:util'
import { runCommand } from './commands/run-command.ts'
import { writeTo } from './commands/terminal.ts'

/** How long the process may live after a stop, in milliseconds. */
const exitGraceMs = 1_000

const standardStreams = writeTo(process.stdout, process.stderr)

const stop = new AbortController()
const endings = ['SIGINT', 'SIGTERM'] as const

/** Stops the service. Without these listeners, the next signal ends the process at once. */
function end(): void {
  for (const signal of endings) process.off(signal, end)
  stop.abort()
}
for (const signal of endings) process.on(signal, end)

/** Without this listener, a failure to write output would end the process, even a service, with a stack. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader, such as `head`, has closed the pipe.
  if (error.code === 'EPIPE') return
  standardStreams.err(`floe: the output cannot be written: ${error.message}\n`)
  process.once('exit', () => (process.exitCode = 1))
})

process.on('uncaughtException', (error) => {
  standardStreams.err(`floe: ended by an unexpected error: ${inspect(error)}\n`)
  process.exit(1)
})

const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor))

/**
 * A closed terminal sends the same signal as an operator who reloads the configuration. If it was closed, the service
 * stops, because nobody could stop it with Ctrl+C later.
 */
function listenForHangUps(): AsyncIterable<unknown> {
  process.on('SIGHUP', () => {
    if (terminals.some((descriptor) => !isatty(descriptor))) end()
  })
  return on(process, 'SIGHUP', { signal: stop.signal })
}

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stop: stop.signal,
  ...standardStreams,
  isInteractive: isatty(2),
  listenForHangUps,
  openStreams: () => ({ input: process.stdin, output: process.stdout }),
})
// Everything is recorded by now. Only abandoned reads, such as of a store that hangs, can still keep the process alive.
if (stop.signal.aborted) setTimeout(() => process.exit(), exitGraceMs).unref()
