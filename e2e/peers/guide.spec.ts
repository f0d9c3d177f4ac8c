//! Pages of `docs/guides/sign-in` are as the examples are, and their commands do as they say. Those in Next.js are run by `e2e/hosts/next-auth.spec.ts`.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { repository } from '../world/program.ts'
import { type BackEnds, startBackEnds } from './world/back-ends.ts'
import { blocksOf, curls, pages, textOf } from './world/guide.ts'
import { type SignInServer, startSignInServer, visitor } from './world/sign-in.ts'

const EXAMPLES = 'examples/back-ends/src'
const NEXT_AUTH = 'e2e/hosts/apps/next-auth'

/** Files of the code of each page, in their order. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'sign-in': [`${EXAMPLES}/portico.ts`],
  'auth-js': [`${EXAMPLES}/auth-js.ts`],
  axum: [`${EXAMPLES}/axum.rs`, `${EXAMPLES}/portico.rs`],
  'better-auth': [`${EXAMPLES}/better-auth.ts`],
  express: [`${EXAMPLES}/express.ts`],
  hono: [`${EXAMPLES}/hono.ts`],
  'iron-session': [`${EXAMPLES}/iron-session.ts`],
  'next-auth': [
    `${NEXT_AUTH}/next-auth.ts`,
    `${NEXT_AUTH}/app/api/auth/[...nextauth]/route.ts`,
    `${NEXT_AUTH}/app/account/orders/route.ts`
  ],
  'next-js': [`${EXAMPLES}/app/orders/route.ts`]
}

/** Back ends whose pages say how to start them in this repository. */
const STARTED = {
  'auth-js': 'auth-js',
  axum: 'axum',
  'better-auth': 'better-auth',
  express: 'express',
  hono: 'hono',
  'iron-session': 'iron-session',
  'next-js': 'next'
} as const

const read = (file: string) => readFileSync(join(repository(), file), 'utf8')

const VERSIONS: Readonly<Record<string, string>> = Object.assign(
  {},
  ...['e2e/hosts/apps', 'examples/back-ends'].flatMap((folder) => {
    const { dependencies, devDependencies } = JSON.parse(read(`${folder}/package.json`))
    return [dependencies, devDependencies]
  })
)
const LOCK = read('Cargo.lock')

/** Ids that GitHub gives to the headings of a text. */
const headingsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-')
  )

let server: SignInServer
let backEnds: BackEnds

beforeAll(async () => {
  server = await startSignInServer()
  backEnds = await startBackEnds(server)
})

afterAll(async () => {
  await backEnds?.stop()
  await server?.stop()
})

it('each_back_end_has_a_page_and_the_overview_links_to_all_of_them', () => {
  expect(['sign-in', ...pages()].sort()).toEqual(Object.keys(FILES).sort())
  const linked = [...textOf('sign-in').matchAll(/\]\(sign-in\/([\w-]+)\.md\)/g)].map(([, page]) => page)
  expect([...new Set(linked)].sort()).toEqual(pages())
})

describe.each(Object.keys(FILES))('page %s', (page) => {
  it('has_the_code_of_the_examples_and_no_other', () => {
    const code = blocksOf(page).filter(({ language }) => language !== 'sh' && language !== 'toml')
    const named = code.map((block) => /^\/\/ (\S+)\n([\s\S]*)$/.exec(block.code) ?? [])
    const files = FILES[page] ?? []
    expect(named.map(([, name]) => name)).toEqual(
      files.map((file) => file.replace(`${EXAMPLES}/`, '').replace(`${NEXT_AUTH}/`, ''))
    )
    for (const [n, file] of files.entries()) expect(read(file)).toContain(named[n]?.[2])
  })

  it('installs_the_versions_that_the_tests_run', () => {
    const [install = '', manifest = ''] = ['sh', 'toml'].map((wanted) =>
      blocksOf(page)
        .filter(({ language }) => language === wanted)
        .map(({ code }) => code)
        .join()
    )
    for (const [, name = '', version] of install.matchAll(/ (@?[a-z][\w/-]*)@(\d[\w.]*)/g))
      expect([name, version]).toEqual([name, VERSIONS[name]])
    const crates = [...manifest.matchAll(/^(\w+) = (?:\{ version = )?"([\d.]+)"/gm)]
    for (const [, name, version] of crates) expect(LOCK).toContain(`name = "${name}"\nversion = "${version}"\n`)
    // Lines of the manifest that name no version would be checked by nobody.
    expect(crates.length).toBe(manifest.split('\n').filter((line) => line.includes('=')).length)
  })

  it('links_to_files_and_headings_that_exist', () => {
    const here = join(repository(), 'docs/guides', page === 'sign-in' ? 'sign-in.md' : `sign-in/${page}.md`)
    for (const [, path = '', heading] of textOf(page).matchAll(/\]\((?!https:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const file = path ? join(dirname(here), path) : here
      expect([file, existsSync(file)]).toEqual([file, true])
      if (heading) expect(headingsOf(readFileSync(file, 'utf8')), path).toContain(heading)
    }
  })
})

describe.each(Object.entries(STARTED))('commands of %s.md', (page, name) => {
  it('are_answered_as_the_page_says', async () => {
    // Auth.js logs each refusal.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const account = `eip155:1:${visitor.address}`
    const { answers, expected } = await curls(page, backEnds.origins[name], await server.signIn(), account)
    expect(answers).toEqual(expected)
    expect(expected.length).toBeGreaterThan(1)
  })

  it('start_this_back_end', () => {
    expect(textOf(page)).toContain(
      name === 'axum' ? '--example back-end\n' : `npm start -w examples/back-ends -- ${name}`
    )
  })
})
