import { t } from 'tap'
import { type ContractDocument, readDocument } from '../../../../server/contract-document.ts'
import { checkContractBody } from '../../../../server/reading/compatibility/check-contract.ts'

const endless = { throwIfAborted: () => {} }

const check = (body: unknown, member?: string) =>
  checkContractBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), member, endless)

const read = (document: unknown) => readDocument(document as ContractDocument) // what a checked contract becomes

const contract = { version: 1, datasets: { sea: { variables: { depth: { units: 'm' } } } } }

t.test('a body that is a contract becomes its document', async (t) => {
  t.equal(read(check(JSON.stringify(contract, null, 2))), JSON.stringify(contract))
  t.equal(read(check(`\u{FEFF}${JSON.stringify(contract)}`)), JSON.stringify(contract), 'with a byte order mark')
})

t.test('of a body with a contract, the other members stay as they are', async (t) => {
  const checked = check({ name: 7, contract, more: [] }, 'contract')
  t.match(checked, { name: 7, more: [], contract: { digest: String } })
  t.equal(read((checked as { contract: unknown }).contract), JSON.stringify(contract))
  for (const other of [null, [], 7, { name: 'maps' }]) t.strictSame(check(other, 'contract'), other)
})

t.test('wrong bodies are refused', async (t) => {
  const pointer = (of: string) => ({ code: 'invalid-request', errors: [{ pointer: of }] })
  t.throws(() => check('{"version":'), pointer('/body'))
  t.throws(() => check('['.repeat(400_000)), { errors: [{ message: 'nests more than 64 lists and objects' }] })
  t.throws(() => check('{"version":1,"datasets":{"__proto__":{}}}'), pointer('/body'))
  t.throws(() => check(String.raw`{"version":1,"datasets":{"_\u005fproto__":{}}}`), pointer('/body'))
  t.throws(() => check({ contract: { version: 2, datasets: {} } }, 'contract'), pointer('/body/contract/version'))
  for (const others of [{ contract, x: 'x'.repeat(16_385) }, { x: 'x'.repeat(16_385) }, ['x'.repeat(16_385)]])
    t.throws(() => check(others, 'contract'), { code: 'body-too-large', message: /more than 16 KiB besides/ })
})

t.test('a check ends when it is cancelled', async (t) => {
  const left = new Error('all callers have left')
  const cancellation = {
    throwIfAborted: () => {
      throw left
    },
  }
  t.throws(() => checkContractBody(Buffer.from(JSON.stringify(contract)), undefined, cancellation), left)
})
