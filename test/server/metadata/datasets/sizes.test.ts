import { DatasetDict, DatasetInfo } from '@floe/contract'
import { createClient } from '@floe/client'
import document from '@floe/contract/openapi.json' with { type: 'json' }
import { Ajv2020 } from 'ajv/dist/2020.js'
import { t } from 'tap'
import { serveArrays } from './serve-arrays.ts'

const ajv = new Ajv2020({ strict: false }).addSchema(document, 'openapi')

/** Validates with a schema as the OpenAPI document publishes it. */
const validateWith = (name: string) => ajv.compile({ $ref: `openapi#/components/schemas/${name}` })

t.test('sizes beyond 2^53 are exact integers, which the client and the published schemas accept', async (t) => {
  const server = await serveArrays(t, { v: { shape: [2n ** 53n + 1n, 2n ** 62n + 1n], names: ['x', 'y'] } })
  const address = { repo: 'sample', ref: 'main' }
  t.match(
    await (await server.get('datasets/sample/main/info')).text(),
    '{"x":9007199254740993,"y":4611686018427387905}',
  )
  t.match(
    await (await server.get('datasets/sample/main/dict')).text(),
    '"shape":[9007199254740993,4611686018427387905]',
  )
  const floe = createClient({ baseUrl: `${server.origin}/v1`, deployment: 'tiles', org: 'acme', apiKey: server.apiKey })
  const info = await floe.info(address)
  const dict = await floe.dict(address)
  t.strictSame(info.dimensions, { x: 2 ** 53, y: 2 ** 62 })
  t.strictSame(dict.data_vars['v']?.shape, [2 ** 53, 2 ** 62])
  t.ok(DatasetInfo.safeParse(info).success)
  t.ok(DatasetDict.safeParse(dict).success)
  for (const [name, value] of Object.entries({ DatasetInfo: info, DatasetDict: dict })) {
    t.ok(validateWith(name)(value), name)
  }
})

t.test('a size that is no whole number follows neither the contract nor its published form', (t) => {
  const answers = (size: unknown) => ({
    DatasetInfo: { dimensions: { x: size }, variables: {}, global_attributes: {} },
    DatasetDict: {
      coords: {},
      attrs: {},
      dims: {},
      data_vars: { v: { dims: ['x'], attrs: {}, dtype: 'int32', shape: [size] } },
    },
  })
  for (const [size, isSize] of [
    [3, true],
    [0, true],
    [1.5, false],
    [-1, false],
    ['3', false],
  ] as const) {
    const { DatasetInfo: info, DatasetDict: dict } = answers(size)
    t.equal(DatasetInfo.safeParse(info).success, isSize, `info ${size}`)
    t.equal(DatasetDict.safeParse(dict).success, isSize, `dict ${size}`)
    t.equal(validateWith('DatasetInfo')(info), isSize, `published info ${size}`)
    t.equal(validateWith('DatasetDict')(dict), isSize, `published dict ${size}`)
  }
  t.end()
})
