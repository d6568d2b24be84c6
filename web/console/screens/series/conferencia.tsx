import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { offline } from '../../state/connection.ts'
import { importSeries, keepSeries, type SeriesForm, seriesUpload } from '../../state/series-upload.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { Button } from '../../ui/button.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import { Drop } from '../../ui/drop.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import type { Job } from '../../ui/use-job.ts'
import { importarHref, type Resultado, rejeitadosHref } from './importacao-data.ts'
import { SeriesTable } from './series-table.tsx'

interface CheckedProps {
  job: Job
  form: SeriesForm
  resultado: Resultado
}

/** Second step: layout, series, places and time that were found in the file. */
export function Reconhecido({ job, form, resultado }: CheckedProps) {
  const own = seriesImportacoesTexts()
  const t = own
  const { arquivo, total_linhas, sem_lugar, series } = resultado
  return (
    <section class="card step">
      <StepHeading>{own.recognised(own.layouts[arquivo.layout])}</StepHeading>
      <dl class="meta">
        {(
          [
            [envioTexts().facts.file, arquivo.nome],
            [envioTexts().facts.format, arquivo.formato.toUpperCase()],
            [envioTexts().facts.size, envioTexts().bytes(arquivo.tamanho)],
            [envioTexts().facts.lines, t.number(total_linhas)],
            [own.sem_lugar, t.number(sem_lugar)],
          ] as const
        ).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {series.length === 0 ? <p>{own.withoutSeries}</p> : <SeriesTable series={series} />}
      <div class="row start">
        <a class="button primary" href={importarHref(form, job.job_id, 'conferencia')}>
          {own.next}
        </a>
        <a class="button plain" href={importarHref(form)}>
          {envioTexts().changeFile}
        </a>
      </div>
    </section>
  )
}

/** Third step: what would happen, and the decision. */
export function Conferencia({ job, form, resultado }: CheckedProps) {
  const own = seriesImportacoesTexts()
  return (
    <div class="check-columns">
      <section class="card step what">
        <StepHeading>{own.checkTitle(resultado.total_linhas)}</StepHeading>
        <Contagens counts={resultado} names={own.parts} />
      </section>
      <div class="aside">
        <Decisao job={job} form={form} resultado={resultado} />
      </div>
      <Problemas job={job} resultado={resultado} />
    </div>
  )
}

/** Good lines only, or all or nothing. What would write nothing is said, not offered. */
function Decisao({ job, form, resultado }: CheckedProps) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { route } = useLocation()
  const [ignores, setIgnores] = useState(true)
  const [key] = useState(() => crypto.randomUUID())
  const { erros, importados, atualizados, arquivo } = resultado
  const values = importados + atualizados
  const kept = seriesUpload.value
  const file = kept?.jobId === job.job_id ? kept : null
  const start = useMutation({
    mutationFn: () => {
      if (file === null) throw new Error('no file')
      return importSeries(file, ignores, `${key}-${ignores}`)
    },
    onSuccess: ({ job_id }) => route(importarHref({}, job_id)),
  })
  const isCut = offline.value !== null
  const isWithout = values === 0 || (!ignores && erros > 0)
  return (
    <section class="card decide" aria-label={own.decide}>
      <h2>{own.decide}</h2>
      {values === 0 ? (
        <p class="nothing">{erros > 0 && erros === resultado.total_linhas ? own.allWrong : own.nothing}</p>
      ) : (
        erros > 0 && (
          <fieldset class="options">
            <legend class="unseen">{own.decide}</legend>
            <Option
              isChosen={ignores}
              onChoose={() => setIgnores(true)}
              title={own.good}
              note={own.goodNote}
            />
            <Option
              isChosen={!ignores}
              onChoose={() => setIgnores(false)}
              title={own.allOr}
              note={own.allOrNote(erros)}
            />
          </fieldset>
        )
      )}
      {start.isError && <Notice kind="error" text={errorText(start.error)} />}
      {!isWithout &&
        (file === null ? (
          <ChooseAgain arquivo={arquivo} onChoose={(chosen) => keepSeries(chosen, form, job.job_id)} />
        ) : (
          <Button
            kind="primary"
            aria-disabled={start.isPending || isCut}
            onClick={() => {
              if (!start.isPending && !isCut) start.mutate()
            }}
          >
            {start.isPending ? own.sendingImport : isCut ? t.decide.offline : own.import(values)}
          </Button>
        ))}
      <div class="row">
        <a class="button plain" href={importarHref(form, job.job_id)}>
          {own.back}
        </a>
        <a class="button plain" href={importarHref(form)}>
          {t.changeFile}
        </a>
      </div>
      {!isWithout && (
        <p class="note safe">
          <Icon name="undo" />
          <span>{own.safe}</span>
        </p>
      )}
    </section>
  )
}

/** After a reload the page has no file: the same one is asked for, by name and size. */
function ChooseAgain({ arquivo, onChoose }: { arquivo: Resultado['arquivo']; onChoose(file: File): void }) {
  const own = seriesImportacoesTexts()
  const [isOther, setOther] = useState(false)
  return (
    <>
      <p>{own.chooseAgain(arquivo.nome)}</p>
      {isOther && <Notice kind="error" text={own.otherFile(arquivo.nome)} />}
      <Drop
        text={envioTexts().file.drop}
        formats={arquivo.nome}
        onChoose={(file) => {
          if (file === undefined) return
          const isSame = file.size === arquivo.tamanho && file.name === arquivo.nome
          setOther(!isSame)
          if (isSame) onChoose(file)
        }}
      />
    </>
  )
}

interface OptionProps {
  isChosen: boolean
  onChoose(): void
  title: string
  note: string
}

function Option({ isChosen, onChoose, title, note }: OptionProps) {
  return (
    <label class={isChosen ? 'option on' : 'option'}>
      <input type="radio" name="modo" checked={isChosen} onChange={onChoose} />
      <span>
        <b>{title}</b>
        <small>{note}</small>
      </span>
    </label>
  )
}

const SHOWN = 20

function Problemas({ job, resultado }: { job: Job; resultado: Resultado }) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  const { erros, avisos, erros_detalhados, avisos_detalhados } = resultado
  if (erros + avisos === 0)
    return (
      <section class="card problems">
        <h2>{t.problems.title}</h2>
        <p class="note">{own.noProblems}</p>
      </section>
    )
  return (
    <section class="card problems">
      <header class="with-action">
        <h2>{t.problems.title}</h2>
        {job.rejeitados_url !== undefined && (
          <a class="button plain" href={rejeitadosHref(job.job_id)} download>
            <Icon name="download" />
            {t.problems.download(erros)}
          </a>
        )}
      </header>
      {erros > 0 && <Lines title={own.problems} total={erros} lines={erros_detalhados} />}
      {avisos > 0 && (
        <Lines
          title={own.warnings}
          total={avisos}
          lines={avisos_detalhados.map(({ linha, aviso }) => ({ linha, erro: aviso }))}
        />
      )}
    </section>
  )
}

interface LinesProps {
  title: string
  total: number
  lines: { linha: number | null; erro: string }[]
}

function Lines({ title, total, lines }: LinesProps) {
  const own = seriesImportacoesTexts()
  const t = own
  const shown = lines.slice(0, SHOWN)
  return (
    <>
      <h3>
        {title} ({t.number(total)})
      </h3>
      <div class="lines">
        <table>
          <thead>
            <tr>
              <th scope="col" class="number">
                {own.line}
              </th>
              <th scope="col">{own.said}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ linha, erro }, at) => (
              <tr key={at}>
                <td class="number">{linha === null ? t.none : t.number(linha)}</td>
                <td>{erro}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {total > shown.length && <p class="note">{own.firstOf(shown.length, total)}</p>}
      </div>
    </>
  )
}
