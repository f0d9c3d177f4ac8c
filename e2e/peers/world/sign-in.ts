//! The server, at which accounts sign in on pages of a shop.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { program, startProgram } from '../../world/program.ts'
import { freePort } from './port.ts'

/** Page of the shop. */
export const SHOP = 'https://shop.example'

/** Another page of the same project. */
export const BLOG = 'https://blog.example'

export const visitor = privateKeyToAccount(generatePrivateKey())

export interface Place {
  readonly project?: string
  readonly page?: string
  /** Server, if not the first. */
  readonly portico?: string
  readonly expirationTime?: Date
}

export interface SignInServer {
  readonly url: string
  /** Secret of the project `shop`. */
  readonly secret: string
  /** Signs the visitor in, and returns the token. */
  signIn(place?: Place): Promise<string>
  /** Asks the server about a session, or ends it. */
  session(method: 'GET' | 'POST', path: 'me' | 'sign-out', token: string): Promise<number>
  /** Runs `portico auth keys rotate`. */
  rotate(...words: string[]): void
  /** Starts a second server of another address, with the same keys. Returns its address. */
  another(publicUrl?: string): Promise<string>
  stop(): Promise<void>
}

export async function startSignInServer(): Promise<SignInServer> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-sign-in-'))
  const portico = program('portico', 'PORTICO_BIN')
  const started: (() => Promise<void>)[] = []

  function run(words: readonly string[], file: string): string {
    return execFileSync(portico, [...words, '--config', file], { cwd: folder, encoding: 'utf8' })
  }
  async function configure(publicUrl?: string): Promise<{ url: string; file: string }> {
    const port = await freePort()
    const [url, file] = [`http://127.0.0.1:${port}`, join(folder, `${port}.toml`)]
    const database = JSON.stringify(join(folder, 'portico.sqlite'))
    const lines = [`listen = "127.0.0.1:${port}"`, `public_url = "${publicUrl ?? url}"`, `database = ${database}`]
    writeFileSync(file, `${lines.join('\n')}\nlog = "warn"\n`)
    return { url, file }
  }
  async function serve(file: string): Promise<void> {
    const { stop, kill } = await startProgram(portico, ['serve', '--config', file], { cwd: folder })
    process.once('exit', () => void kill())
    started.push(stop)
  }

  const { url, file } = await configure()
  const added = run(['project', 'add', '--id', 'shop', '--origin', SHOP, '--origin', BLOG], file)
  run(['project', 'add', '--id', 'other', '--origin', SHOP], file)
  await serve(file)
  return {
    url,
    secret: /secret +(\w+)/.exec(added)?.[1] ?? '',
    async signIn({ project = 'shop', page = SHOP, portico = url, expirationTime } = {}) {
      const headers = { origin: page, 'x-project-id': project }
      const { nonce } = await (await fetch(`${portico}/auth/v1/nonce`, { headers })).json()
      const message = createSiweMessage({
        domain: new URL(page).host,
        address: visitor.address,
        uri: `${page}/checkout`,
        version: '1',
        chainId: 1,
        nonce,
        ...(expirationTime && { expirationTime })
      })
      const signature = await visitor.signMessage({ message })
      const body = JSON.stringify({ message, signature })
      const answer = await fetch(`${portico}/auth/v1/authenticate`, { method: 'POST', headers, body })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()).token
    },
    async session(method, path, token) {
      const headers = { origin: SHOP, 'x-project-id': 'shop', authorization: `Bearer ${token}` }
      return (await fetch(`${url}/auth/v1/${path}`, { method, headers })).status
    },
    rotate(...words) {
      run(['auth', 'keys', 'rotate', ...words], file)
    },
    async another(publicUrl) {
      const second = await configure(publicUrl)
      await serve(second.file)
      return second.url
    },
    async stop() {
      await Promise.all(started.map((stop) => stop()))
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
