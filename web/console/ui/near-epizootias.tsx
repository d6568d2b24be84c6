import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { whenOf, word } from '../state/epizootias.ts'
import { EPIZOOTIAS, epizootiaHref } from '../state/epizootias-keys.ts'
import { api } from '../state/session.ts'
import { epizootiasTexts } from '../state/texts/epizootias.ts'
import { Button } from './button.tsx'
import { ClassTag } from './epizootia-marks.tsx'
import { SelectField } from './select-field.tsx'
import { Answer } from './states.tsx'
import './epizootia-styles.ts'

const WEEKS = [4, 8, 16, 26, 52] as const
const RADII = [25, 50, 100, 200] as const
const MOST = 200

export interface NearCardProps {
  /** Name and state of the municipality around which it is looked. */
  municipio: string
  estado: string
}

/** Events of yellow fever in animals around the municipality of a case; asked for only when somebody wants them. */
export function NearCard({ municipio, estado }: NearCardProps) {
  const t = epizootiasTexts().near
  const [isAsked, setAsked] = useState(false)
  const [semanas, setSemanas] = useState<number>(8)
  const [raio_km, setRaio] = useState<number>(50)
  const asked = { municipio, estado: estado as never, suspeita: 'febre_amarela', semanas, raio_km }
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'proximas', asked],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/proximas', { query: asked }, { signal }),
    enabled: isAsked,
  })
  const options = (values: readonly number[]) =>
    values.map((value) => ({ value: String(value), label: String(value) }))
  return (
    <section class="card near">
      <h2>{t.title}</h2>
      <p class="note">{t.lead(`${municipio}, ${estado}`)}</p>
      <div class="two">
        <SelectField
          label={t.weeks}
          value={String(semanas)}
          options={options(WEEKS)}
          onChange={(value) => setSemanas(Number(value))}
        />
        <SelectField
          label={t.radius}
          value={String(raio_km)}
          options={options(RADII)}
          onChange={(value) => setRaio(Number(value))}
        />
      </div>
      {isAsked ? (
        <Answer query={query} lines={3}>
          {({ items, desde }) =>
            items.length === 0 ? (
              <p role="status">{t.none}</p>
            ) : (
              <>
                <p role="status">{t.found(items.length, desde)}</p>
                {items.length >= MOST && <p class="note">{t.most}</p>}
                <ul class="near-list">
                  {items.map((one) => (
                    <li key={one.id}>
                      <a href={epizootiaHref(one.id)}>
                        {whenOf(one)}, {one.municipio}
                      </a>{' '}
                      <ClassTag classificacao={one.classificacao} />
                      <small>
                        {word(one.especie_grupo)} ·{' '}
                        {one.distancia_km === 0 ? t.here : t.distance(one.distancia_km)}
                      </small>
                    </li>
                  ))}
                </ul>
              </>
            )
          }
        </Answer>
      ) : (
        <Button icon="search" onClick={() => setAsked(true)}>
          {t.look}
        </Button>
      )}
    </section>
  )
}
