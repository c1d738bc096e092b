import { LocationError } from '../location.ts'

/**
 * Loads the SDK of a cloud. The SDKs are optional: a deployment installs only those it needs.
 *
 * @throws {@link LocationError} that says which package to install
 */
export async function importSdk<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    // Node names the missing package only in the message. If it is a dependency of the SDK, rethrow: that is another fault.
    const isAbsent = error instanceof Error && error.message.includes(`'${name}'`)
    if (!isAbsent || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new LocationError(`locations of this kind need a package that is not installed: npm install ${name}`)
  }
}
