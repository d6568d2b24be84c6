import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import { agravosTexts } from '../../state/texts/agravos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Answer } from '../../ui/states.tsx'

const FROM = ['modelo', 'outro', 'nada'] as const

interface StartDialogProps {
  tipos: readonly { codigo: string; nome: string }[]
  onClose(): void
}

/** Beginning of a definition: a model, another disease, or nothing. */
export function StartDialog({ tipos, onClose }: StartDialogProps) {
  const t = texts()
  const own = agravosTexts().start
  const { route } = useLocation()
  const [from, setFrom] = useState<(typeof FROM)[number]>('modelo')
  const [chosen, setChosen] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['agravos', 'modelos'],
    queryFn: ({ signal }) => api.get('/api/v1/agravos/tipos/modelos', {}, { signal }),
  })
  const modelos = (query.data?.modelos ?? []).filter(({ definido }) => !definido)
  const options =
    from === 'modelo'
      ? modelos.map(({ codigo, nome, campos }) => ({ value: codigo, label: own.modeloOption(nome, campos) }))
      : tipos.map(({ codigo, nome }) => ({ value: codigo, label: nome }))
  const value = options.find((one) => one.value === chosen)?.value ?? options[0]?.value ?? ''
  const choice = <SelectField label={own.choose} value={value} options={options} onChange={setChosen} />
  const go = (event: Event) => {
    event.preventDefault()
    if (from === 'nada') return route(PATHS.agravoNovo)
    if (value !== '')
      route(`${PATHS.agravoNovo}?${new URLSearchParams({ [from === 'modelo' ? 'modelo' : 'de']: value })}`)
  }
  return (
    <Dialog title={own.title} onClose={onClose}>
      <form class="form" onSubmit={go}>
        <SelectField
          label={own.from}
          value={from as (typeof FROM)[number]}
          options={FROM.map((one) => ({ value: one, label: own[one] }))}
          onChange={(value) => setFrom(value)}
        />
        {from === 'modelo' && (
          <Answer query={query} lines={2}>
            {() => (options.length === 0 ? <p class="note">{own.none}</p> : choice)}
          </Answer>
        )}
        {from === 'outro' && options.length > 0 && choice}
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary">
            {own.go}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
