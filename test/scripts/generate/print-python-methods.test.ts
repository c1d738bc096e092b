// The generated methods are called in test/python/package.long.test.ts. Here, a route that the contract does not have
// is printed.
import { t } from 'tap'
import type { ClientRoute } from '../../../scripts/generate/collect-definitions.ts'
import { printPython } from '../../../scripts/generate/print-python.ts'
import { listSchemas, printPythonMethods } from '../../../scripts/generate/print-python-methods.ts'

const route: ClientRoute = {
  resource: 'receipts',
  name: 'list',
  method: 'POST',
  path: '/v1/orgs/:org/repos/:repo/receipts',
  status: 200,
  answer: { $ref: '#/$defs/ReceiptPage' },
  body: { $ref: '#/$defs/Sorting' },
  query: {
    before: { type: 'string', description: 'Only older ones. Default: all' },
    with_costs: { type: 'string', enum: ['true', 'false'] },
  },
  isForAdministrators: true,
  hasETag: true,
  takesIfMatch: true,
  description: 'Returns receipts.',
}

const kind = (name: string) => ({ type: 'object', properties: { by: { const: name } }, required: ['by'] })
const api = {
  components: {
    schemas: {
      ReceiptPage: {
        type: 'object',
        properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Receipt' } }, next: {} },
      },
      Receipt: { type: 'object', properties: { id: { type: 'string' } } },
      Sorting: { oneOf: [{ $ref: '#/components/schemas/ByDate' }, { $ref: '#/components/schemas/BySum' }] },
      ByDate: kind('date'),
      BySum: kind('sum'),
    },
  },
} as const

const print = (routes: readonly ClientRoute[]) =>
  printPythonMethods(routes, api, printPython(api, listSchemas(routes, api))).replaceAll(/\s+/g, ' ')

t.test('a new route gets a method with the types and the description of the contract', async (t) => {
  const printed = print([route])
  t.match(printed, 'class Receipts(Routes): ')
  t.match(printed, 'self.receipts = Receipts(transport)')
  t.match(printed, 'with_costs: bool = False, if_match: str | None = None, **body: Unpack[models.ByDate], )')
  t.match(printed, '**body: Unpack[models.BySum], ) -> Versioned[models.ReceiptPage]: ...')
  t.match(printed, '"""Returns receipts. Args: before: Only older ones. """')
  t.match(
    printed,
    '"/v1/orgs/:org/repos/:repo/receipts", {"repo": repo}, query={"before": before, "with_costs": with_costs}',
  )
  t.match(printed, 'body=body, if_match=if_match')
})

t.test('a list in pages also gets an iterator over the entries', async (t) => {
  const printed = print([route])
  t.match(printed, 'def list_page(')
  t.match(printed, 'def list( self, repo: str, *, before: str | None = None, with_costs: bool = False, )')
  t.match(printed, '-> Iterator[models.Receipt]: """Iterate over the items of all pages; see `list_page`.""" return')
  t.match(printed, 'self._transport.iterate( "items", ')
})

t.test('a query that Python has no type for is refused', async (t) => {
  t.throws(() => print([{ ...route, query: { depth: { type: 'number' } } }]), {
    message: 'no type of Python is known for the query parameter depth',
  })
})
