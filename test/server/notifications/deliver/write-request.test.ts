import { t } from 'tap'
import { signMessage } from '../../../../server/notifications/deliver/write-request.ts'

// The example that the specification's own libraries are tested with.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

t.test('a message is signed as Standard Webhooks has it', async (t) => {
  t.equal(signMessage([secret], message), signature)
})

t.test('several secrets give several signatures, in their order', async (t) => {
  const other = `whsec_${Buffer.from('another key of this receiver').toString('base64')}`
  const signatures = signMessage([other, secret], message).split(' ')
  t.equal(signatures.length, 2)
  t.equal(signatures[0], signMessage([other], message))
  t.equal(signatures[1], signature)
})

t.test('id, time and each byte of the body are part of what is signed', async (t) => {
  for (const change of [
    { id: 'msg_2' },
    { timestamp: 1_614_265_331 },
    { body: '{"test":2432232314}' },
    { body: 'ü' },
  ]) {
    t.not(signMessage([secret], { ...message, ...change }), signature)
  }
})
