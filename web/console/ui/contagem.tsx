import { texts } from '../state/texts.ts'

const PARTS = ['importados', 'atualizados', 'inalterados', 'duplicados_no_arquivo', 'erros'] as const
export type Contagem = Record<(typeof PARTS)[number], number>

type Names = Record<(typeof PARTS)[number], string>

interface ContagemProps {
  counts: Contagem
  names: Names
}

/** Lines by what became of them, as one bar; read out as a sentence. */
export function Barra({ counts, names }: ContagemProps) {
  return (
    <div class="stack" role="img" aria-label={summaryOf(counts, names)}>
      {PARTS.filter((part) => counts[part] > 0).map((part) => (
        <i key={part} class={part} style={{ flexGrow: counts[part] }} />
      ))}
    </div>
  )
}

/** The same with its numbers. */
export function Contagens({ counts, names }: ContagemProps) {
  const t = texts().filtros
  return (
    <>
      <Barra counts={counts} names={names} />
      <dl class="sum">
        {PARTS.map((part) => (
          <div key={part}>
            <dt>
              <i class={part} aria-hidden="true" />
              {names[part]}
            </dt>
            <dd>{t.number(counts[part])}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const summaryOf = (counts: Contagem, names: Names): string =>
  PARTS.map((part) => `${names[part]}: ${texts().filtros.number(counts[part])}`).join('; ')
