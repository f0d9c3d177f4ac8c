import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { ConnectingWalletConnectBasicView } from './ConnectingWalletConnectBasicView.tsx'
import { ConnectingWalletConnectView } from './ConnectingWalletConnectView.tsx'

const { getByRole, getByTestId, getByText, queryByRole, queryByTestId, queryByText } = screen
const code = () => document.querySelector('wui-qr-code')
const again = 'w3m-connecting-widget-secondary-button'

/** Snapshot of the view with parts of the pairing replaced. */
function pictureWith(name: string, changes: Partial<NonNullable<Snapshot['pairing']>>): Snapshot {
  const picture = pictureOf(name)
  if (!picture.pairing) throw new Error(`${name} has no pairing`)
  return { ...picture, pairing: { ...picture.pairing, ...changes } }
}

describe('the code', () => {
  it('is told as an attribute, drawn as a path, and named for a reader', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.generic')
    const { pairing } = pictureOf('ConnectingWalletConnect.generic')
    expect(code()?.getAttribute('uri')).toBe(pairing?.uri)
    expect(code()?.querySelector('svg > path')).toBeTruthy()
    expect(getByRole('img', { name: 'QR code to connect a wallet' })).toBe(code())
  })

  it('on a phone the link comes first, because the phone cannot scan its own screen', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.genericMobile')
    expect(getByText('Copy the link')).toBeTruthy()
    expect(getByTestId('copy-wc2-uri').classList.contains('primary')).toBe(true)
    cleanup()
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.generic')
    expect(getByText('Scan with your phone')).toBeTruthy()
    expect(getByTestId('copy-wc2-uri').classList.contains('primary')).toBe(false)
  })

  it('has its place before it is there, and says that it comes', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.opening')
    expect(code()?.hasAttribute('uri')).toBe(false)
    expect(code()?.getAttribute('aria-busy')).toBe('true')
    expect(getByTestId('copy-wc2-uri').hasAttribute('disabled')).toBe(true)
  })

  it('that is replaced takes its place without moving what stands around it', () => {
    const shell = draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.generic')
    const before = code()
    const { pairing } = pictureOf('ConnectingWalletConnect.generic')
    if (pairing) shell.tell({ pairing: { ...pairing, uri: 'wc:next@2', qr: { size: 21, path: 'M0 0h1v1h-1z' } } })
    expect(code()).toBe(before)
    expect(code()?.getAttribute('uri')).toBe('wc:next@2')
  })

  it('shows the picture of the wallet in its middle', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.ready')
    expect(code()?.querySelector('.qr-logo .tile')).toBeTruthy()
  })

  it('is copied as a link', () => {
    const { said } = draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.generic')
    fireEvent.click(within(getByTestId('wui-link-copy')).getByTestId('copy-wc2-uri'))
    expect(said).toEqual([{ feature: 'connect', event: { type: 'uriCopyAsked' } }])
  })

  it('tells how long it is good for, and does not read it out with every second', () => {
    const shell = draw(ConnectingWalletConnectView, { ...pictureOf('ConnectingWalletConnect.generic'), countdown: 125 })
    expect(getByRole('timer').textContent).toBe('New code in 2:05')
    expect(getByRole('timer').getAttribute('aria-live')).toBe('off')
    shell.tell({ countdown: 9 })
    expect(getByRole('timer').textContent).toBe('New code in 0:09')
    shell.tell({ countdown: null })
    expect(queryByRole('timer')).toBeNull()
  })

  it('that cannot be drawn is a link to be copied', () => {
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.generic', { qr: null }))
    expect(code()).toBeNull()
    expect(getByRole('status').textContent).toContain('Copy the link and paste it')
    expect(getByTestId('copy-wc2-uri').hasAttribute('disabled')).toBe(false)
  })

  it('stays while the relay takes its time, and says so', () => {
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.generic', { phase: 'slow' }))
    expect(code()?.hasAttribute('uri')).toBe(true)
    expect(getByRole('status').textContent).toContain('Connecting is taking a while')
  })
})

describe('what went wrong', () => {
  it.each([
    ['ConnectingWalletConnect.refused', 'Request declined'],
    ['ConnectingWalletConnect.mobileRefused', 'Request declined'],
    ['ConnectingWalletConnect.failed', "Couldn't connect"],
    ['ConnectingWalletConnect.expired', 'Link expired'],
    ['ConnectingWalletConnect.unreachable', "This site can't use WalletConnect yet"],
    ['ConnectingWalletConnectBasic.failed', "Couldn't connect"]
  ])('%s says so, and offers another try', (name, title) => {
    const basic = name.includes('Basic')
    const { said } = draw(basic ? ConnectingWalletConnectBasicView : ConnectingWalletConnectView, name)
    expect(getByText(title)).toBeTruthy()
    expect(code()).toBeNull()
    fireEvent.click(getByTestId(again))
    expect(said).toEqual([{ feature: 'connect', event: { type: 'pairingRetryAsked' } }])
  })

  it('speaks of a code where one was on the screen, and of a link where one opens the wallet', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.expired')
    expect([getByText('Link expired') !== null, getByTestId(again).textContent]).toEqual([true, 'Get new link'])
    cleanup()
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.opening', { phase: 'expired' }))
    expect([getByText('Code expired') !== null, getByTestId(again).textContent]).toEqual([true, 'Get new code'])
  })

  it('names a wallet that is not known as one does in the middle of a sentence, and at its beginning', () => {
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.refused', { wallet: null }))
    expect(getByText('You declined the request in your wallet. Nothing was shared.')).toBeTruthy()
    cleanup()
    const error = { code: 5100, kind: 'unknown', message: 'no' } as const
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.failed', { wallet: null, error }))
    expect(getByText("The wallet couldn't complete the request.")).toBeTruthy()
  })

  it('is told in the words of the wallet, as text', () => {
    const error = { code: 5100, kind: 'unknown', message: '<b>no</b>' } as const
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.failed', { error }))
    expect(getByText('<b>no</b>')).toBeTruthy()
  })

  it('is not said of the wallet where it never heard of it', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.failed')
    expect(getByRole('status').textContent).toBe("Couldn't connectCheck your connection and try again.")
  })

  it('is told in the words of the relay, where it wants nothing of this page', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.unreachable')
    expect(getByRole('status').textContent).toContain('Message from WalletConnectUnauthorized: origin not allowed')
  })

  it.each([
    [3000, "This site can't use WalletConnect yet"],
    [4900, "Couldn't reach WalletConnect"]
  ])('with %i is said to be a matter of the site, or of the line', (code, title) => {
    const error = { code, kind: 'unknown', message: 'Unauthorized: origin not allowed' } as const
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.unreachable', { error }))
    expect(getByText(title)).toBeTruthy()
  })

  it('and a wallet that nothing here reaches is told as such, with where to get it', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.unsupported')
    expect(getByTestId('empty-state-text').textContent).toContain("isn't available on this device")
    expect(queryByTestId(again)).toBeNull()
  })

  it.each([
    ['ConnectingWalletConnect', ConnectingWalletConnectView],
    ['ConnectingWalletConnectBasic', ConnectingWalletConnectBasicView]
  ])('where there is no pairing at all, %s says that it is not available', (_, View) => {
    const picture = pictureOf('ConnectingWalletConnect.generic')
    draw(View, { ...picture, pairing: null, config: { ...picture.config, walletConnect: false } })
    expect(getByText('Not available here')).toBeTruthy()
  })

  it.each([
    ['ConnectingWalletConnect', ConnectingWalletConnectView],
    ['ConnectingWalletConnectBasic', ConnectingWalletConnectBasicView]
  ])('until the core can make a code, %s keeps its place', (_, View) => {
    draw(View, { ...pictureOf('ConnectingWalletConnect.generic'), pairing: null })
    expect(queryByText('Not available here')).toBeNull()
    expect(code()?.getAttribute('uri') ?? '').toBe('')
  })
})

describe('a wallet on this device', () => {
  it('is a link that is there before the tap, and tells the wallet nothing of this page', () => {
    const { said } = draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.mobile')
    const link = getByTestId(again)
    expect(link.tagName).toBe('A')
    expect(link.getAttribute('href')).toBe(pictureOf('ConnectingWalletConnect.mobile').pairing?.href)
    expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_self', 'noopener noreferrer'])
    // The core opens the link in this gesture; the browser must not open it again.
    expect(fireEvent.click(link)).toBe(false)
    expect(said).toEqual([{ feature: 'connect', event: { type: 'linkAsked' } }])
  })

  it('is left to the browser by whoever holds a key down, and opened by nobody else', () => {
    const { said } = draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.web')
    for (const key of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey']) {
      let left = false
      const see = (event: Event) => {
        left = !event.defaultPrevented
        // Keeps the test's own page from navigating.
        event.preventDefault()
      }
      window.addEventListener('click', see, { once: true })
      fireEvent.click(getByTestId(again), { [key]: true })
      expect(left, key).toBe(true)
    }
    expect(said).toEqual([])
  })

  it('opens all the same while the relay takes its time, and says so', () => {
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.mobile', { phase: 'slow' }))
    expect(getByRole('status').textContent).toContain('You can already open your wallet')
    expect(getByTestId(again).getAttribute('href')).toBeTruthy()
  })

  it('whose link is not there yet cannot be opened, and says that it comes', () => {
    const { said } = draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.mobile', { href: null }))
    expect(getByTestId(again).getAttribute('aria-busy')).toBe('true')
    fireEvent.click(getByTestId(again))
    expect(said).toEqual([])
  })

  it('that is a page opens in a tab of its own', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.web')
    expect(getByTestId(again).getAttribute('target')).toBe('_blank')
  })

  it('that was opened can be opened again, copied to, or left for a code', () => {
    const { said } = draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.opened')
    expect(getByTestId(again).textContent).toBe('Open again')
    expect(getByTestId('copy-wc2-uri')).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'QR code' }))
    expect(said).toEqual([{ feature: 'connect', event: { type: 'platformChosen', platform: 'qrcode' } }])
  })
})

describe('the ways to a wallet', () => {
  const tabs = () => screen.queryAllByRole('tab').map(({ dataset }) => dataset.testid)

  it('are tabs that hosts know by name, and none where there is one way only', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.generic')
    expect(tabs()).toEqual([])
    const platforms = ['browser', 'qrcode', 'web', 'desktop'] as const
    draw(ConnectingWalletConnectView, pictureWith('ConnectingWalletConnect.ready', { platforms, platform: 'qrcode' }))
    expect(tabs()).toEqual(['tab-browser', 'tab-mobile', 'tab-webapp', 'tab-desktop'])
    expect(getByRole('tab', { selected: true }).dataset.testid).toBe('tab-mobile')
  })

  it('are gone through with the arrows, the other way round from right to left', () => {
    const platforms = ['mobile', 'web', 'qrcode'] as const
    const picture = pictureWith('ConnectingWalletConnect.mobile', { platforms, platform: 'mobile' })
    const { said } = draw(ConnectingWalletConnectView, picture)
    for (const key of ['ArrowRight', 'ArrowLeft', 'End']) fireEvent.keyDown(getByRole('tablist'), { key })
    const chosen = said.map(({ event }) => 'platform' in event && event.platform)
    expect(chosen).toEqual(['web', 'qrcode', 'qrcode'])
  })

  it('have words in every language', () => {
    draw(ConnectingWalletConnectView, 'ConnectingWalletConnect.platforms', arabic)
    expect(getByRole('tablist', { name: 'طرق الاتصال' })).toBeTruthy()
    expect(queryByText(/^[A-Z][a-z]+ code$/)).toBeNull()
  })
})

it('the basic view shows the code, and wallets below it', () => {
  draw(ConnectingWalletConnectBasicView, 'ConnectingWalletConnectBasic.ready')
  expect(code()?.hasAttribute('uri')).toBe(true)
})
