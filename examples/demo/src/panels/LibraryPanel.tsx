import { useAppKitAccount, useAppKitProvider } from '@portico/widget/react'
import { useState } from 'react'
import type { EIP1193Provider } from 'viem'
import * as withEthers from '../libraries/ethers.ts'
import * as withViem from '../libraries/viem.ts'
import { inWords } from '../words.ts'
import { Panel } from './Panel.tsx'

const LIBRARIES = [
  ['viem', withViem],
  ['ethers', withEthers]
] as const

/** Panel that uses the widget's provider with the libraries that hosts use. */
export function LibraryPanel() {
  const { isConnected } = useAppKitAccount()
  const { walletProvider } = useAppKitProvider<EIP1193Provider>('eip155')
  const [said, setSaid] = useState('')
  const run = async (work: (provider: EIP1193Provider) => Promise<string>) => {
    if (!walletProvider) return setSaid('Connect a wallet first')
    setSaid('Waiting for your wallet…')
    try {
      setSaid(await work(walletProvider))
    } catch (error) {
      setSaid(inWords(error))
    }
  }
  return (
    <Panel title="Libraries">
      {!isConnected && <p className="quiet">Connect a wallet to use these.</p>}
      {LIBRARIES.map(([name, library]) => (
        <div className="row" key={name}>
          <button type="button" disabled={!isConnected} data-testid={`${name}-sign`} onClick={() => run(library.sign)}>
            Sign with {name}
          </button>
          <button type="button" disabled={!isConnected} data-testid={`${name}-send`} onClick={() => run(library.send)}>
            Send with {name}
          </button>
        </div>
      ))}
      <output className="said" data-testid="library-result">
        {said}
      </output>
    </Panel>
  )
}
