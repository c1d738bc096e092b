// The generated methods are called in test/client/every-route.test.ts. Here, routes that the contract does not have are
// printed.
import { t } from 'tap'
import type { ClientRoute } from '../../../scripts/generate/collect-definitions.ts'
import { printMethods } from '../../../scripts/generate/print-methods.ts'

const route: ClientRoute = {
  resource: 'receipts',
  name: 'list',
  method: 'GET',
  path: '/v1/orgs/:org/repos/:repo/receipts',
  status: 200,
  answer: { $ref: '#/$defs/ReceiptPage' },
  body: undefined,
  query: {
    before: { type: 'string', description: 'Only older ones' },
    limit: { type: 'integer' },
    with_costs: { type: 'string', enum: ['true', 'false'] },
  },
  isForAdministrators: true,
  hasETag: true,
  takesIfMatch: true,
  description: 'Returns receipts, with their costs if `with_costs` is `true`.',
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ')

t.test('a new route gets a method with the description of the contract, and options for its query', async (t) => {
  const printed = squeeze(printMethods([route], 'Admin'))
  t.match(printed, '/** Returns receipts, with their costs if `withCosts` is `true`. */ readonly listPage: (')
  t.match(printed, 'selection: RepositoryAddress & ReceiptsListQuery, call?: ChangeOptions) => ')
  t.match(printed, 'Promise<Versioned<types.ReceiptPage>>')
  t.match(printed, '/** Only older ones. */ readonly before?: string | undefined readonly limit?: number | undefined')
  t.match(printed, 'readonly withCosts?: boolean | undefined')
  t.match(printed, 'listPage: ({ before, limit, withCosts, ...names }, call) => fetchVersioned(routes.receipts.list,')
  t.match(printed, "query: { before, limit: limit?.toString(), with_costs: withCosts ? 'true' : undefined } })")
  t.notMatch(squeeze(printMethods([route], 'Reader')), 'listPage')
})

t.test('a route that needs more than that is refused', async (t) => {
  const print = (change: Partial<ClientRoute>) => () => printMethods([{ ...route, ...change }], 'Admin')
  t.throws(print({ query: { depth: { type: 'number' } } }), {
    message: /query parameter depth must be written by hand/,
  })
  t.throws(print({ path: '/v1/orgs/:org/shops/:shop' }), { message: 'client/addresses.ts has no type for shop' })
  t.throws(print({ body: { type: 'object' } }), { message: 'what the client sends has no name' })
})
