import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Network, Snapshot } from '../generated/core.ts'
import { NetworkButton } from '../modal/NetworkButton.tsx'
import { draw, pictureOf } from '../testing/draw.tsx'
import { NetworksView } from './NetworksView.tsx'
import { SwitchNetworkView } from './SwitchNetworkView.tsx'
import { UnsupportedChainView } from './UnsupportedChainView.tsx'

const { getAllByRole, getByRole, getByTestId, getByText, queryByRole } = screen

/** Snapshot in which each network has an image from the host. */
function painted(name: string): Snapshot {
  const picture = pictureOf(name)
  const paint = (network: Network) => ({ ...network, assets: { imageId: null, imageUrl: `/${network.id}.svg` } })
  const { networks, active } = picture.network
  return {
    ...picture,
    network: { ...picture.network, networks: networks.map(paint), active: active && paint(active) }
  }
}

const drawn = () => [...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))

describe('pictures of networks', () => {
  it.each([
    ['Networks', NetworksView, 'Networks.list', ['/31337.svg', '/31338.svg']],
    ['UnsupportedChain', UnsupportedChainView, 'UnsupportedChain.list', ['/31337.svg', '/31338.svg']],
    ['SwitchNetwork', SwitchNetworkView, 'SwitchNetwork.waiting', ['/31338.svg']],
    ['the button of the account', NetworkButton, 'Account.ready', ['/31337.svg']]
  ])('are drawn in %s', (_, View, name, pictures) => {
    draw(View, painted(name))
    expect(drawn()).toEqual(pictures)
  })
})

describe('Networks', () => {
  it('marks the network in use', () => {
    draw(NetworksView, 'Networks.list')
    const current = getAllByRole('listitem').filter((item) => item.querySelector('[aria-current]'))
    expect(current.map((item) => item.dataset.testid)).toEqual(['w3m-network-switch-Anvil One'])
  })

  it('choosing one says which', () => {
    const { said } = draw(NetworksView, 'Networks.list')
    fireEvent.click(within(getByTestId('w3m-network-switch-Anvil Two')).getByRole('button'))
    expect(said).toEqual([{ feature: 'network', event: { type: 'networkChosen', chain: 'eip155:31338' } }])
  })

  it('a short list has no search, a long one finds by a part of the name', () => {
    draw(NetworksView, 'Networks.list')
    expect(queryByRole('searchbox')).toBeNull()
    draw(NetworksView, 'Networks.many')
    fireEvent.change(getByRole('searchbox', { name: 'Search networks' }), { target: { value: ' OPTI ' } })
    expect(getByText('Optimism')).toBeTruthy()
    expect(screen.queryByText('Polygon')).toBeNull()
    fireEvent.change(getByRole('searchbox'), { target: { value: 'nowhere' } })
    expect(getByText('No networks found. Try another name.')).toBeTruthy()
  })

  it('a network that the session does not allow cannot be chosen, and says why', () => {
    const picture = pictureOf('Account.ready')
    const chains = picture.network.chains.map((chain) => ({
      ...chain,
      networkState: { ...chain.networkState, supportsAllNetworks: false, approvedCaipNetworkIds: ['eip155:31337'] }
    }))
    draw(NetworksView, { ...picture, network: { ...picture.network, chains } })
    const button = within(getByTestId('w3m-network-switch-Anvil Two')).getByRole<HTMLButtonElement>('button')
    expect(button.disabled).toBe(true)
    expect(within(button).getByText('Not allowed in your wallet')).toBeTruthy()
    expect(getByText(/didn't allow every network\. Allow the others there or connect again\.$/)).toBeTruthy()
    const allowed = within(getByTestId('w3m-network-switch-Anvil One')).getByRole<HTMLButtonElement>('button')
    expect(allowed.disabled).toBe(false)
  })
})

describe('SwitchNetwork', () => {
  it.each([
    ['waiting', 'Continue in Alpha Wallet'],
    ['adding', 'Add Anvil Two'],
    ['refused', 'Switch declined'],
    ['failed', "Couldn't switch"]
  ])('when it is %s it says so', (phase, title) => {
    draw(SwitchNetworkView, `SwitchNetwork.${phase}`)
    expect(getByText(title)).toBeTruthy()
    expect(queryByRole('button') !== null).toBe(phase === 'refused' || phase === 'failed')
  })

  it('names the wallet of the network, not that of the namespace in use', () => {
    const { account, network, ...picture } = pictureOf('SwitchNetwork.waiting')
    const inUse = pictureOf('Account.solana').account.accounts.filter(({ namespace }) => namespace === 'solana')
    const accounts = [...inUse, ...account.accounts.filter(({ namespace }) => namespace === 'eip155')]
    draw(SwitchNetworkView, {
      ...picture,
      account: { ...account, accounts },
      network: { ...network, activeNamespace: 'solana' }
    })
    expect(getByText('Continue in Alpha Wallet')).toBeTruthy()
  })

  it('another try can be asked for', () => {
    const { said } = draw(SwitchNetworkView, 'SwitchNetwork.refused')
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'network', event: { type: 'retryAsked' } }])
  })
})

describe('UnsupportedChain', () => {
  it('spec_2_24_offers_the_networks_of_the_host_and_a_way_out', () => {
    const { said } = draw(UnsupportedChainView, 'UnsupportedChain.list')
    expect(getAllByRole('listitem').map((item) => item.dataset.testid)).toEqual([
      'w3m-network-switch-Anvil One',
      'w3m-network-switch-Anvil Two'
    ])
    expect(document.querySelector('[aria-current]')).toBeNull()
    fireEvent.click(getByTestId('disconnect-button'))
    expect(said).toEqual([
      { feature: 'connect', event: { type: 'disconnectAsked', namespace: 'eip155', ticket: null } }
    ])
  })

  it('spec_6_3_offers_no_network_of_another_namespace_before_a_required_sign_in', () => {
    const snapshot = pictureOf('UnsupportedChain.required')
    const [first] = snapshot.network.networks
    if (!first) throw new Error('The snapshot has networks')
    const other = { ...first, name: 'Other', chainNamespace: 'solana', caipNetworkId: 'solana:x' } as const
    const networks = [...snapshot.network.networks, other]
    draw(UnsupportedChainView, { ...snapshot, network: { ...snapshot.network, networks } })
    expect(getAllByRole('listitem').map((item) => item.dataset.testid)).not.toContain('w3m-network-switch-Other')
    getByTestId('disconnect-button')
  })
})
