import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { StepHeading } from '../../ui/steps.tsx'
import { type Job, novaHref, type ResultadoDaConferencia } from './job.ts'

/** Second step: what was found in the file, and what becomes of each of its columns. */
export function Colunas({ job, resultado }: { job: Job; resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { colunas, amostra } = resultado
  return (
    <>
      <section class="card step">
        <StepHeading>
          {t.columns.title(colunas.filter(({ uso }) => uso === 'usada').length, colunas.length)}
        </StepHeading>
        <Fatos resultado={resultado} />
        <div class="row start">
          <a class="button primary" href={novaHref(job.job_id, 'conferencia')}>
            {t.columns.next}
          </a>
          <a class="button plain" href={novaHref()}>
            {t.changeFile}
          </a>
        </div>
      </section>
      <section class="card spaced">
        <h2>{t.columns.columns}</h2>
        <p class="note">{t.columns.columnsNote}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
        <section class="scroll-box" aria-label={t.columns.columns} tabIndex={0}>
          <table class="fixed-head">
            <thead>
              <tr>
                <th scope="col">{t.columns.column}</th>
                <th scope="col">{t.columns.field}</th>
                <th scope="col">{t.columns.use}</th>
                <th scope="col">{t.columns.example}</th>
              </tr>
            </thead>
            <tbody>
              {colunas.map((coluna, at) => (
                <Coluna key={`${at}-${coluna.nome}`} coluna={coluna} />
              ))}
            </tbody>
          </table>
        </section>
      </section>
      <section class="card spaced">
        <h2>{t.columns.sample(amostra.length)}</h2>
        <p class="note">{t.columns.sampleNote}</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
        <section class="scroll-box" aria-label={t.columns.sample(amostra.length)} tabIndex={0}>
          <table class="fixed-head sample">
            <thead>
              <tr>
                <th scope="col" class="number">
                  {t.line}
                </th>
                {colunas.map(({ nome, uso }, at) => (
                  <th key={`${at}-${nome}`} scope="col" class={uso}>
                    <code>{nome}</code>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {amostra.map(({ linha, valores }) => (
                <tr key={linha}>
                  <th scope="row" class="number">
                    {t.number(linha)}
                  </th>
                  {valores.map((valor, at) => (
                    <td key={at}>{valor}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </section>
    </>
  )
}

const TONES = { usada: 'green', ignorada: 'grey', desconhecida: 'amber' } as const

function Coluna({ coluna }: { coluna: ResultadoDaConferencia['colunas'][number] }) {
  const { nome, campo, uso, sugestao, exemplo } = coluna
  return (
    <tr>
      <th scope="row">
        <code>{nome}</code>
      </th>
      <td>{campo === null ? '' : (texts().campos[campo] ?? campo)}</td>
      <td>
        <span class={`tag ${TONES[uso]}`}>{importacoesTexts().columns.uses[uso]}</span>
        {sugestao !== null && <small class="hint">{importacoesTexts().columns.suggestion(sugestao)}</small>}
      </td>
      <td>{exemplo ?? ''}</td>
    </tr>
  )
}

/** Facts of the file itself. */
export function Fatos({ resultado }: { resultado: ResultadoDaConferencia }) {
  const t = importacoesTexts()
  const { arquivo, codificacao, delimitador, periodo, total_linhas } = resultado
  const facts: [string, string | null][] = [
    [t.facts.file, arquivo.nome],
    [t.facts.format, arquivo.formato.toUpperCase()],
    [t.facts.layout, t.layouts[arquivo.layout as keyof typeof t.layouts] ?? arquivo.layout],
    [t.facts.encoding, codificacao],
    [t.facts.delimiter, delimitador === null ? null : t.delimiterName(delimitador)],
    [t.facts.size, t.bytes(arquivo.tamanho)],
    [t.facts.lines, t.number(total_linhas)],
    [t.facts.period, periodo === null ? null : t.period(periodo.inicio, periodo.fim)],
  ]
  return (
    <dl class="meta">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
