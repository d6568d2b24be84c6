import type { ComponentChildren } from 'preact'

interface CasesLinkProps {
  /** Undefined: there are no such cases, and nowhere to lead to. */
  href: string | undefined
  kind?: string
  children: ComponentChildren
}

/** A number that leads to its cases. */
export function CasesLink({ href, kind = '', children }: CasesLinkProps) {
  if (href === undefined) return <span class={kind}>{children}</span>
  return (
    <a class={kind} href={href}>
      {children}
    </a>
  )
}
