import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { Steps } from '../../ui/steps.tsx'
import type { Etapa } from './job.ts'

const ETAPAS: Etapa[] = ['arquivo', 'colunas', 'conferencia', 'importacao', 'resultado']

interface PassosProps {
  current: Etapa
  /** Facts of a step that is behind. */
  notes: Partial<Record<Etapa, string>>
  hrefs: Partial<Record<Etapa, string>>
}

export function Passos({ current, notes, hrefs }: PassosProps) {
  const titles = importacoesTexts().steps
  const steps = ETAPAS.map((key) => ({ key, title: titles[key], note: notes[key], href: hrefs[key] }))
  return <Steps steps={steps} current={current} />
}
