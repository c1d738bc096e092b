import { mock } from 'node:test'
import type { FastifyPluginCallback } from 'fastify'
import { t } from 'tap'
import { startServer } from '../start-server.ts'

t.test('a process that is paused while it starts serves when it goes on', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const pause: FastifyPluginCallback = (_app, _options, done) => {
    mock.timers.tick(3_600_000)
    done()
  }
  const { origin } = await startServer(t, { tracing: pause })
  mock.timers.reset()
  t.equal((await fetch(`${origin}/healthz`)).status, 200)
})
