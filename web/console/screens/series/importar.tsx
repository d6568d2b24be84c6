import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import type { SeriesForm } from '../../state/series-upload.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Andamento } from '../../ui/andamento.tsx'
import { NaoConcluida } from '../../ui/import-result.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { StepHeading, Steps } from '../../ui/steps.tsx'
import { type Job, useFollowedJob } from '../../ui/use-job.ts'
import { Arquivo } from './arquivo.tsx'
import { formOfAddress, importarHref, type Resultado, resultadoOf, SERIES_IMPORT } from './importacao-data.ts'
import './styles.ts'

const loadConcluida = async () => ({ default: (await import('./resultado.tsx')).Concluida })
const loadReconhecido = async () => ({ default: (await import('./conferencia.tsx')).Reconhecido })
const loadConferencia = async () => ({ default: (await import('./conferencia.tsx')).Conferencia })

const ETAPAS = ['arquivo', 'reconhecido', 'conferencia', 'importacao', 'resultado'] as const
type Etapa = (typeof ETAPAS)[number]

/** An import of series in five steps. The address names the job, and the job says which step it is. */
export default function ImportarSeries() {
  const t = texts()
  const { query } = useLocation()
  const id = query.job ?? null
  const form = formOfAddress(query)
  const job = useFollowedJob(id)
  return (
    <Page title={t.screens.seriesImportar} lead={envioTexts().lead}>
      {id === null ? (
        <>
          <Passos current="arquivo" hrefs={{}} />
          <Arquivo failed={null} form={form} />
        </>
      ) : (
        <Answer query={job} lines={6}>
          {(data) => (
            <DoJob key={data.job_id} job={data} form={form} wantsCheck={query.etapa === 'conferencia'} />
          )}
        </Answer>
      )}
    </Page>
  )
}

interface PassosProps {
  current: Etapa
  hrefs: Partial<Record<Etapa, string>>
  resultado?: Resultado | undefined
}

function Passos({ current, hrefs, resultado }: PassosProps) {
  const t = seriesImportacoesTexts()
  const notes: Partial<Record<Etapa, string>> =
    resultado === undefined
      ? {}
      : { arquivo: resultado.arquivo.nome, reconhecido: t.layouts[resultado.arquivo.layout] }
  const steps = ETAPAS.map((key) => ({ key, title: t.steps[key], note: notes[key], href: hrefs[key] }))
  return <Steps steps={steps} current={current} />
}

function etapaOf({ trabalho, status }: Job, wantsCheck: boolean): Etapa {
  if (trabalho === 'importacao') return status === 'completed' ? 'resultado' : 'importacao'
  if (status === 'failed' || status === 'canceled') return 'arquivo'
  return status === 'completed' && wantsCheck ? 'conferencia' : 'reconhecido'
}

interface DoJobProps {
  job: Job
  form: SeriesForm
  wantsCheck: boolean
}

function DoJob({ job, form, wantsCheck }: DoJobProps) {
  const etapa = etapaOf(job, wantsCheck)
  const resultado = resultadoOf(job)
  const isChecked = job.trabalho === 'validacao' && job.status === 'completed'
  const hrefs: Partial<Record<Etapa, string>> = isChecked
    ? {
        arquivo: importarHref(form),
        reconhecido: importarHref(form, job.job_id),
        conferencia: importarHref(form, job.job_id, 'conferencia'),
      }
    : {}
  return (
    <>
      <Passos current={etapa} hrefs={hrefs} resultado={resultado} />
      <Step key={`${etapa}-${job.status}`} {...{ job, form, etapa, resultado }} />
    </>
  )
}

interface StepProps {
  job: Job
  form: SeriesForm
  etapa: Etapa
  resultado: Resultado | undefined
}

function Step({ job, form, etapa, resultado }: StepProps) {
  const t = envioTexts()
  const own = seriesImportacoesTexts()
  if (job.tipo !== 'importacao_series')
    return (
      <section class="card step">
        <p>{own.notAnImport}</p>
        <a class="button plain" href={PATHS.seriesImportacoes}>
          {own.all}
        </a>
      </section>
    )
  if (job.status === 'processing')
    return (
      <section class="card step">
        <StepHeading>{job.trabalho === 'validacao' ? t.checking : t.importing}</StepHeading>
        <Andamento job={job} note={own.mayLeave} stages={own.stages} />
      </section>
    )
  if (etapa === 'arquivo') return <Arquivo failed={job} form={form} />
  if (etapa === 'importacao') return <NaoConcluida job={job} target={SERIES_IMPORT} />
  // Left out of the answer once the owner's territory is smaller than it was.
  if (resultado === undefined) return <p class="notice info">{t.withheld}</p>
  if (etapa === 'resultado') return <OnDemand load={loadConcluida} props={{ job, resultado }} />
  const props = { job, form, resultado }
  return <OnDemand load={etapa === 'reconhecido' ? loadReconhecido : loadConferencia} props={props} />
}
