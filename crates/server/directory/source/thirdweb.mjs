// npm `thirdweb`: one generated file per wallet, `src/wallets/__generated__/wallet/<id>/`, and their order.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { appStore, chromeStore, page, playStore, rdns, scheme, universal, web } from '../links.mjs'

export const source = { package: 'thirdweb', version: '5.121.6', licence: 'Apache-2.0' }

/** Literal after the first `=` of a file, read without running the file. */
function literal(text, from) {
  const body = text.slice(text.indexOf(from) + from.length).replace(/ as const;\s*$/, '')
  return vm.runInNewContext(`(${body})`, {}, { timeout: 1_000 })
}

function picture(text) {
  const found = /"data:image\/webp;base64,([A-Za-z0-9+/=]+)"/.exec(text)
  return found ? { bytes: Buffer.from(found[1], 'base64') } : null
}

/** URL of a web wallet. The field often repeats the home page, which accepts no requests. */
function webapp(wallet) {
  const link = universal(wallet.desktop.universal)
  return link && link !== web(wallet.homepage) && link !== web(wallet.app.chrome) ? link : null
}

export function read(folder) {
  const generated = join(folder, 'src/wallets/__generated__')
  const infos = readFileSync(join(generated, 'wallet-infos.ts'), 'utf8')
  const rank = new Map([...infos.matchAll(/^ {4}id: "([^"]+)"/gm)].map((found, index) => [found[1], index]))
  return readdirSync(join(generated, 'wallet'))
    .sort()
    .map((id) => {
      const path = join(generated, 'wallet', id)
      const wallet = literal(readFileSync(join(path, 'index.ts'), 'utf8'), 'wallet = ')
      return {
        key: id,
        rank: rank.get(id) ?? Number.MAX_SAFE_INTEGER,
        name: wallet.name.trim(),
        homepage: page(wallet.homepage),
        rdns: rdns(wallet.rdns),
        mobile_link: scheme(wallet.mobile.native),
        link_mode: universal(wallet.mobile.universal),
        desktop_link: scheme(wallet.desktop.native),
        webapp_link: webapp(wallet),
        app_store: appStore(wallet.app.ios),
        play_store: playStore(wallet.app.android),
        chrome_store: chromeStore(wallet.app.chrome),
        injected: [],
        image: picture(readFileSync(join(path, 'image.ts'), 'utf8')),
        source
      }
    })
}
