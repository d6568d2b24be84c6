import { importacoesTexts } from '../state/texts/importacoes.ts'

const PARTS = ['importados', 'atualizados', 'inalterados', 'duplicados_no_arquivo', 'erros'] as const
export type Contagem = Record<(typeof PARTS)[number], number>

type Names = Record<(typeof PARTS)[number], string>

/** Lines by what became of them, as one bar; read out as a sentence. `names`: where they are not those of cases. */
export function Barra({ counts, names }: { counts: Contagem; names?: Names }) {
  return (
    <div class="stack" role="img" aria-label={summaryOf(counts, names ?? importacoesTexts().parts)}>
      {PARTS.filter((part) => counts[part] > 0).map((part) => (
        <i key={part} class={part} style={{ flexGrow: counts[part] }} />
      ))}
    </div>
  )
}

/** The same with its numbers. `isDone`: they were stored; else they would be. */
export function Contagens({
  counts,
  isDone,
  names = isDone ? importacoesTexts().parts : importacoesTexts().partsBefore,
}: {
  counts: Contagem
  isDone: boolean
  names?: Names
}) {
  const t = importacoesTexts()
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
  PARTS.map((part) => `${names[part]}: ${importacoesTexts().number(counts[part])}`).join('; ')
