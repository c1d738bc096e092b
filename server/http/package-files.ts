import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Finds the directory with files of a package that pages load. They lie beside the folder of the built program, which needs no packages for them; the
 * source finds them in the package.
 *
 * @param folder - name of the directory in `dist/`
 * @param file - a file of the package in that directory, as an import names it
 */
export function findPackageFiles(folder: string, file: string): string {
  const { url } = import.meta
  if (extname(url) === '.ts') return dirname(fileURLToPath(import.meta.resolve(file)))
  return join(dirname(fileURLToPath(url)), '..', folder)
}
