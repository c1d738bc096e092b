// Serves the scripts and stylesheets that pages load.
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { readSettingsBundle, type SettingsBundle, settingsBundleRoot } from '../administration/settings-bundle.ts'
import { listAssets, listCompressedAssets, serveAssets } from '../http/assets.ts'
import { findPackageFiles } from '../http/package-files.ts'

const find = (folder: string) => fileURLToPath(new URL(folder, import.meta.url))

/** Serves all assets. Returns the names of those of the settings page; undefined when that has not been built. */
export async function servePageAssets(app: FastifyInstance): Promise<SettingsBundle | undefined> {
  const redoc = findPackageFiles('redoc', 'redoc/bundles/redoc.standalone.js')
  serveAssets(app, '/assets/web', await listAssets(find('../pages/assets')))
  serveAssets(app, '/assets/documents', await listAssets(find('../metadata/documentation/assets')))
  serveAssets(app, '/assets/redoc', await listAssets(redoc, ['redoc.standalone.js']))
  const bundle = await readSettingsBundle()
  if (bundle === undefined) return undefined
  const files = listCompressedAssets(settingsBundleRoot, [bundle.script, bundle.stylesheet])
  serveAssets(app, '/assets/settings', files, { cacheControl: 'public, max-age=31536000, immutable' })
  return bundle
}
