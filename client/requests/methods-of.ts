// Lets the compiler compare the methods of a client with the routes of the contract.

/**
 * The methods of a client by the resources and names of the routes that they call. It does not compile when a route has no method. A
 * dataset's view of a group (`groupInfo`) has the method of the view of the root (`info`).
 */
export type MethodsOf<
  Routes extends Readonly<Record<keyof Routes, string>>,
  Methods extends EveryMethod<Routes>,
> = Methods

type EveryMethod<Routes extends Readonly<Record<keyof Routes, string>>> = {
  readonly [Resource in keyof Routes]: { readonly [Name in Routes[Resource] as NameOfMethod<Name>]: Method }
}

type NameOfMethod<Name extends string> = Name extends `group${infer View}` ? Uncapitalize<View> : Name

type Method = (...args: never[]) => unknown
