import { t } from 'tap'
import { openTlsConnector } from '../../../../../server/notifications/deliver/post/tls-connector.ts'
import { startTlsReceiver, testAuthority } from '../../start-receiver.ts'

t.test('a connection that breaks after it was opened is not told as one that failed to open', async (t) => {
  const port = await startTlsReceiver(t, (socket) => socket.destroy())
  const opener = { resolve: async () => ['127.0.0.1'], stage: 'look-up' as const, certificate: undefined }
  const opened: unknown[] = []
  const socket = openTlsConnector(testAuthority)(
    { host: '127.0.0.1', port },
    opener,
    (error) => {
      opened.push(error)
      socket.destroy(new Error('broken'))
    },
    () => {},
  )
  await new Promise((resolve) => socket.once('close', resolve))
  t.strictSame(opened, [undefined])
})
