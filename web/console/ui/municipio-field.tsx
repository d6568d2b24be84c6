import { useQuery } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import type { Uf } from '../../../src/brasil/uf.ts'
import { ufOfCode } from '../state/estados.ts'
import { plain } from '../state/plain.ts'
import { type Lugar, lugaresFor, lugaresOfUf, matching } from '../state/territorios.ts'
import { texts } from '../state/texts.ts'
import { Combobox } from './combobox.tsx'

interface MunicipioFieldProps {
  label: string
  /** Code of seven digits, or text that was left without a choice. */
  value: string | null
  /** Narrows the choice to a state. */
  uf?: Uf | null
  onChoose(municipio: Lugar | null): void
  /** Text that is no municipality yet: becomes one by itself when the answer has the only or the exact match. */
  onText(text: string): void
  problem?: string | undefined
  note?: string | undefined
  name?: string
}

const isCode = (value: string) => /^\d{7}$/.test(value)

/** A municipality, by name without accents or by code; choosing it tells its state too. */
export function MunicipioField(props: MunicipioFieldProps) {
  const { value, uf = null, onChoose, onText, problem, note, ...field } = props
  const left = value !== null && !isCode(value) ? value : null
  const [wanted, setWanted] = useState(left ?? '')
  const t = texts().filtros
  const nome = useMunicipioNome(left === null ? value : null)
  const found = useQuery(lugaresFor(wanted, uf))
  const isShort = uf === null && wanted.trim().length < 2
  const municipios = isShort ? [] : (found.data ?? []).filter(({ nivel }) => nivel === 'municipio')
  const options = matching(municipios, wanted)
  const isLeft = left !== null && left === wanted.trim()
  useEffect(() => {
    const match = isLeft ? matchOf(options, left) : undefined
    if (match !== undefined) onChoose(match)
  }, [isLeft, found.data])
  const isWaiting = isLeft && found.isFetching
  return (
    <Combobox
      {...field}
      value={value === null ? '' : (nome ?? value)}
      options={options.map(({ codigo, nome, uf }) => ({
        key: codigo,
        label: nome,
        note: `${uf} · ${codigo}`,
      }))}
      onInput={setWanted}
      onChoose={(codigo) => onChoose(options.find((one) => one.codigo === codigo) ?? null)}
      onClear={() => onChoose(null)}
      onLeave={(text) => {
        setWanted(text)
        onText(text)
      }}
      placeholder={t.municipioPlaceholder}
      none={t.municipioNone}
      hint={isShort ? t.territorioHint : undefined}
      isLoading={found.isFetching}
      note={isWaiting ? t.searching : note}
      problem={
        left === null
          ? problem
          : isWaiting
            ? undefined
            : isLeft && options.length > 1
              ? t.municipioSeveral(left)
              : t.municipioUnknown(left)
      }
    />
  )
}

/** The only one that has the text in its name or code, else the only one that is called so. */
function matchOf(municipios: Lugar[], text: string): Lugar | undefined {
  const exact = municipios.filter(({ nome }) => plain(nome) === plain(text))
  return municipios.length === 1 ? municipios[0] : exact.length === 1 ? exact[0] : undefined
}

/** Name of a municipality or health region by its code; undefined until it is known. */
export function useMunicipioNome(codigo: string | null): string | undefined {
  const { data } = useQuery(lugaresOfUf(codigo === null ? null : ufOfCode(codigo)))
  return codigo === null ? undefined : data?.find((one) => one.codigo === codigo)?.nome
}
