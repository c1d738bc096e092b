import { t } from 'tap'
import { ReceiverConnector } from '../../../../server/notifications/post/receiver-connector.ts'
import { startTlsReceiver, testAuthority } from '../start-receiver.ts'

t.test('a connection that breaks after it was opened is not told as one that failed to open', async (t) => {
  const port = await startTlsReceiver(t, (socket) => socket.destroy())
  const connector = new ReceiverConnector({ resolve: async () => ['127.0.0.1'], extraCa: testAuthority })
  const opened: unknown[] = []
  const closed = Promise.withResolvers<void>()
  connector.connect(
    { protocol: 'https:', host: `127.0.0.1:${port}`, hostname: '127.0.0.1', port: '' },
    (error, socket) => {
      opened.push(error)
      socket?.once('close', () => closed.resolve())
      socket?.destroy(new Error('broken'))
    },
  )
  await closed.promise
  t.strictSame(opened, [null])
})
