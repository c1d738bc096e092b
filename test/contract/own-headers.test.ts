import { WebhookCreation } from '@floe/contract'
import { t } from 'tap'

// `floe.yaml` uses the same schema.
const { headers: OwnHeaders } = WebhookCreation.shape

const explain = (...names: readonly string[]) =>
  OwnHeaders.safeParse(Object.fromEntries(names.map((name) => [name, 'x']))).error?.issues[0]?.message

t.test('a reserved header is refused however a gateway may write it', async (t) => {
  const names = ['Content-Length', 'Content_Length', 'webhook_signature', 'X_Secret_Token', 'X-Secret_token', 'Proxy_A']
  for (const name of names) t.match(explain(name), /that Floe or the connection sets/, name)
  for (const name of ['X_Key', 'contentlength', 'x_content_length']) t.equal(explain(name), undefined, name)
})

t.test('a header may not be there twice in two spellings', async (t) => {
  t.match(explain('X-Key', 'x_key'), /is there twice; .* so do "-" and "_"/)
  t.equal(explain('X-Key', 'xkey'), undefined)
})
