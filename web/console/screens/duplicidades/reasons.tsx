import type { Sinais } from '../../../../src/domain/casos/duplicidades/escore.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import type { Par } from './par.ts'

export type Lado = 'a_favor' | 'contra' | 'neutra'

interface Razao {
  lado: Lado
  text: string
}

const WORDS = /^(\d+) de (\d+) palavras iguais, (\d+) parecidas?$/
const SOON = 7
const LATE = 20

const sideOf = (level: string): Lado =>
  level === 'desconhecido' ? 'neutra' : level === 'outro' || level === 'uma_parte' ? 'contra' : 'a_favor'

/** Reasons of a score in words, in the order of their weight. */
export function razoesOf(par: Par): Razao[] {
  const t = duplicidadesTexts()
  const { nome, primeiro_nome, nascimento, sexo, municipio, bairro, dias } = par.sinais as unknown as Sinais
  const [, equal, words, alike] = (WORDS.exec(nome) ?? []).map(Number)
  const known = (equal ?? 0) + (alike ?? 0)
  return [
    {
      lado: known * 2 >= (words ?? 0) ? 'a_favor' : 'contra',
      text: t.name(equal ?? 0, words ?? 0, alike ?? 0),
    },
    { lado: sideOf(primeiro_nome), text: t.first[primeiro_nome] },
    { lado: sideOf(nascimento), text: t.birth[nascimento] },
    { lado: sideOf(sexo), text: t.sex[sexo] },
    { lado: sideOf(municipio), text: t.town[municipio] },
    // Another district counts for nothing.
    { lado: bairro === 'igual' ? 'a_favor' : 'neutra', text: t.district[bairro] },
    { lado: dias <= SOON ? 'a_favor' : dias <= LATE ? 'neutra' : 'contra', text: t.days(dias) },
  ].filter((one): one is Razao => one.text !== '')
}

const SIGNS: Record<Lado, string> = { a_favor: '+', contra: '−', neutra: '·' }

export function Reasons({ par }: { par: Par }) {
  const t = duplicidadesTexts()
  return (
    <section class="card" aria-labelledby="razoes">
      <h2 id="razoes">{t.reasons}</h2>
      <p>
        <BandTag par={par} />
      </p>
      <ul class="reasons">
        {razoesOf(par).map(({ lado, text }) => (
          <li key={text} class={lado}>
            <span class="sign" aria-hidden="true">
              {SIGNS[lado]}
            </span>
            {text}
            <span class="unseen">{` (${t.kinds[lado]})`}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const COLOURS = { quase_certa: 'red', provavel: 'amber', possivel: 'plain' } as const

/** Band and score. */
export function BandTag({ par: { faixa, escore } }: { par: Pick<Par, 'faixa' | 'escore'> }) {
  const t = duplicidadesTexts()
  return (
    <>
      <span class={`tag ${COLOURS[faixa]}`}>{t.bands[faixa]}</span>{' '}
      <small class="score">{t.score(escore)}</small>
    </>
  )
}
