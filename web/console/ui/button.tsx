import type { ComponentChildren, JSX } from 'preact'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'icon'> {
  kind?: 'plain' | 'primary' | 'quiet'
  icon?: IconName
  children: ComponentChildren
}

export function Button({ kind = 'plain', icon, children, type = 'button', ...rest }: ButtonProps) {
  return (
    <button type={type} class={`button ${kind}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}
