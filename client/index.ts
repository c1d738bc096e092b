/**
 * @floe/client: the typed client of Floe, for Node 22.18 or newer and for browsers.
 *
 * @example
 * ```ts
 * import { createClient } from '@floe/client'
 *
 * const floe = createClient({
 *   baseUrl: 'https://floe.example.org/v1',
 *   deployment: 'tiles',
 *   org: 'acme',
 *   apiKey: 'your-api-key',
 * })
 * const { dimensions } = await floe.info({ repo: 'weather', ref: 'main', group: 'wind/speed' })
 * console.log(dimensions)
 * ```
 *
 * @packageDocumentation
 */
export {
  createClient,
  type Client,
  type ClientOptions,
  type GroupAddress,
  type RepositoryAddress,
} from './create-client.ts'
export {
  ContractViolationError,
  FloeError,
  NetworkError,
  ProblemResponseError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts'
export type { CallOptions } from './route-reader.ts'
export type {
  DatasetDict,
  DatasetInfo,
  DatasetKeys,
  Problem,
  ProblemCode,
  ProblemError,
  ProblemType,
} from '@floe/contract'
