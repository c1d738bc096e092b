// The types of the client are those of the contract. The compiler is the test: it refuses this file when two differ.
import type * as Client from '@floe/client'
import type * as Contract from '@floe/contract'
import { t } from 'tap'
import type { z } from 'zod'
import type * as routes from '../../../client/generated/routes.ts'
import type { Route } from '../../../client/generated/routes.ts'

/** True when each type is assignable to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** The known values of an open list; never for other types. */
type Known<Value> = Value extends string ? (string extends Value ? never : Value) : never

/** A type of an answer with its open lists closed, as the service's own are. */
type Closed<Value> = [Known<Value>] extends [never]
  ? Value extends object
    ? // Values of any kind have no lists, and no end.
      [string, Client.JsonValue] extends [keyof Value, Value[keyof Value]]
      ? Value
      : { [Member in keyof Value]: Closed<Value[Member]> }
    : Value
  : Known<Value> | Exclude<Value, string>

/** Types of requests, notifications and problems. */
type Named = {
  CommitsUnavailableReason: Same<Client.CommitsUnavailableReason, Contract.CommitsUnavailableReason>
  ApiKeyCreation: Same<Client.ApiKeyCreation, Contract.ApiKeyCreation>
  ExpectationChange: Same<Client.ExpectationChange, Contract.ExpectationChange>
  ExpectationCreation: Same<Client.ExpectationCreation, Contract.ExpectationCreation>
  NewCommit: Same<Client.NewCommit, Contract.NewCommit>
  Problem: Same<Closed<Omit<Client.Problem, 'type' | 'code'>>, Omit<Contract.Problem, 'type' | 'code'>>
  ProblemCode: Same<Client.ProblemCode, Contract.ProblemCode>
  ProblemType: Same<Client.ProblemType<'internal'>, Contract.ProblemType<'internal'>>
  StorageEvents: Same<Client.StorageEvents, Contract.StorageEvents>
  ReceiverChange: Same<Client.ReceiverChange, Contract.ReceiverChange>
  ReceiverCreation: Same<Client.ReceiverCreation, Contract.ReceiverCreation>
  ReceiverToTest: Same<Client.ReceiverToTest, Contract.ReceiverToTest>
}

type Routes = typeof Contract.contract
type Called = Pick<typeof routes, keyof typeof routes & keyof Routes>

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)]
type Body<Response> = Response extends z.ZodType
  ? z.infer<Response>
  : Response extends { readonly body: infer Schema extends z.ZodType }
    ? z.infer<Schema>
    : undefined
type IsAnswerSame<Call, Original> =
  Call extends Route<infer Answer>
    ? Original extends { readonly responses: infer Responses }
      ? Same<Closed<Answer>, Body<Success<Responses>>>
      : false
    : false

/** Compares the answers of all routes; `true` when they are the same. */
type Answers = {
  [Resource in keyof Called]: {
    [Name in keyof Called[Resource]]: Name extends keyof Routes[Resource]
      ? IsAnswerSame<Called[Resource][Name], Routes[Resource][Name]>
      : false
  }[keyof Called[Resource]]
}

/** Names in the path of a route, without those that are options of the client. */
type NamesOf<Route extends { readonly pathParams: z.ZodType }> = Omit<
  z.infer<Route['pathParams']>,
  'deployment' | 'org'
>

type Addresses = {
  repository: Same<Client.RepositoryAddress, NamesOf<Routes['discovery']['refs']>>
  ref: Same<Client.RefAddress, NamesOf<Routes['discovery']['datasets']>>
  group: Same<Client.GroupAddress & { readonly group: string }, NamesOf<Routes['datasets']['groupInfo']>>
  diff: Same<Client.DiffAddress, NamesOf<Routes['diff']['get']>>
  receiver: Same<Client.ReceiverAddress, NamesOf<Routes['receivers']['get']>>
  expectation: Same<Client.ExpectationAddress, NamesOf<Routes['expectations']['get']>>
  orgExpectation: Same<Client.OrgExpectationAddress, NamesOf<Routes['orgExpectations']['get']>>
  delivery: Same<Client.DeliveryAddress, NamesOf<Routes['deliveries']['get']>>
  key: Same<Client.ApiKeyAddress, NamesOf<Routes['keys']['revoke']>>
  session: Same<Client.SessionAddress, NamesOf<Routes['sessions']['end']>>
}

type Comparisons = Named & Answers & Addresses

/** Compiles only when every comparison is true. */
type AllTrue<Results extends Record<string, true>> = Results

t.test('the types of the client are those of the contract', async (t) => {
  const compared: Partial<AllTrue<Comparisons>> = {}
  t.strictSame(compared, {})
})
