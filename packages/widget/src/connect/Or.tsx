import type { ConnectMethod } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'
import { loginWords } from '../text/login.ts'
import { useText } from '../text/text.tsx'

/** Line between a login and the wallets, where they are its neighbours among the connect methods: before it, or after it. */
export function Or({ method, after = false }: { method: ConnectMethod; after?: boolean }) {
  const t = useText(loginWords)
  const beside = useSnapshot(({ connect: { methods } }) => methods[methods.indexOf(method) + (after ? 1 : -1)])
  return (
    beside === 'wallet' && (
      <div className="or" data-testid={`w3m-${method}-login-or-separator`}>
        {t('or')}
      </div>
    )
  )
}
