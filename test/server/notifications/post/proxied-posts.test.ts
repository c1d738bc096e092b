// Runs the tests of requests to receivers through a proxy, too: which addresses are refused, TLS, kept connections, odd
// and endless answers.
import { t } from 'tap'
import { parseProxy } from '../../../../server/notifications/receivers/receiver-proxy.ts'
import { startProxy } from '../start-proxy.ts'
import { useProxy } from '../start-receiver.ts'

const { url, asked } = await startProxy(t)
useProxy(parseProxy(url))
await import('./post.test.ts')
await import('./post-connections.test.ts')
await import('./kept-connections.test.ts')
await import('./post-tls.test.ts')
await import('./odd-answers.test.ts')
await import('./endless-answers.test.ts')

t.test('these tests have used the proxy', async (t) => {
  t.ok(asked.length > 50, `${asked.length} connections`)
})
