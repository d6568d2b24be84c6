import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { envioTexts } from '../../state/texts/envio.ts'
import { epizootiasImportacoesTexts } from '../../state/texts/epizootias-importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Andamento } from '../../ui/andamento.tsx'
import { Contagens } from '../../ui/contagem.tsx'
import '../../ui/gestao.ts'
import { Icon } from '../../ui/icon.tsx'
import { ImportFile } from '../../ui/import-file.tsx'
import { NaoConcluida, Rejected } from '../../ui/import-result.tsx'
import { type ImportResult, importResultOf } from '../../ui/import-target.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { StepHeading, Steps } from '../../ui/steps.tsx'
import { type Job, useFollowedJob } from '../../ui/use-job.ts'
import { epizootiasPath, NO_FILTERS } from './address.ts'
import { EPIZOOTIAS_IMPORT } from './importacao-data.ts'

const loadCheck = async () => ({ default: (await import('../../ui/import-check.tsx')).ImportCheck })

const ETAPAS = ['arquivo', 'conferencia', 'importacao', 'resultado'] as const
type Etapa = (typeof ETAPAS)[number]

/** An import of events in four steps. The address names the job, and the job says which step it is. */
export default function ImportarEpizootias() {
  const { query } = useLocation()
  const id = query.job ?? null
  const job = useFollowedJob(id)
  return (
    <>
      <a class="back" href={PATHS.epizootiasImportacoes}>
        {epizootiasImportacoesTexts().all}
      </a>
      <Page title={texts().screens.epizootiasImportar} lead={envioTexts().lead}>
        {id === null ? (
          <>
            <Passos current="arquivo" />
            <Arquivo failed={null} />
          </>
        ) : (
          <Answer query={job} lines={6}>
            {(data) => <DoJob key={data.job_id} job={data} />}
          </Answer>
        )}
      </Page>
    </>
  )
}

function Arquivo({ failed }: { failed: Job | null }) {
  const { formats, note } = epizootiasImportacoesTexts()
  return <ImportFile target={EPIZOOTIAS_IMPORT} form={{}} {...{ failed, formats, note }} />
}

function Passos({ current, resultado }: { current: Etapa; resultado?: ImportResult | undefined }) {
  const t = epizootiasImportacoesTexts()
  const isBack = current === 'conferencia' && resultado !== undefined
  const steps = ETAPAS.map((key) => ({
    key,
    title: t.steps[key],
    ...(key === 'arquivo' && {
      note: resultado?.arquivo.nome,
      href: isBack ? EPIZOOTIAS_IMPORT.importarHref() : undefined,
    }),
  }))
  return <Steps steps={steps} current={current} />
}

function etapaOf({ trabalho, status }: Job): Etapa {
  if (trabalho === 'importacao') return status === 'completed' ? 'resultado' : 'importacao'
  return status === 'failed' || status === 'canceled' ? 'arquivo' : 'conferencia'
}

function DoJob({ job }: { job: Job }) {
  const etapa = etapaOf(job)
  const resultado = importResultOf(job)
  return (
    <>
      <Passos current={etapa} resultado={resultado} />
      <Step key={`${etapa}-${job.status}`} {...{ job, etapa, resultado }} />
    </>
  )
}

interface StepProps {
  job: Job
  etapa: Etapa
  resultado: ImportResult | undefined
}

function Step({ job, etapa, resultado }: StepProps) {
  const t = envioTexts()
  const own = epizootiasImportacoesTexts()
  if (job.tipo !== 'importacao_epizootias') return <p class="notice info">{own.notAnImport}</p>
  if (job.status === 'processing')
    return (
      <section class="card step">
        <StepHeading>{job.trabalho === 'validacao' ? t.checking : t.importing}</StepHeading>
        <Andamento job={job} note={own.mayLeave} stages={own.stages} />
      </section>
    )
  if (etapa === 'arquivo') return <Arquivo failed={job} />
  if (etapa === 'importacao') return <NaoConcluida job={job} target={EPIZOOTIAS_IMPORT} />
  // Left out of the answer once the owner's territory is smaller than it was.
  if (resultado === undefined) return <p class="notice info">{t.withheld}</p>
  if (etapa === 'resultado') return <Concluida job={job} resultado={resultado} />
  return <OnDemand load={loadCheck} props={{ target: EPIZOOTIAS_IMPORT, job, form: {}, resultado }} />
}

/** Last step: what happened, the events, the rejected lines, and the way back. */
function Concluida({ job, resultado }: { job: Job; resultado: ImportResult }) {
  const t = envioTexts()
  const own = epizootiasImportacoesTexts()
  const { importacao_id, importados, atualizados, erros, arquivo } = resultado
  const { importarHref, importacaoHref, refresh, upload } = EPIZOOTIAS_IMPORT
  useEffect(() => {
    upload.dropServed()
    refresh()
  }, [])
  return (
    <section class="card step">
      <StepHeading>{own.resultTitle(importados, atualizados)}</StepHeading>
      <Contagens counts={resultado} names={own.parts} />
      <p class="note">{t.result.took(resultado.tempo_processamento, arquivo.nome)}</p>
      <div class="row start">
        {importacao_id !== null && importados + atualizados > 0 && (
          <>
            <a
              class="button primary"
              href={epizootiasPath({ filters: { ...NO_FILTERS, importacao: String(importacao_id) } })}
            >
              {own.seeEvents}
            </a>
            <a class="button plain" href={importacaoHref(importacao_id)}>
              <Icon name="undo" />
              {t.result.undo}
            </a>
          </>
        )}
        <Rejected job={job} erros={erros} />
        <a class="button plain" href={importarHref()}>
          {t.result.another}
        </a>
      </div>
    </section>
  )
}
