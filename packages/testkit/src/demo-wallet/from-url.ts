//! Demo wallets from the page's URL, so that a test or a curious visitor can choose them without a rebuild.

import { ONE_CLICK_LIES, type OneClick } from './connect-methods.ts'
import { createDemoWallet, type DemoWallet, type DemoWalletOptions } from './demo-wallet.ts'
import type { IconMark } from './icon.ts'

export type DemoWalletChoice = Omit<DemoWalletOptions, 'chains'>

const PRESETS: readonly { name: string; rdns: string; color: string; mark: IconMark }[] = [
  { name: 'Demo Wallet', rdns: 'test.portico.demo', color: '#6d4aff', mark: 'arch' },
  { name: 'Demo Wallet Teal', rdns: 'test.portico.demo.teal', color: '#0b7d75', mark: 'wave' },
  { name: 'Demo Wallet Amber', rdns: 'test.portico.demo.amber', color: '#b45309', mark: 'sun' },
  { name: 'Demo Wallet Green', rdns: 'test.portico.demo.green', color: '#3f7d20', mark: 'leaf' }
]

/**
 * Reads each `?wallet=` as one wallet: a mode, then any of `name=`, `late=1500`, `late=manual`, `approval=auto`, `legacy`, `locked`,
 * `batches`, `oneClick`, `oneClick=domain`, separated by commas. `?wallets=3` makes that number of normal wallets, `?wallets=0` none; with neither there is one.
 *
 * `?wallet=normal&wallet=slow:2000,late=500` gives two wallets, the second slow and announced half a second late.
 */
export function demoWalletsFromUrl(url: string | URL): DemoWalletChoice[] {
  const parameters = new URL(url, 'http://localhost').searchParams
  const described = parameters.getAll('wallet')
  const count = parameters.has('wallets') ? Number(parameters.get('wallets')) : 1
  if (!Number.isInteger(count) || count < 0)
    throw new TypeError(`Not a number of wallets: '${parameters.get('wallets')}'`)
  const descriptions = described.length > 0 ? described : Array.from({ length: count }, () => 'normal')
  return descriptions.map((description, index) => ({ ...preset(index), ...parse(description) }))
}

/** Creates and announces the wallets that a URL describes. */
export function startDemoWallets(
  url: string | URL,
  shared: Pick<DemoWalletOptions, 'chains'> & Partial<DemoWalletOptions>
): DemoWallet[] {
  return demoWalletsFromUrl(url).map((choice) => {
    const wallet = createDemoWallet({ ...shared, ...choice })
    wallet.announce()
    return wallet
  })
}

function preset(index: number): DemoWalletChoice {
  const found = PRESETS[index % PRESETS.length]
  if (found === undefined || index < PRESETS.length) return { ...found }
  return { ...found, name: `${found.name} ${index + 1}`, rdns: `${found.rdns}.n${index + 1}` }
}

function parse(description: string): DemoWalletChoice {
  const [mode = 'normal', ...settings] = description.split(',')
  const choice: { -readonly [K in keyof DemoWalletChoice]: DemoWalletChoice[K] } = {
    mode: mode === '' ? 'normal' : mode
  }
  for (const setting of settings) {
    const [key, value = ''] = setting.split('=', 2)
    switch (key) {
      case 'name':
        choice.name = value
        break
      case 'late':
        choice.late = value === 'manual' ? value : milliseconds(value)
        break
      case 'approval':
        if (value !== 'auto' && value !== 'dialog') throw new TypeError(`Expected auto or dialog, not '${value}'`)
        choice.approval = value
        break
      case 'oneClick':
        if (value !== '' && !ONE_CLICK_LIES.some((lie) => lie === value))
          throw new TypeError(`Not a lie of the demo wallet: '${value}'`)
        choice.oneClick = (value || 'honest') as OneClick
        break
      case 'legacy':
      case 'locked':
      case 'batches':
        choice[key] = true
        break
      default:
        throw new TypeError(`Not a setting of the demo wallet: '${setting}'`)
    }
  }
  return choice
}

function milliseconds(value: string): number {
  const parsed = Number(value)
  if (value === '' || !(parsed >= 0)) throw new TypeError(`Not a delay in milliseconds: '${value}'`)
  return parsed
}
