// Errors outside every request: a process that may open no more files, and faults of the program.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { t } from 'tap'
import { Agent, fetch } from 'undici'
import { askService } from './ask-service.ts'
import { serveConfig, writeConfig } from './commands/floe-process.ts'

const run = promisify(execFile)

t.test('a service that cannot open more files goes on, and answers when it can again', async (t) => {
  const cwd = t.testdir()
  await mkdir(`${cwd}/repositories`)
  await writeConfig(cwd)
  const { child, origin, ended } = await serveConfig(t, cwd)
  const limitFiles = (limit: string) => run('prlimit', [`--pid=${child.pid}`, `--nofile=${limit}`])
  const dispatcher = new Agent({ connections: 1 })
  t.teardown(() => dispatcher.close())
  const ask = async (path: string) => {
    const response = await fetch(`${origin}${path}`, { dispatcher })
    await response.text()
    return response.status
  }
  t.equal(await ask('/healthz'), 200)
  await limitFiles('10:')
  // Two samples of the memory. Not as fast as possible, because a connection ends after 10,000 requests, and no other
  // can be opened now.
  const statuses = new Set<number>()
  for (const end = performance.now() + 3_000; performance.now() < end; await setTimeout(5)) {
    statuses.add(await ask('/healthz'))
  }
  t.same([...statuses], [200])
  await limitFiles('1024:')
  t.equal((await askService(`${origin}/v1/services/tiles/acme/_meta/discovery`)).status, 200)
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, signal: null })
})

t.test('an error that nothing catches ends the process, and its last line says why', async (t) => {
  const cwd = t.testdir()
  await writeConfig(cwd)
  const fault = `setInterval(() => {
    if (process.listenerCount('uncaughtException') > 0) throw new TypeError('a fault of the program')
  }, 1)`
  const message = /^floe: ended by an unexpected error: TypeError: a fault of the program/m
  await t.rejects(serveConfig(t, cwd, [`--import=data:text/javascript,${encodeURIComponent(fault)}`]), { message })
})
