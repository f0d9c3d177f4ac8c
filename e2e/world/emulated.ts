//! Google, GitHub and Apple by the package `emulate`: a second implementation of these services, by other people than those of `oidc-provider`.

import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmulator, type Emulator } from 'emulate'
import { freePort } from '../peers/world/port.ts'
import { CLIENT, type Identities, SECRET, type ServiceWord, settingsOf } from './identity.ts'

/** Person with an account at each service. */
export const PERSON = { name: 'Ada Lovelace', login: 'ada', email: 'ada@example.org' } as const

/** Starts the services for a wallet of this origin. */
export async function startEmulated(wallet: string): Promise<Identities> {
  const [google, github, apple] = await Promise.all([
    startGoogle(wallet),
    start('github', wallet),
    start('apple', wallet)
  ])
  const services = { google, github, apple }
  const origins = new Map(Object.entries(services).map(([word, { url }]) => [word as ServiceWord, url]))
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    settings: settingsOf(origins, privateKey),
    origin: (word) => origins.get(word) ?? '',
    async stop() {
      await Promise.all(Object.values(services).map((service) => service.close()))
    }
  }
}

type Word = 'google' | 'github' | 'apple'

async function start(service: Word, wallet: string, port?: number, baseUrl?: string): Promise<Emulator> {
  const client = { client_id: CLIENT, client_secret: SECRET, name: 'Example Shop' }
  const clients = [{ ...client, redirect_uris: [`${wallet}/wallet/callback/${service}`] }]
  const { login, ...person } = PERSON
  const seed =
    service === 'github'
      ? { users: [{ login, ...person }], oauth_apps: clients }
      : { users: [person], oauth_clients: clients }
  return createEmulator({
    service,
    port: port ?? (await freePort()),
    ...(baseUrl && { baseUrl }),
    seed: { [service]: seed }
  })
}

/** Google's tokens come from another host than its pages, at `/token`. The package has them at `/oauth2/token` of the same host. */
async function startGoogle(wallet: string): Promise<{ url: string; close(): Promise<void> }> {
  const port = await freePort()
  const server = createServer(async (request, response) => {
    const path = request.url === '/token' ? '/oauth2/token' : request.url
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = 'GET', headers } = request
    const type = headers['content-type']
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      redirect: 'manual',
      headers: type === undefined ? {} : { 'content-type': type },
      ...(method === 'POST' && { body: Buffer.concat(chunks) })
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const emulator = await start('google', wallet, port, url)
  return {
    url,
    async close() {
      server.closeAllConnections()
      await Promise.all([emulator.close(), new Promise((resolve) => server.close(resolve))])
    }
  }
}
