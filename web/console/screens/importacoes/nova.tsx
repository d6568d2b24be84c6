import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'
import { texts } from '../../state/texts.ts'
import { Andamento } from '../../ui/andamento.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { StepHeading } from '../../ui/steps.tsx'
import { Arquivo } from './arquivo.tsx'
import { conferenciaOf, type Etapa, type Job, novaHref, resultadoOf, useJob } from './job.ts'
import { Passos } from './passos.tsx'
import { Concluida, NaoConcluida } from './resultado.tsx'

const loadColunas = async () => ({ default: (await import('./colunas.tsx')).Colunas })
const loadConferencia = async () => ({ default: (await import('./conferencia.tsx')).Conferencia })

/** An import in five steps. The address names the job, and the job says which step it is: a reload loses nothing. */
export default function NovaImportacao() {
  const t = texts()
  const { query } = useLocation()
  const id = query.job ?? null
  const job = useJob(id)
  return (
    <Page
      title={t.screens.importacaoNova}
      {...(job.data?.trabalho !== 'importacao' && { lead: importacoesTexts().lead })}
    >
      {id === null ? (
        <>
          <Passos current="arquivo" notes={{}} hrefs={{}} />
          <Arquivo failed={null} />
        </>
      ) : (
        <Answer query={job} lines={6}>
          {(data) => <DoJob key={data.job_id} job={data} wantsCheck={query.etapa === 'conferencia'} />}
        </Answer>
      )}
    </Page>
  )
}

function etapaOf({ trabalho, status }: Job, wantsCheck: boolean): Etapa {
  if (trabalho === 'importacao') return status === 'completed' ? 'resultado' : 'importacao'
  if (status === 'failed' || status === 'canceled') return 'arquivo'
  return status === 'completed' && wantsCheck ? 'conferencia' : 'colunas'
}

function DoJob({ job, wantsCheck }: { job: Job; wantsCheck: boolean }) {
  const t = importacoesTexts()
  const etapa = etapaOf(job, wantsCheck)
  const resultado = conferenciaOf(job)
  const isCheck = job.trabalho === 'validacao'
  const notes: Partial<Record<Etapa, string>> = {
    ...(etapa !== 'arquivo' && job.arquivo_nome !== undefined && { arquivo: job.arquivo_nome }),
    ...(isCheck &&
      resultado !== undefined && {
        colunas: t.columns.used(
          resultado.colunas.filter(({ uso }) => uso === 'usada').length,
          resultado.colunas.length,
        ),
        conferencia: t.check.problems(resultado.erros),
      }),
  }
  const hrefs: Partial<Record<Etapa, string>> =
    isCheck && resultado !== undefined
      ? {
          arquivo: novaHref(),
          colunas: novaHref(job.job_id),
          conferencia: novaHref(job.job_id, 'conferencia'),
        }
      : {}
  return (
    <>
      <Passos current={etapa} notes={notes} hrefs={hrefs} />
      <Step key={`${etapa}-${job.status}`} job={job} etapa={etapa} />
    </>
  )
}

function Step({ job, etapa }: { job: Job; etapa: Etapa }) {
  const t = importacoesTexts()
  if (job.tipo !== 'importacao')
    return (
      <section class="card step">
        <p>{t.notAnImport}</p>
        <a class="button plain" href={PATHS.importacoes}>
          {t.toList}
        </a>
      </section>
    )
  if (job.status === 'processing')
    return (
      <section class="card step">
        <StepHeading>{job.trabalho === 'validacao' ? t.checking : t.importing}</StepHeading>
        <Andamento job={job} note={t.mayLeave} />
      </section>
    )
  const [checked, done] = [conferenciaOf(job), resultadoOf(job)]
  if (etapa === 'arquivo') return <Arquivo failed={job} />
  if (etapa === 'importacao') return <NaoConcluida job={job} resultado={done} />
  // Left out of the answer once the owner's territory is smaller than it was.
  if (checked === undefined || done === undefined) return <p class="notice info">{t.withheld}</p>
  if (etapa === 'resultado') return <Concluida job={job} resultado={done} />
  return (
    <OnDemand
      load={etapa === 'colunas' ? loadColunas : loadConferencia}
      props={{ job, resultado: checked }}
    />
  )
}
