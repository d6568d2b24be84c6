import { useQueries } from '@tanstack/preact-query'
import { ESTADOS_IBGE, type Uf } from '../../../../src/brasil/uf.ts'
import { isConhecido, agravos as tipos } from '../../state/agravos.ts'
import { valorWords } from '../../state/filter-words.ts'
import { api } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'
import { MunicipioField } from '../../ui/municipio-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'

export type Agravo = string

/** Disease and place of a bulletin, as its form holds them. */
export interface Subject {
  agravo: Agravo
  uf: Uf | ''
  municipio: string | null
}

export const NEW_SUBJECT: Subject = { agravo: 'dengue', uf: '', municipio: null }

/** As the API names it. */
export const subjectBody = ({ agravo, uf, municipio }: Subject) => ({
  tipo_agravo: agravo,
  ...(municipio !== null ? { municipio } : uf === '' ? {} : { estado: uf }),
})

interface PlaceFieldsProps {
  subject: Subject
  onChange(subject: Subject): void
}

export function PlaceFields({ subject, onChange }: PlaceFieldsProps) {
  const t = texts()
  const own = boletinsTexts()
  const { agravo, uf, municipio } = subject
  const agravos = useComBoletim().map((value): { value: Agravo; label: string } => ({
    value,
    label: valorWords(value, t),
  }))
  return (
    <>
      <SelectField
        label={own.agravo}
        value={agravo}
        options={[...agravos, { value: 'todos', label: own.everyAgravo }]}
        onChange={(value) => onChange({ ...subject, agravo: value })}
      />
      <SelectField
        label={own.estado}
        value={uf}
        options={[
          { value: '', label: own.brasil },
          ...ESTADOS_IBGE.map(({ uf, nome }) => ({ value: uf as Uf | '', label: nome })),
        ]}
        onChange={(value) => onChange({ ...subject, uf: value, municipio: null })}
      />
      {uf !== '' && (
        <MunicipioField
          label={own.municipio}
          value={municipio}
          uf={uf}
          onChoose={(one) => onChange({ ...subject, municipio: one?.codigo ?? null })}
          onText={() => onChange({ ...subject, municipio: null })}
        />
      )}
    </>
  )
}

/** Statistics of a definition; bulletins need levels of alert and reproduction numbers. */
interface ComEpidemiologia {
  epidemiologia: { curva: boolean; alertas: boolean; intervalo_geracao: unknown }
}

const hasBoletim = ({ epidemiologia: { curva, alertas, intervalo_geracao } }: ComEpidemiologia) =>
  curva && alertas && intervalo_geracao !== null

/**
 * Diseases that have a bulletin: the known ones, and others by their definitions. One whose definition cannot be read, as by an account
 * without that right, is offered: the service refuses what it cannot make.
 */
function useComBoletim(): readonly string[] {
  const others = tipos().filter((codigo) => !isConhecido(codigo))
  const lidos = useQueries({
    queries: others.map((codigo) => ({
      queryKey: ['agravos', codigo],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.get('/api/v1/agravos/tipos/{codigo}', { params: { codigo } }, { signal }),
      placeholderData: () => undefined,
    })),
  })
  const isOffered = (codigo: string) => {
    const { data, isError } = lidos[others.indexOf(codigo)] ?? { isError: true }
    return data === undefined ? isError : hasBoletim(data.definicao as unknown as ComEpidemiologia)
  }
  return tipos().filter(isOffered)
}
