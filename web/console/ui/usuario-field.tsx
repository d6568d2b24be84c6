import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../state/session.ts'
import { Combobox } from './combobox.tsx'

export interface Pessoa {
  id: number
  nome: string
  email: string
}

interface UsuarioFieldProps {
  label: string
  value: Pessoa | null
  onChange(pessoa: Pessoa | null): void
  /** Accounts that cannot be chosen. */
  except?: readonly number[]
  hint: string
  none: string
  note?: string | undefined
}

/** Letters from which on accounts are looked for. */
const SHORTEST = 2
const MOST = 20

/** An active account, by name or e-mail. */
export function UsuarioField({ label, value, onChange, except = [], hint, none, note }: UsuarioFieldProps) {
  const [wanted, setWanted] = useState('')
  const text = wanted.trim()
  const isShort = text.length < SHORTEST
  const found = useQuery({
    queryKey: ['usuarios', 'busca', text],
    queryFn: ({ signal }) =>
      api.get('/api/v1/usuarios', { query: { search: text, ativo: true, size: MOST } }, { signal }),
    enabled: !isShort && !text.startsWith('{'),
  })
  const pessoas = (isShort ? [] : (found.data?.items ?? [])).filter(({ id }) => !except.includes(id))
  return (
    <Combobox
      label={label}
      value={value?.nome ?? ''}
      options={pessoas.map(({ id, nome, email }) => ({ key: String(id), label: nome, note: email }))}
      onInput={setWanted}
      onChoose={(key) => onChange(pessoas.find(({ id }) => String(id) === key) ?? null)}
      onClear={() => onChange(null)}
      none={none}
      hint={isShort ? hint : undefined}
      isLoading={found.isFetching}
      note={note}
    />
  )
}
