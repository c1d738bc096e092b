import type { Plugin } from 'rolldown'
import { definePackage } from '../build/define-package.ts'

/** The types of ts-rest that the declarations of routes name, as much of them as can be read from a route. */
const routeTypes = `import type { ZodType } from 'zod';
export declare const ContractNoBody: unique symbol;
export type ContractOtherResponse<Body> = { readonly contentType: string; readonly body: Body };
export type AppRoute = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly pathParams?: ZodType;
  readonly query?: ZodType;
  readonly headers?: ZodType;
  readonly body?: unknown;
  readonly responses: Readonly<Record<number, unknown>>;
  readonly summary?: string;
  readonly description?: string;
  readonly metadata?: unknown;
};
export type AppRouter = { readonly [name: string]: AppRoute | AppRouter };
`

/** ts-rest's own declarations do not fit zod 4, so that users would need `skipLibCheck`. */
const ownRouteTypes: Plugin = {
  name: 'own-route-types',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk' && file.fileName.endsWith('.d.ts')) {
        file.code = file.code.replaceAll(/(?<=["'])@ts-rest\/core(?=["'])/g, './route-types.js')
      }
    }
    this.emitFile({ type: 'asset', fileName: 'route-types.d.ts', source: routeTypes })
  },
}

const definition = definePackage(import.meta.dirname)

export default { ...definition, plugins: [definition.plugins, ownRouteTypes] }
