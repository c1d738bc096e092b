// Failures that a receiver on loopback cannot cause. The others are in post.test.ts, post-connections.test.ts and
// post-tls.test.ts.
import { t } from 'tap'
import { explainExchange, type ExchangeStage } from '../../../../server/notifications/post/explain-exchange.ts'

const day = 'Jan  2 03:04:05 2027 GMT'

function explain(stage: ExchangeStage, code: string | undefined, url = 'https://example.org/T0/hush') {
  const cause = Object.assign(new Error('words of the system'), code !== undefined && { code })
  const certificate = { valid_from: day, valid_to: day }
  return explainExchange({ url: new URL(url), stage, cause, timedOutAfterMs: undefined, certificate })
}

t.test('a receiver that no network leads to', async (t) => {
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH']) {
    const text = `example.org cannot be reached from where Floe runs; no network leads there (${code})`
    t.equal(explain('connection', code), text)
  }
  t.match(explain('connection', 'ETIMEDOUT'), /^example\.org did not accept a connection on port 443; check the port/)
  t.equal(explain('connection', 'EMFILE'), 'the connection to example.org on port 443 failed (EMFILE)')
})

t.test('a connection that nobody answers', async (t) => {
  const url = new URL('https://example.org/hook')
  const failed = { url, stage: 'connection', cause: new Error('aborted'), certificate: undefined } as const
  const text =
    'example.org did not accept a connection on port 443 within 5 seconds; check the port, and firewalls on the way'
  t.equal(explainExchange({ ...failed, timedOutAfterMs: 5_000 }), text)
})

t.test('a certificate that is not valid yet, or is signed by an unknown authority', async (t) => {
  const soon = 'the certificate of example.org is not valid before 2027-01-02 (CERT_NOT_YET_VALID)'
  t.equal(explain('encryption', 'CERT_NOT_YET_VALID'), soon)
  for (const code of [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ]) {
    t.match(explain('encryption', code), /an authority that Floe does not know; .* notifications\.extraCaFile/)
  }
  t.equal(
    explain('encryption', 'CERT_REVOKED'),
    'the certificate of example.org is not accepted: words of the system (CERT_REVOKED)',
  )
})

t.test('failures without a code are explained too', async (t) => {
  t.equal(explain('look-up', undefined), 'the name example.org could not be looked up; the name server failed')
  t.equal(explain('response', undefined), 'example.org closed the connection without an answer')
  t.equal(explain('response', 'EOTHER'), 'example.org did not answer: words of the system (EOTHER)')
})

t.test('a host is named with its port, and never with its path', async (t) => {
  const stages = ['look-up', 'connection', 'encryption', 'response', 'body'] as const
  for (const stage of stages) t.notMatch(explain(stage, 'ECONNREFUSED'), 'hush')
  t.match(explain('connection', 'ECONNREFUSED', 'https://[2001:db8::1]:8443/'), /^\[2001:db8::1\] .* on port 8443; /)
})
