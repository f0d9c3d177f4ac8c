import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { DownloadsView } from './DownloadsView.tsx'

const links = () =>
  screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('rel')])

it('without a chosen wallet there is nothing', () => {
  const picture = pictureOf('Downloads.desktop')
  draw(DownloadsView, { ...picture, directory: picture.directory && { ...picture.directory, chosen: null } })
  expect(links()).toEqual([])
})

it('on a desktop it leads to the extension, the apps and the page of the wallet, and tells them nothing', () => {
  draw(DownloadsView, 'Downloads.desktop')
  expect(screen.getByText("MetaMask isn't installed in this browser")).toBeTruthy()
  expect(links()).toEqual([
    [
      'Chrome Web Store',
      'https://chromewebstore.google.com/detail/nkbihfbeogaeaoehlefnkodbefgpgknn',
      'noopener noreferrer'
    ],
    ['App Store', 'https://apps.apple.com/app/id1438144202', 'noopener noreferrer'],
    ['Google Play', 'https://play.google.com/store/apps/details?id=io.metamask', 'noopener noreferrer'],
    ['Website', 'https://metamask.io', 'noopener noreferrer']
  ])
})

it('on a phone it leads into the app first, and not to an extension', () => {
  draw(DownloadsView, 'Downloads.mobile')
  expect(links().map(([words]) => words)).toEqual(['Open MetaMask', 'App Store', 'Google Play', 'Website'])
})

it('whoever follows a link is said to have', () => {
  const { said } = draw(DownloadsView, 'Downloads.desktop')
  // There is no network here to follow the link to.
  document.addEventListener('click', (event) => event.preventDefault(), { once: true, capture: true })
  fireEvent.click(screen.getByTestId('w3m-download-appStore'))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'getAsked', kind: 'appStore' } }])
})
