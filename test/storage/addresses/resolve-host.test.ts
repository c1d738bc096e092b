import { t } from 'tap'
import { resolveHost } from '../../../storage/addresses/resolve-host.ts'

t.test('a name of the hosts file is found there', async (t) => {
  t.match(await resolveHost('localhost', AbortSignal.timeout(1_000)), ['127.0.0.1'])
})

t.test('a look-up whose time is over asks nobody', async (t) => {
  await t.rejects(resolveHost('receiver.invalid', AbortSignal.abort()), { name: 'AbortError' })
})

t.test('names below localhost are asked of nobody', async (t) => {
  t.strictSame(await resolveHost('hook.localhost', AbortSignal.timeout(1_000)), ['127.0.0.1', '::1'])
})
