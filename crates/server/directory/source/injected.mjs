// npm `@web3-onboard/injected-wallets`: one record per wallet with the flag of its provider, and its icon as text.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { page } from '../links.mjs'

export const source = { package: '@web3-onboard/injected-wallets', version: '2.11.3', licence: 'MIT' }

async function picture(folder, name) {
  const path = join(folder, 'dist/icons', name)
  if (!existsSync(path)) return null
  const { default: icon } = await import(pathToFileURL(path))
  const data = /^\s*data:image\/(?:png|jpeg|webp|svg\+xml);base64,(\S+)\s*$/.exec(icon)
  if (data) return { bytes: Buffer.from(data[1], 'base64') }
  return icon.includes('<svg') ? { bytes: Buffer.from(icon.trim()) } : null
}

export async function read(folder) {
  const text = await readFile(join(folder, 'dist/wallets.js'), 'utf8')
  const types = await import(pathToFileURL(join(folder, 'dist/types.js')))
  const records = []
  for (const [, body] of text.matchAll(/^const \w+ = \{\n( {4}label: ProviderLabel[\s\S]*?)\n\};$/gm)) {
    const label = types.ProviderLabel[/label: ProviderLabel\.(\w+)/.exec(body)[1]]
    const flag = types.ProviderIdentityFlag[/ProviderIdentityFlag\.(\w+)/.exec(body)?.[1]]
    const url = types.ProviderExternalUrl[/ProviderExternalUrl\.(\w+)/.exec(body)?.[1]]
    const icon = /import\('\.\/icons\/([\w.-]+)'\)/.exec(body)?.[1]
    // Flags of every provider do not identify a wallet.
    const telling = flag && !['request', 'wallet', 'isMetaMask'].includes(flag)
    records.push({
      key: `injected.${label}`,
      rank: Number.MAX_SAFE_INTEGER,
      name: label,
      homepage: page(url),
      rdns: null,
      mobile_link: null,
      link_mode: null,
      desktop_link: null,
      webapp_link: null,
      app_store: null,
      play_store: null,
      chrome_store: null,
      injected: telling || label === 'MetaMask' ? [{ namespace: 'eip155', injected_id: flag }] : [],
      image: icon ? await picture(folder, icon) : null,
      source
    })
  }
  return records
}
