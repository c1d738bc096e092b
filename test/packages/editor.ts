// What an editor shows in a user's project, by the language service of TypeScript 5.9. That of TypeScript 7 is not yet
// stable.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The parts of the language service that are used here. */
type LanguageService = {
  readonly getCompletionsAtPosition: (
    file: string,
    position: number,
    options: object,
  ) => { readonly entries: readonly { readonly name: string; readonly kind: string }[] } | undefined
  readonly getQuickInfoAtPosition: (
    file: string,
    position: number,
  ) => { readonly displayParts?: readonly { readonly text: string }[] } | undefined
}

type TypeScript = {
  readonly createLanguageService: (host: object) => LanguageService
  readonly getDefaultLibFilePath: (options: object) => string
  readonly ScriptSnapshot: { readonly fromString: (text: string) => object }
  readonly parseJsonConfigFileContent: (config: object, host: object, base: string) => { readonly options: object }
  readonly sys: object
}

/** An editor in which a file of a project is open. */
export class Editor {
  readonly #service: LanguageService
  readonly #file: string
  #text = ''
  #version = 0

  private constructor(ts: TypeScript, project: string) {
    this.#file = join(project, 'edited.ts')
    const compilerOptions = { target: 'ES2024', module: 'NodeNext', strict: true, types: [] }
    const { options } = ts.parseJsonConfigFileContent({ compilerOptions, files: [this.#file] }, ts.sys, project)
    const read = (path: string) =>
      path === this.#file ? this.#text : existsSync(path) ? readFileSync(path, 'utf8') : undefined
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => [this.#file],
      getScriptVersion: (path: string) => (path === this.#file ? String(this.#version) : ''),
      getScriptSnapshot: (path: string) => {
        const text = read(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => project,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (path: string) => read(path) !== undefined,
      readFile: read,
    })
  }

  /** @param root where TypeScript 5.9 is installed */
  static async open(root: string, project: string): Promise<Editor> {
    const file = join(root, 'node_modules/typescript/lib/typescript.js')
    const { default: ts } = await import(pathToFileURL(file).href)
    return new Editor(ts, project)
  }

  /** Lists what is offered at `|`, without an empty name. */
  complete(program: string): string[] {
    const position = this.#write(program)
    const { entries = [] } = this.#service.getCompletionsAtPosition(this.#file, position, {}) ?? {}
    return entries.map(({ name }) => name).filter((name) => name !== '')
  }

  /** Returns what is shown about the name after `|`. */
  hover(program: string): string {
    const position = this.#write(program)
    const { displayParts = [] } = this.#service.getQuickInfoAtPosition(this.#file, position) ?? {}
    return displayParts.map(({ text }) => text).join('')
  }

  /** Writes a program without its `|`. @returns where that was */
  #write(program: string): number {
    this.#text = program.replace('|', '')
    this.#version += 1
    return program.indexOf('|')
  }
}
