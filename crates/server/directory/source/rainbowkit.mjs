// npm `@rainbow-me/rainbowkit`: one function per wallet. They are bundled without their imports and called as on an
// iPhone, where they return the links of the apps.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { appStore, chromeStore, page, playStore, rdns, scheme, universal } from '../links.mjs'

export const source = { package: '@rainbow-me/rainbowkit', version: '2.2.11', licence: 'MIT' }

const HOLLOW = `module.exports = new Proxy(function () {}, {
  get: (_, name) => (name === '__esModule' ? false : name === Symbol.toPrimitive ? () => '' : module.exports),
  apply: () => module.exports
})`

const withoutImports = {
  name: 'without imports',
  setup(bundle) {
    bundle.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' ? undefined : { path, namespace: 'hollow' }
    )
    bundle.onLoad({ filter: /.*/, namespace: 'hollow' }, () => ({ contents: HOLLOW, loader: 'js' }))
  }
}

async function functions(folder) {
  const to = mkdtempSync(join(tmpdir(), 'portico-directory-'))
  try {
    const outfile = join(to, 'wallets.mjs')
    const entry = join(folder, 'dist/wallets/walletConnectors/index.js')
    await build({
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      outfile,
      logLevel: 'error',
      plugins: [withoutImports]
    })
    return await import(pathToFileURL(outfile))
  } finally {
    rmSync(to, { recursive: true })
  }
}

/** URL prefix before `wc?uri=…`. */
function beginning(uri) {
  const found = /^(.+?)\/?wc\?uri=wc%3AU/.exec(uri ?? '')
  return found && !found[1].startsWith('wc:') ? found[1].replace(/^([a-z][a-z0-9+.-]*:)\/?$/i, '$1//') : null
}

/** Global names under which the wallet injects its provider. */
function injected(text) {
  const ids = [...text.matchAll(/(?:flag|namespace): "([\w.]+)"/g)].map((found) => found[1])
  return [...new Set(ids)]
    .filter((id) => id !== 'ethereum')
    .map((injected_id) => ({ namespace: 'eip155', injected_id }))
}

function picture(data, background) {
  const found = /^data:image\/svg\+xml(;base64)?,(.*)$/s.exec(data ?? '')
  if (!found) return null
  const bytes = found[1] ? Buffer.from(found[2], 'base64') : Buffer.from(decodeURIComponent(found[2]))
  return { bytes, background: /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(background) ? background : undefined }
}

export async function read(folder) {
  globalThis.navigator ??= { userAgent: 'iPhone' }
  const wallets = new Map()
  for (const wallet of Object.values(await functions(folder))) {
    if (typeof wallet !== 'function') continue
    const record = wallet({ projectId: '-', appName: '-', walletConnectParameters: {} })
    const mobile = beginning(record.mobile?.getUri?.('wc:U'))
    const links = record.downloadUrls ?? {}
    wallets.set(record.id, {
      key: `rainbowkit.${record.id}`,
      rank: Number.MAX_SAFE_INTEGER,
      name: record.name.trim(),
      homepage: page(links.browserExtension) ?? page(links.qrCode) ?? page(links.mobile) ?? page(links.desktop),
      rdns: rdns(record.rdns),
      mobile_link: scheme(mobile),
      link_mode: universal(mobile),
      desktop_link: scheme(beginning(record.desktop?.getUri?.('wc:U'))),
      webapp_link: null,
      app_store: appStore(links.ios),
      play_store: playStore(links.android),
      chrome_store: chromeStore(links.chrome) ?? chromeStore(links.browserExtension),
      injected: injected(wallet.toString()),
      image: picture(
        typeof record.iconUrl === 'function' ? await record.iconUrl() : record.iconUrl,
        record.iconBackground
      ),
      source
    })
  }
  return [...wallets.values()]
}
