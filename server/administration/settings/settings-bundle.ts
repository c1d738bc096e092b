// The script and stylesheet of the settings page, built by Vite (server/vite.config.ts).
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Directory of the built files. Their names change with their content. */
export const settingsBundleRoot = fileURLToPath(new URL('../../settings/dist/', import.meta.url))

export type SettingsBundle = { readonly script: string; readonly stylesheet: string }

const BuiltFile = z.object({ file: z.string() })
const Manifest = z.object({ 'settings/main.tsx': BuiltFile, 'style.css': BuiltFile })

/** Reads the names of the built files; undefined if the page has not been built. */
export async function readSettingsBundle(root = settingsBundleRoot): Promise<SettingsBundle | undefined> {
  const text = await readFile(`${root}manifest.json`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { 'settings/main.tsx': script, 'style.css': stylesheet } = Manifest.parse(JSON.parse(text))
  return { script: script.file, stylesheet: stylesheet.file }
}
