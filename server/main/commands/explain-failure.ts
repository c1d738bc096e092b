import { DatabaseError, explainUnavailable } from '@floe/storage/database'
import { IcechunkError, LimitExceededError, RangeTooLongError } from '@floe/storage/icechunk'
import { DocumentsTooLargeError } from '@floe/storage/json'
import { LocationError, ObjectStoreError } from '@floe/storage/objects'
import { KeyFileError, SecretError, UnknownKeyError } from '@floe/storage/secrets'
import { IssuerError } from '../../issuers/read-document.ts'
import { ConfigError } from '../configuration/load-config.ts'
import { CannotDecodeError } from '../../xarray/variable.ts'
import { toReadingProblem } from '../../problems/reading-problem.ts'
import { RequestProblem } from '../../problems/request-problem.ts'
import { TimeLimitError } from './access/limit-signal.ts'
import { ContractFileError } from '../configuration/read-contract-file.ts'
import { DatasetTypesError } from './types/dataset-collection.ts'
import { TokenFileError } from './login/token-file.ts'
import { FailedChecksError, ServiceError, StillPendingError } from './command.ts'

/** Errors whose message tells the person at the terminal enough. Other errors are bugs of Floe. */
const explained = [
  CannotDecodeError,
  DocumentsTooLargeError,
  ConfigError,
  ContractFileError,
  DatabaseError,
  DatasetTypesError,
  FailedChecksError,
  IcechunkError,
  IssuerError,
  KeyFileError,
  LocationError,
  ObjectStoreError,
  RequestProblem,
  SecretError,
  ServiceError,
  StillPendingError,
  TimeLimitError,
  TokenFileError,
  UnknownKeyError,
]

/** Returns the message for a person whose command failed; undefined for a bug of Floe, whose stack should be shown. */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  // The problem also names the setting.
  if (error instanceof LimitExceededError || error instanceof RangeTooLongError) return toReadingProblem(error)?.message
  if (explained.some((type) => error instanceof type)) return error.message
  const unavailable = explainUnavailable(error)
  return unavailable && `${unavailable}: ${error.message}`
}
