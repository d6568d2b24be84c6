import type { ComponentChildren, JSX } from 'preact'
import { offline } from '../state/connection.ts'
import { texts } from '../state/texts.ts'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon'> {
  kind?: 'plain' | 'primary' | 'quiet'
  icon?: IconName
  /** False: its form stays in the page. */
  sends?: boolean
  children: ComponentChildren
}

/** One that sends waits for the connection, and says so. */
export function Button({
  kind = 'plain',
  icon,
  children,
  type = 'button',
  sends = type === 'submit',
  ...rest
}: ButtonProps) {
  const isWaiting = sends && offline.value !== null && !rest['aria-disabled']
  const waiting = { 'aria-disabled': true, onClick: (event: Event) => event.preventDefault() }
  return (
    <button type={type} class={`button ${kind}`} {...rest} {...(isWaiting && waiting)}>
      {icon !== undefined && <Icon name={icon} />}
      {isWaiting ? texts().states.awaiting : children}
    </button>
  )
}
