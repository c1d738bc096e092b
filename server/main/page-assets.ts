import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import {
  readSettingsBundle,
  type SettingsBundle,
  settingsBundleRoot,
} from '../administration/settings/settings-bundle.ts'
import { listAssets, listCompressedAssets, serveAssets } from '../http/assets.ts'
import { immutable } from '../http/representation/cache-control.ts'

const findFolder = (folder: string) => fileURLToPath(new URL(folder, import.meta.url))

/** Redoc shows the logo of its maker from another host. It shows no logo if the address is no picture. */
const dropLogo = (script: string) =>
  script.replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(-full)?\.svg/g, 'data:,')

/**
 * Serves the scripts and stylesheets of pages. Returns the names of the files of the settings page; undefined if it is
 * not built.
 */
export async function servePageAssets(app: FastifyInstance): Promise<SettingsBundle | undefined> {
  const redoc = findPackageFiles('redoc', 'redoc/bundles/redoc.standalone.js')
  serveAssets(app, '/assets/web', await listAssets(findFolder('../pages/assets')))
  serveAssets(app, '/assets/documents', await listAssets(findFolder('../metadata/documentation/assets')))
  serveAssets(app, '/assets/redoc', await listAssets(redoc, ['redoc.standalone.js'], dropLogo))
  const bundle = await readSettingsBundle()
  if (bundle === undefined) return undefined
  const files = listCompressedAssets(settingsBundleRoot, [bundle.script, bundle.stylesheet])
  serveAssets(app, '/assets/settings', files, { cacheControl: immutable })
  return bundle
}

/**
 * Finds the directory with the files of a package that pages load. The built program has copies beside its folder; the
 * source uses the package itself.
 *
 * @param folder - name of the directory in `dist/`
 * @param file - a file of the package in that directory, as an import names it
 */
function findPackageFiles(folder: string, file: string): string {
  const { url } = import.meta
  if (extname(url) === '.ts') return dirname(fileURLToPath(import.meta.resolve(file)))
  return join(dirname(fileURLToPath(url)), '..', folder)
}
