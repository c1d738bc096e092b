#!/usr/bin/env -S node --conditions=@floe/source
// The process: the only file that touches `process`.
import { runCommand } from './commands/run-command.ts'

/** How long the process may outlast its work, in milliseconds. */
const lastWordsMs = 1_000

const stop = new AbortController()
// A second signal ends the process at once.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stop: stop.signal,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  openStreams: () => ({ input: process.stdin, output: process.stdout }),
})
// Everything is recorded by now. Only reads that nobody waits for any more can still keep the process, such as of a store that hangs.
if (stop.signal.aborted) setTimeout(() => process.exit(), lastWordsMs).unref()
