// Digests the OpenAPI document into a short text, which is kept in the repository so that a review sees which routes
// and schemas a change of the contract touches. The document itself has tens of thousands of lines.
import { hash } from 'node:crypto'

/** The parts of an OpenAPI document that the digest names. */
export type DigestedDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DigestedOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

type DigestedOperation = { readonly responses?: Readonly<Record<string, unknown>> }

/** Writes a line for each route with its statuses, and for each component, each with a hash of what it says. */
export function writeDigest({ paths, components }: DigestedDocument): string {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const statuses = Object.keys(operation.responses ?? {}).join(' ')
      return `${digest(operation)} ${method.toUpperCase()} ${path} ${statuses}`
    }),
  )
  const parts = Object.entries(components).flatMap(([kind, entries]) =>
    Object.entries(entries).map(([name, entry]) => `${digest(entry)} ${kind}/${name}`),
  )
  return `${[...routes, '', ...parts].join('\n')}\n`
}

function digest(value: unknown): string {
  return hash('sha256', JSON.stringify(value)).slice(0, 12)
}
