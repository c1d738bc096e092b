// The views of a dataset whose contract is known. Each can be used where the view without types is expected. They have
// at least the names of the contract: a dataset may get further variables, which breaks nobody.
import type { JsonValue } from '../generated/types.ts'

/** `DatasetInfo` with the dimensions and variables of a contract. */
export type TypedInfo<Contract> = {
  /** Size of each dimension. */
  dimensions: { -readonly [Name in keyof ContractMember<Contract, 'dimensions'>]: number }
  /** The variables of the contract. */
  variables: {
    -readonly [Name in keyof ContractMember<Contract, 'variables'>]: TypedVariableInfo<
      ContractMember<Contract, 'variables'>[Name]
    >
  }
  /** Attributes in stored order. */
  global_attributes: Record<string, JsonValue>
}

/** `DatasetKeys` with the names of a contract, which editors complete. The list may have others. */
export type TypedKeys<Contract> = ((keyof ContractMember<Contract, 'variables'> & string) | (string & {}))[]

/** `DatasetDict` with the dimensions and variables of a contract. */
export type TypedDict<Contract> = {
  /** The coordinates of the contract. */
  coords: TypedVariableDicts<ContractMember<Contract, 'variables'>, 'coordinate'>
  /** Attributes in stored order. */
  attrs: Record<string, JsonValue>
  /** Size of each dimension. */
  dims: { -readonly [Name in keyof ContractMember<Contract, 'dimensions'>]: number }
  /** The data variables of the contract. */
  data_vars: TypedVariableDicts<ContractMember<Contract, 'variables'>, 'data'>
}

/** A member of a contract; an object without members if the contract leaves it out. */
export type ContractMember<Contract, Name extends string> =
  Contract extends Readonly<Record<Name, infer Member extends object>> ? Member : {}

/** A variable as `info` shows it. */
export type TypedVariableInfo<Variable> = {
  /** Name of the decoded numpy dtype. */
  type: TypedType<Variable>
  /** Names of its dimensions, in their order. */
  dimensions: TypedDimensions<Variable>
  /** Attributes in stored order. */
  attributes: TypedAttributes<Variable>
}

/** The variables with a role, as `dict` shows them. */
export type TypedVariableDicts<Variables, Role extends string> = {
  -readonly [
    Name in keyof Variables as Variables[Name] extends { readonly role: Role } ? Name : never
  ]: TypedVariableDict<Variables[Name]>
}

/** A variable as `dict` shows it. */
export type TypedVariableDict<Variable> = {
  /** Names of its dimensions, in their order. */
  dims: TypedDimensions<Variable>
  /** Attributes in stored order. */
  attrs: TypedAttributes<Variable>
  /** Text of the decoded numpy dtype. */
  dtype: TypedType<Variable>
  /** Size in each dimension. */
  shape: TypedShape<TypedDimensions<Variable>>
}

/** A size for each dimension. */
export type TypedShape<Names extends (string | null)[]> = { [Index in keyof Names]: number }

/**
 * The type of a variable, if `info` and `dict` show the same and no compatible change alters it. That is not so for
 * texts of a fixed width (`<U5`), and for others that begin with a sign.
 */
export type TypedType<Variable> = Variable extends { readonly type: infer Text extends string }
  ? Text extends `${'<' | '>' | '|' | '[' | '{'}${string}` | 'StringDType()'
    ? string
    : Text
  : string

/** The names of the dimensions of a variable, in their order. */
export type TypedDimensions<Variable> = Variable extends {
  readonly dimensions: infer Names extends readonly (string | null)[]
}
  ? [...Names]
  : (string | null)[]

/** The attributes of a variable: `units` and `standard_name` as its contract has them, and any others. */
export type TypedAttributes<Variable> = {
  -readonly [Name in keyof Variable & ('units' | 'standard_name')]: Variable[Name]
} & Record<string, JsonValue>
