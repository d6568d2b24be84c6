import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { ESTADOS, type Lugar as Found, lugaresFor, matching } from '../../state/territorios.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Effect, isSame } from '../../ui/effect.tsx'
import { useSending } from '../../ui/form.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { useConta } from './use-conta.ts'
import { type Lugar, lugarName, type UsuarioAberto } from './usuario-texts.ts'

interface TerritoryDialogProps {
  conta: UsuarioAberto
  onDone(): void
  onClose(): void
}

/** Levels of the tree of places by those of an account. */
const NIVEIS = { estado: 'uf', regiao: 'regiao_saude', municipio: 'municipio' } as const

const placeOf = ({ nivel, codigo, nome, uf }: Found): Lugar => ({
  nivel: NIVEIS[nivel],
  codigo,
  nome,
  ...(nivel !== 'estado' && { estado: uf }),
})

/** Places that are gained and lost; without any it is the country, which has them all. */
function effectOf(before: readonly Lugar[], after: readonly Lugar[]) {
  const words = (of: readonly Lugar[], but: readonly Lugar[]) =>
    of.length === 0
      ? [usuariosTexts().country]
      : of.filter(({ codigo }) => but.every((one) => one.codigo !== codigo)).map(lugarName)
  const codes = before.map(({ codigo }) => codigo)
  return {
    gains: words(after, before),
    loses: after.length === 0 ? [] : words(before, after),
    isChanged: !isSame(codes, new Set(after.map(({ codigo }) => codigo))),
  }
}

/** Collects places, then replaces those of the account with them. */
export function TerritoryDialog({ conta, onDone, onClose }: TerritoryDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [lugares, setLugares] = useState<Lugar[]>(conta.territorios)
  const [wanted, setWanted] = useState('')
  const text = wanted.trim()
  const named = useQuery(lugaresFor(text, null))
  const found = text.length < 2 ? ESTADOS : [...ESTADOS, ...(named.data ?? [])]
  const options = matching(unique(found), text)
    .map(placeOf)
    .filter(({ codigo }) => !lugares.some((one) => one.codigo === codigo))
  const { form, isSending, error, setError, submit } = useSending(() => save({ territorios: lugares }))
  const { save, conflict } = useConta<{ territorios: Lugar[] }>({
    conta,
    formOf: ({ territorios }) => ({ territorios }),
    put: ({ territorios = [] }, asked, options) => {
      const body = { territorios: territorios.map(({ nivel, codigo }) => ({ nivel, codigo })) }
      return api.put('/api/v1/usuarios/{id}/territorios', { ...asked, body }, options)
    },
    words: (_, lugar) => ({ label: own.territory, value: lugarName(lugar as Lugar) }),
    onMerged: ({ territorios }) => setLugares(territorios),
    onError: setError,
    onDone,
  })
  return (
    <>
      <Dialog title={own.changeTerritory} onClose={onClose}>
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <p>{lugares.length === 0 ? own.territoryEmpty : own.territoryNote}</p>
          {lugares.length > 0 && (
            <ul class="chips" aria-label={own.territory}>
              {lugares.map((lugar) => (
                <li key={lugar.codigo}>
                  <button
                    type="button"
                    class="chip"
                    aria-label={own.removePlace(lugarName(lugar))}
                    onClick={() => setLugares(lugares.filter((one) => one !== lugar))}
                  >
                    <span>{lugarName(lugar)}</span>
                    <Icon name="close" />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <Combobox
            label={own.addPlace}
            value=""
            options={options.map((lugar) => ({
              key: lugar.codigo,
              label: lugar.nome,
              note: [own.levels[lugar.nivel], lugar.estado].filter(Boolean).join(' · '),
            }))}
            onInput={setWanted}
            onChoose={(codigo) => {
              const chosen = options.find((one) => one.codigo === codigo)
              if (chosen !== undefined) setLugares([...lugares, chosen])
              setWanted('')
            }}
            placeholder={t.filtros.territorioPlaceholder}
            none={t.filtros.territorioNone}
            isLoading={named.isFetching && text.length >= 2}
          />
          <Effect {...effectOf(conta.territorios, lugares)} />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}

const unique = (lugares: Found[]) => [...new Map(lugares.map((one) => [one.codigo, one])).values()]
