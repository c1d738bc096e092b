// The OpenAPI document of one deployment.
import type { PlainJson } from '@floe/storage/json'
import type { Deployment } from '../../../deployment.ts'
import { describeService } from './introduction.ts'

type Json = { readonly [member: string]: PlainJson | undefined }
type Parameter = Json & { readonly name: string; readonly in: string }
type Operation = Json & { readonly security: readonly Json[]; readonly parameters: readonly Parameter[] }

type Described = { readonly [member: string]: PlainJson }

/** The document of the contract, as far as a deployment changes it. */
type ContractDocument = Described & { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> }

/**
 * Makes the document of a deployment from that of the contract: paths have the real names instead of path parameters,
 * and the document says which credentials the deployment needs.
 *
 * @param serverUrl address of the service without a trailing slash, such as `https://floe.example.org`
 */
export function describeDeployment(document: ContractDocument, serverUrl: string, deployment: Deployment): Described {
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const isPublic = deployment.public && path.includes('{deployment}')
    const completed = Object.entries(operations).map(([method, operation]) => {
      // Only checks are put, and this always needs a key.
      const security = isPublic && method !== 'put' ? [{}, ...operation.security] : operation.security
      const parameters = operation.parameters.filter((parameter) => !isName(parameter))
      return [method, { ...operation, security, parameters }] as const
    })
    const filled = path.replace('{deployment}', deployment.name).replace('{org}', deployment.org)
    return [filled, Object.fromEntries(completed)] as const
  })
  return {
    ...document,
    ...describeService(deployment),
    servers: [{ url: serverUrl }],
    paths: Object.fromEntries(paths),
  }
}

function isName(parameter: Parameter): boolean {
  return parameter.in === 'path' && ['deployment', 'org'].includes(parameter.name)
}
