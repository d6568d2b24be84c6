import { importacoesTexts } from '../../state/texts/importacoes.ts'

const PARTS = ['importados', 'atualizados', 'inalterados', 'duplicados_no_arquivo', 'erros'] as const
export type Contagem = Record<(typeof PARTS)[number], number>

/** Lines by what became of them, as one bar; read out as a sentence. */
export function Barra({ counts }: { counts: Contagem }) {
  const t = importacoesTexts()
  return (
    <div class="stack" role="img" aria-label={summaryOf(counts, t)}>
      {PARTS.filter((part) => counts[part] > 0).map((part) => (
        <i key={part} class={part} style={{ flexGrow: counts[part] }} />
      ))}
    </div>
  )
}

/** The same with its numbers. `isDone`: they were stored; else they would be. */
export function Contagens({ counts, isDone }: { counts: Contagem; isDone: boolean }) {
  const t = importacoesTexts()
  const names = isDone ? t.parts : t.partsBefore
  return (
    <>
      <Barra counts={counts} />
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

function summaryOf(counts: Contagem, t: ReturnType<typeof importacoesTexts>): string {
  return PARTS.map((part) => `${t.parts[part]}: ${t.number(counts[part])}`).join('; ')
}
