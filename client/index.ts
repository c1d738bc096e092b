/**
 * @floe/client: typed clients of Floe for readers and administrators, and functions for receivers of its webhooks. Runs
 * in Node.js 22.18 or newer, browsers, workers, Deno and Bun.
 *
 * @example
 * ```ts
 * import { createClient } from '@floe/client'
 *
 * const floe = createClient({
 *   baseUrl: 'https://floe.example.org/v1',
 *   deployment: 'demo',
 *   org: 'acme',
 *   apiKey: 'your-api-key',
 * })
 * const { dimensions } = await floe.info({ repo: 'weather', ref: 'main', group: 'wind/speed' })
 * console.log(dimensions)
 * ```
 *
 * @packageDocumentation
 */
export type * from './addresses.ts'
export type * from './admin-client.ts'
export type * from './client.ts'
export { createAdminClient } from './create-admin-client.ts'
export { createClient, type ClientOptions } from './create-client.ts'
export type * from './datasets/dataset-contracts.ts'
export { type CoordinateValues, CoordinatesError, labelGaps, type LabelledGap } from './datasets/label-gaps.ts'
export type * from './datasets/typed-client.ts'
export type * from './datasets/typed-names.ts'
export type * from './datasets/typed-views.ts'
export { type BreakingChange, type BrokenContract, ContractBrokenError } from './datasets/verify-datasets.ts'
export * from './errors.ts'
export type { EventOptions, EventSelection, RecordedEvent } from './follow-events.ts'
export type * from './generated/types.ts'
export * from './receiver/index.ts'
export type * from './calls.ts'
export type { ConnectionOptions } from './requests/connection.ts'
