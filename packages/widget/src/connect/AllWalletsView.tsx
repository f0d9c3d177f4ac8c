import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { directoryWords } from '../text/directory.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Arrows } from '../ui/Arrows.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { More } from '../ui/More.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { WalletCell } from './WalletCell.tsx'
import { walletsCss } from './wallets.css.ts'

/** Connector id of every remote wallet. */
const WALLET_CONNECT = 'walletConnect'

/** Number of skeleton cells that fill the card. */
const BONES = 16

/** All wallets of the directory, with a search. */
export function AllWalletsView() {
  useStyle(walletsCss)
  const t = useText(directoryWords)
  const dispatch = useDispatch()
  const directory = useSnapshot((snapshot) => snapshot.directory)
  const remote = useSnapshot(({ wallets }) => wallets.groups.some(({ kind }) => kind === 'walletConnect'))
  if (!directory) return <Bones />
  const { search, wallets, phase, more } = directory
  const asked = (phase === 'loading' || phase === 'searching') && wallets.length === 0
  const again = () => dispatch({ feature: 'connect', event: { type: 'moreWalletsAsked' } })
  return (
    <Arrows>
      <SearchField
        value={search}
        label={t('searchWallets')}
        testid="wui-input-text"
        onTyped={(text) => dispatch({ feature: 'connect', event: { type: 'walletSearchTyped', text } })}
      >
        {remote && (
          <IconButton
            icon="qr"
            label={t('scanInstead')}
            data-testid="wallet-search-qr"
            onClick={() => dispatch({ feature: 'connect', event: { type: 'walletChosen', connector: WALLET_CONNECT } })}
          />
        )}
      </SearchField>
      {asked ? (
        <Bones />
      ) : (
        wallets.length > 0 && (
          <ul className="grid" aria-label={t('titleAllWallets')} data-testid="wallet-list">
            {wallets.map((item) => (
              <li key={item.id}>
                <WalletCell item={item} />
              </li>
            ))}
          </ul>
        )
      )}
      <p role="status" className={wallets.length > 0 ? 'unseen' : 'unmatched'}>
        {phase === 'ready' && wallets.length > 0 && t('walletsFound', String(wallets.length))}
        {phase === 'ready' && wallets.length === 0 && (
          <span data-testid="no-wallet-found-text">{t('noSuchWallet')}</span>
        )}
      </p>
      {phase === 'failed' && (
        <Empty icon="warning" title={t('noWallets')} hint={t('noWalletsHint')}>
          <Button icon="retry" data-testid="empty-state-button" onClick={again}>
            {t('tryAgain')}
          </Button>
        </Empty>
      )}
      {(phase === 'more' || (phase === 'ready' && more)) && <More busy={phase === 'more'} onWanted={again} />}
    </Arrows>
  )
}

function Bones() {
  const t = useText(directoryWords)
  return (
    <div role="status" aria-label={t('loadingWallets')}>
      <ul className="grid" aria-hidden="true">
        {Array.from({ length: BONES }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity
          <li className="cell" key={index}>
            <i className="tile bone" />
            <i className="word bone" />
          </li>
        ))}
      </ul>
    </div>
  )
}
