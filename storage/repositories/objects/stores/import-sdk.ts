import { LocationError } from '../location.ts'

/**
 * Loads the SDK of a cloud. The SDKs are optional. Throws a {@link LocationError} that says which package to install.
 */
export async function importSdk<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    // Only the message says which package is missing. If it is a dependency of the SDK, rethrow the error.
    const isAbsent = error instanceof Error && error.message.includes(`'${name}'`)
    if (!isAbsent || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new LocationError(`this needs a package that is not installed: npm install ${name}`)
  }
}
