import { useMutation } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { offline } from '../state/connection.ts'
import type { UploadForm } from '../state/file-upload.ts'
import { envioTexts } from '../state/texts/envio.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Contagens } from './contagem.tsx'
import { Drop } from './drop.tsx'
import { Icon } from './icon.tsx'
import { type ImportResult, type ImportTarget, rejeitadosHref } from './import-target.ts'
import { Notice } from './notice.tsx'
import { Refusal } from './refusal.tsx'
import { StepHeading } from './steps.tsx'
import type { Job } from './use-job.ts'

interface CheckedProps {
  target: ImportTarget
  job: Job
  form: UploadForm
  resultado: ImportResult
  /** Way back to an earlier step. */
  back?: ComponentChildren
}

/** Dry run of an import: its effect, and the decision. */
export function ImportCheck(props: CheckedProps) {
  const { target, job, resultado } = props
  return (
    <div class="check-columns">
      <section class="card step what">
        <StepHeading>{envioTexts().check.checkTitle(resultado.total_linhas)}</StepHeading>
        <Contagens counts={resultado} names={target.words().parts} />
      </section>
      <div class="aside">
        <Decisao {...props} />
      </div>
      <Problemas job={job} resultado={resultado} />
    </div>
  )
}

/** Good lines only, or all or nothing. What would write nothing is said, not offered. */
function Decisao({ target, job, form, resultado, back }: CheckedProps) {
  const t = envioTexts()
  const own = t.check
  const words = target.words()
  const { route } = useLocation()
  const [ignores, setIgnores] = useState(true)
  const [key] = useState(() => crypto.randomUUID())
  const { erros, importados, atualizados, arquivo } = resultado
  const values = importados + atualizados
  const kept = target.upload.current.value
  const file = kept?.jobId === job.job_id ? kept : null
  const start = useMutation({
    mutationFn: () => {
      if (file === null) throw new Error('no file')
      return target.upload.send(file, ignores, `${key}-${ignores}`)
    },
    onSuccess: ({ job_id }) => route(target.importarHref({}, job_id)),
  })
  const isCut = offline.value !== null
  const isWithout = values === 0 || (!ignores && erros > 0)
  return (
    <section class="card decide" aria-label={own.decide}>
      <h2>{own.decide}</h2>
      {values === 0 ? (
        <p class="nothing">{erros > 0 && erros === resultado.total_linhas ? own.allWrong : words.nothing}</p>
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
      {start.isError && <Refusal error={start.error} />}
      {!isWithout &&
        (file === null ? (
          <ChooseAgain
            arquivo={arquivo}
            onChoose={(chosen) => target.upload.keep(chosen, form, job.job_id)}
          />
        ) : (
          <Button
            kind="primary"
            aria-disabled={start.isPending || isCut}
            onClick={() => {
              if (!start.isPending && !isCut) start.mutate()
            }}
          >
            {start.isPending ? own.sendingImport : isCut ? texts().states.awaiting : words.import(values)}
          </Button>
        ))}
      <div class="row">
        {back}
        <a class="button plain" href={target.importarHref(form)}>
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
function ChooseAgain({
  arquivo,
  onChoose,
}: {
  arquivo: ImportResult['arquivo']
  onChoose(file: File): void
}) {
  const own = envioTexts().check
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

function Problemas({ job, resultado }: { job: Job; resultado: ImportResult }) {
  const t = envioTexts()
  const own = envioTexts().check
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
  const t = envioTexts()
  const own = t.check
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
                <td class="number">{linha === null ? '–' : t.number(linha)}</td>
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
