// Bytes are typed by the body that they encode, so that a change of the contract stops the compilation of the handler
// that sends the old body. The types below derive every such change from the contract and collect those that would
// compile.
import { contract, WatchedRepositoryList } from '@floe/contract'
import { writeBody, type JsonBytes } from '@floe/storage/json'
import Fastify from 'fastify'
import type { z } from 'zod'
import { t } from 'tap'
import { checkAnswer } from '../../../server/http/check-answers.ts'
import { implement, implementJson, nameJson, register, type SentBody } from '../../../server/http/contract.ts'
import type { Page } from '../../../server/pages/page.ts'

type Contract = typeof contract

/** The body of a response that is JSON. */
type JsonBody<Response> = Response extends z.ZodType<infer Body> ? Body : never

/** The JSON bodies that a route answers with. */
type Body<Route> = Route extends { readonly responses: infer Responses } ? JsonBody<Responses[keyof Responses]> : never

type Scalar = null | boolean | number | string

/**
 * Every type that a body would have after one change: a member has another name or another type, or there is one more.
 * Any JSON stays any JSON.
 */
type Edits<Value> = [Scalar] extends [Value]
  ? never
  : Value extends Scalar
    ? { readonly changed: true }
    : Value extends readonly (infer Item)[]
      ? Wrap<Edits<Item>, 'list'>
      : Value extends object
        ? string extends keyof Value
          ? Wrap<Edits<Value[string & keyof Value]>, 'members'>
          : EditsOfMembers<Value>
        : never

type Wrap<Edit, Kind> = Edit extends unknown ? (Kind extends 'list' ? Edit[] : Record<string, Edit>) : never

type EditsOfMembers<Value> =
  | (Value & { readonly added: string })
  | {
      [Name in keyof Value & string]: Omit<Value, Name> &
        (Record<`renamed_${Name}`, Value[Name]> | EditOfMember<Name, Edits<Exclude<Value[Name], undefined>>>)
    }[keyof Value & string]

type EditOfMember<Name extends string, Edit> = Edit extends unknown ? Record<Name, Edit> : never

/**
 * The edits of a body after which the bytes of the old one would still be taken for it. Bytes are no page, and a union
 * of both would cost the compiler a copy of all members of `Buffer` for each edit.
 */
type Unnoticed<Value, Edit = Edits<Value>> = Edit extends unknown
  ? JsonBytes<Value> extends Exclude<SentBody<z.ZodType<Edit>>, Page>
    ? Edit
    : never
  : never

/** The edits of all routes that would compile. */
type UnnoticedEdits = {
  [Resource in keyof Contract]: {
    [Route in keyof Contract[Resource]]: Unnoticed<Body<Contract[Resource][Route]>>
  }[keyof Contract[Resource]]
}[keyof Contract]

/** The routes with a JSON body that has nothing to edit, because any JSON object is allowed. */
type Uneditable = {
  [Resource in keyof Contract]: {
    [Route in keyof Contract[Resource] & string]: [Body<Contract[Resource][Route]>] extends [never]
      ? never
      : [Edits<Body<Contract[Resource][Route]>>] extends [never]
        ? `${Resource}.${Route}`
        : never
  }[keyof Contract[Resource] & string]
}[keyof Contract]

/** Compiles for types that are the same. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : never) : never

t.test('no handler compiles that sends what its route had before a change', async (t) => {
  const isEachNoticed: Same<UnnoticedEdits, never> = true
  type AnyJson =
    | 'documents.openapi'
    | 'documents.notificationSchema'
    | 'documents.datasetContractSchema'
    | 'mcp.send'
    | 'zarr.document'
    | 'zarr.nodeDocument'
  const anyJson: Same<Uneditable, AnyJson> = true
  const isSameUnnoticed: Same<Unnoticed<{ a?: string }, { a?: string }>, { a?: string }> = true
  const isNeverPage: JsonBytes<unknown> extends Page ? never : true = true
  t.ok(isEachNoticed && anyJson && isSameUnnoticed && isNeverPage, 'the compiler has checked this')
})

t.test('where answers are checked, one that breaks the contract is not sent', async (t) => {
  const pages = {
    right: { items: [], next: null },
    'with a wrong value': { items: [], next: 'no id' },
    'with a member too many': { items: [], next: null, secret: 1 },
  }
  const app = Fastify()
  app.setErrorHandler((error: Error, _request, reply) => reply.status(500).type('text/html').send(error.message))
  app.addHook('onSend', nameJson)
  app.addHook('onSend', checkAnswer)
  await register(
    app,
    contract.audit,
    implement(contract.audit, {
      list: async ({ params: { org } }) => {
        const page =
          org === 'right' ? pages.right : pages[org === 'value' ? 'with a wrong value' : 'with a member too many']
        return { status: 200, body: writeBody(page) }
      },
    }),
  )
  const right = await app.inject('/v1/orgs/right/audit')
  t.match(right, { statusCode: 200, headers: { 'content-type': 'application/json; charset=utf-8' } })
  t.strictSame(right.json(), pages.right)
  for (const org of ['value', 'member']) {
    const wrong = await app.inject(`/v1/orgs/${org}/audit`)
    t.equal(wrong.statusCode, 500)
    t.match(wrong.body, /answers 200 otherwise than the contract says/)
  }
})

t.test('a list of any length is written, and other work runs meanwhile', async (t) => {
  const app = Fastify()
  const describe = (name: string) => ({
    name,
    repo_id: '0198c0de-0000-7000-8000-000000000001',
    location: 'x'.repeat(1_048_576),
    format_version: 2,
    head: null,
    last_checked_at: null,
    error: null,
    search_index: null,
  })
  const { list } = contract.repositories
  await register(
    app,
    { list },
    implementJson(
      { list },
      {
        list: async () => {
          let hasOtherWorkRun = false
          setImmediate(() => (hasOtherWorkRun = true))
          const names = Iterator.from(Array.from({ length: 40 }, (_, index) => `repository-${index}`))
          return { items: names.map((name) => describe(hasOtherWorkRun ? 'later' : name)) }
        },
      },
    ),
  )
  const { items } = WatchedRepositoryList.parse((await app.inject('/v1/orgs/acme/repos')).json())
  t.equal(items.length, 40)
  t.equal(items.at(-1)?.name, 'later')
})
