#!/usr/bin/env -S node --conditions=@floe/source
// The process: the only file that touches `process`.
import { runCommand } from './commands/run-command.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stop: stop.signal,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
