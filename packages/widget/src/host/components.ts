//! The buttons and the provider as React components.

import { createElement, type HTMLAttributes, type ReactElement, type ReactNode, useState } from 'react'
import type { ChainNamespace, CreateAppKit } from './options.ts'
import { createAppKit } from './single.ts'

type Element = Pick<HTMLAttributes<HTMLElement>, 'id' | 'className' | 'slot'>

export interface AppKitConnectButtonProps extends Element {
  /** Default `md`. */
  readonly size?: 'sm' | 'md' | 'lg'
  /** Default "Connect Wallet". */
  readonly label?: string
  /** Default "Connecting...". */
  readonly loadingLabel?: string
  readonly namespace?: ChainNamespace
  readonly disabled?: boolean
}

export interface AppKitAccountButtonProps extends Element {
  readonly disabled?: boolean
  /** Default `show`. */
  readonly balance?: 'show' | 'hide'
  /** How many characters of the address are shown at its start. Default 4. */
  readonly charsStart?: number
  /** And at its end. Default 6. */
  readonly charsEnd?: number
  readonly namespace?: ChainNamespace
}

export type AppKitButtonProps = AppKitConnectButtonProps & AppKitAccountButtonProps

export interface AppKitNetworkButtonProps extends Element {
  readonly disabled?: boolean
  readonly label?: string
}

/** Connects, and shows the account once there is one. */
export function AppKitButton(props: AppKitButtonProps): ReactElement {
  return element('appkit-button', props)
}

export function AppKitConnectButton(props: AppKitConnectButtonProps): ReactElement {
  return element('appkit-connect-button', props)
}

export function AppKitAccountButton(props: AppKitAccountButtonProps): ReactElement {
  return element('appkit-account-button', props)
}

export function AppKitNetworkButton(props: AppKitNetworkButtonProps): ReactElement {
  return element('appkit-network-button', props)
}

/** React 18 writes `disabled={false}` as a text and `className` under that name. */
function element(name: string, { disabled, className, ...rest }: AppKitButtonProps): ReactElement {
  return createElement(name, { ...rest, class: className, disabled: disabled ? '' : undefined })
}

export interface AppKitProviderProps extends CreateAppKit {
  readonly children?: ReactNode
}

/** Makes the modal with the options it is first rendered with, for the components in it. */
export function AppKitProvider({ children, ...options }: AppKitProviderProps): ReactNode {
  useState(() => createAppKit(options))
  return children
}
