// The type of openapi.json, as much of it as programs need. The literal type of the whole document would cost the
// compiler more than all other types of the contract.

type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json }

type Members = { readonly [member: string]: Json }

type Operation = Members & {
  readonly operationId: string
  readonly security: readonly Members[]
  readonly parameters: readonly (Members & { readonly name: string; readonly in: string })[]
}

declare const document: Members & {
  readonly openapi: string
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: { readonly [name: string]: Members }
    readonly [kind: string]: { readonly [name: string]: Members }
  }
}

export default document
