import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { t } from 'tap'
import { limitSignal } from '../../../../../server/main/commands/access/limit-signal.ts'
import { openLocation } from '../../../../../server/main/commands/access/open-location.ts'
import { explainFailure } from '../../../../../server/main/commands/explain-failure.ts'
import { inspect } from '../../../../../server/main/commands/inspect/inspect.ts'
import { captureTerminal } from '../capture-terminal.ts'

const { terminal } = captureTerminal()

t.test('a time limit names itself in words', async (t) => {
  const timeoutMs = 20
  const signal = limitSignal(terminal.stop, timeoutMs, '; choose less')
  await once(signal, 'abort')
  t.equal(explainFailure(signal.reason), 'reading took longer than 0.02 s; choose less')
})

t.test('a process that must stop aborts with its own reason', async (t) => {
  const reason = new Error('SIGTERM')
  t.equal(limitSignal(AbortSignal.abort(reason)).reason, reason)
})

t.test('commands that read a store that hangs say that it took too long', async (t) => {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  // A server that listens on a port has an address with it.
  const location = `http://127.0.0.1:${(server.address() as AddressInfo).port}/weather`
  const timeoutMs = 50
  const tooLong = { name: 'TimeLimitError', message: 'reading took longer than 0.05 s' }
  const limited = limitSignal(terminal.stop, timeoutMs)
  const { repository, signal } = await openLocation(location, {}, terminal, limited)
  await t.rejects(repository.resolve('main', signal), tooLong)
  await t.rejects(inspect({ values: {}, operands: [location] }, terminal, timeoutMs), tooLong)
})
