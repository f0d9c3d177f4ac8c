//! Pages of `docs/guides/sign-in`, and the commands that they tell a developer to try.

import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../../world/program.ts'
import { SHOP } from './sign-in.ts'

const run = promisify(execFile)

const GUIDES = join(repository(), 'docs/guides')

/** Names of the pages about one back end each. */
export const pages = (): string[] =>
  readdirSync(join(GUIDES, 'sign-in'))
    .map((file) => file.replace(/\.md$/, ''))
    .sort()

/** Text of a page, or of the overview `sign-in`. */
export const textOf = (page: string): string =>
  readFileSync(join(GUIDES, page === 'sign-in' ? 'sign-in.md' : `sign-in/${page}.md`), 'utf8')

export interface Block {
  readonly language: string
  readonly code: string
}

/** Code blocks of a page. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
  if (blocks.length * 2 !== [...text.matchAll(/^ *```/gm)].length)
    throw new Error(`A code block of ${page} is no block`)
  return blocks.map(([, language = '', code = '']) => ({ language, code }))
}

/** A `curl` command of a page, with the answer that the page has beside it. */
const CURL = /^(curl .*?) +# (.+)$/gm

/** Runs the `curl` commands of a page against a shop. Of each answer, keeps the line that is as the page says, or else the whole answer. */
export async function curls(
  page: string,
  shop: string,
  token: string,
  account: string
): Promise<{ answers: string[]; expected: string[] }> {
  const [script, ...others] = blocksOf(page).filter(({ code }) => /^curl /m.test(code))
  if (!script || others.length > 0) throw new Error(`${page}.md has not one block of curl commands`)
  const expected = [...script.code.matchAll(CURL)].map(([, , answer = '']) => answer.replace('eip155:1:0x…', account))
  const folder = mkdtempSync(join(tmpdir(), 'portico-guide-'))
  try {
    const marked = script.code.replace(/^curl /gm, "printf '\\x1e'; curl -s ")
    const env = { ...process.env, SHOP: shop, SHOP_ORIGIN: SHOP, TOKEN: token }
    const { stdout } = await run('bash', ['-euc', marked], { cwd: folder, env })
    const said = stdout.split('\x1e').slice(1)
    return {
      expected,
      answers: said.map((answer, n) => answer.split(/\r?\n/).find((line) => line === expected[n]) ?? answer)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
