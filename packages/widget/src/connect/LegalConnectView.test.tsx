import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { LegalConnectView } from './LegalConnectView.tsx'

const { getAllByRole, getByRole, getByTestId, queryByText } = screen
const box = () => getByTestId<HTMLInputElement>('w3m-legal-checkbox')
const wallet = () => getByTestId('wallet-selector-example.beta')

it('the box is called by what is agreed to, and its links leave the page where it is', () => {
  draw(LegalConnectView, 'Connect.consentMissing')
  expect(getByRole('checkbox', { name: "I agree to the site's Terms of Service and Privacy Policy" })).toBe(box())
  expect(
    getAllByRole('link').map((link) => [
      link.getAttribute('href'),
      link.getAttribute('target'),
      link.getAttribute('rel')
    ])
  ).toEqual([
    ['https://host.example/terms', '_blank', 'noreferrer'],
    ['https://host.example/privacy', '_blank', 'noreferrer']
  ])
})

it('until it is ticked no wallet can be chosen, and a reader is told why', () => {
  const { said } = draw(LegalConnectView, 'Connect.consentMissing')
  expect([box().checked, wallet().getAttribute('aria-disabled')]).toEqual([false, 'true'])
  const reason = document.getElementById(wallet().getAttribute('aria-describedby') ?? '')
  expect(reason?.textContent).toBe("Agree to the site's terms first.")
  fireEvent.click(wallet())
  expect(said).toEqual([])
})

it('ticking it is told to the core', () => {
  const missing = draw(LegalConnectView, 'Connect.consentMissing')
  fireEvent.click(box())
  expect(missing.said).toEqual([{ feature: 'connect', event: { type: 'legalTicked', ticked: true } }])
})

it('once it is ticked the wallets are buttons as ever, and the agreement is not named twice', () => {
  const { said } = draw(LegalConnectView, 'Connect.consentGiven')
  expect([box().checked, wallet().getAttribute('aria-disabled')]).toEqual([true, null])
  expect(queryByText(/By connecting, you agree/)).toBeNull()
  fireEvent.click(wallet())
  fireEvent.click(box())
  expect(said).toEqual([
    { feature: 'connect', event: { type: 'walletChosen', connector: 'example.beta' } },
    { feature: 'connect', event: { type: 'legalTicked', ticked: false } }
  ])
})

it('it speaks Arabic as well', () => {
  draw(LegalConnectView, 'Connect.consentMissing', arabic)
  expect(box().closest('label')?.textContent).toMatch(/^أوافق على/)
})
